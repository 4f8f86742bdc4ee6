// defines: add_devices

#include <fmt/format.h>
#include <thread>

#include "engine/cli/commands.h"
#include "engine/cli/cpu_features.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/text.h"
#include "engine/core/system.h"

namespace mantissa {
namespace {

constexpr const char* kNoCuda =
    "the CUDA library (mantissa_cuda) is not part of this build; training runs on the CPU";

int devices(Session& session) {
  const auto features = cpu_features();
  const unsigned threads = std::thread::hardware_concurrency();
  const std::string name = processor_name().empty() ? "unknown processor" : processor_name();
  if (session.json) {
    write_event(session.out(), {{"event", "device"},
                                {"device", "cpu"},
                                {"usable", true},
                                {"name", name},
                                {"threads", threads},
                                {"features", features},
                                {"memory_bytes", total_memory()},
                                {"free_bytes", available_memory()}});
    write_event(
        session.out(),
        {{"event", "device"}, {"device", "cuda:0"}, {"usable", false}, {"reason", kNoCuda}});
    return 0;
  }
  session.out() << fmt::format(
      "cpu     {}\n        {} threads, {} of {} memory free\n        {}\ncuda:0  can't be used: "
      "{}\n",
      printable(name), threads, bytes_text(available_memory()), bytes_text(total_memory()),
      fmt::join(features, " "), kNoCuda);
  session.out() << std::flush;
  return 0;
}

}  // namespace

void add_devices(CLI::App& app, Session& session, Action& action) {
  CLI::App* command = app.add_subcommand("devices", "CPU and GPUs, and why a GPU can't be used");
  command->callback([&session, &action] { action = [&session] { return devices(session); }; });
}

}  // namespace mantissa
