#include "engine/plan/devices.h"

#include <fmt/format.h>

#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/style.h"
#include "engine/cli/text.h"
#include "engine/core/printable.h"

namespace mantissa {
namespace {

void print(std::ostream& out, const DeviceInfo& d) {
  if (!d.usable) {
    out << fmt::format("{:<8}", d.id);
    const std::string why =
        fmt::format("{}can't be used: {}", d.name.empty() ? "" : d.name + ": ", d.reason.text());
    out << wrapped(why, 8, paragraph_columns(out)).substr(8);
    return;
  }
  out << fmt::format("{:<8}{}\n        ", d.id,
                     d.name.empty() ? "unknown processor" : printable(d.name));
  if (d.threads > 0) {
    out << d.threads << " threads, ";
  }
  if (!d.compute_capability.empty()) {
    out << "compute capability " << d.compute_capability << ", driver " << d.driver << ", ";
  }
  out << (d.free_bytes > 0 ? fmt::format("{} of {} memory free\n", bytes_text(d.free_bytes),
                                         bytes_text(d.memory_bytes))
                           : fmt::format("{} memory\n", bytes_text(d.memory_bytes)));
  if (!d.features.empty()) {
    out << wrapped(fmt::format("{}", fmt::join(d.features, " ")), 8, paragraph_columns(out));
  }
}

int devices(CommandSession& session) {
  for (const DeviceInfo& d : list_devices()) {
    if (!session.json) {
      print(session.out(), d);
    } else if (!d.usable) {
      write_event(session.out(), {{"event", "device"},
                                  {"device", d.id},
                                  {"usable", false},
                                  {"reason", d.reason.text()},
                                  {"lacks_libraries", d.lacks_libraries}});
    } else {
      nlohmann::ordered_json event = {{"event", "device"},
                                      {"device", d.id},
                                      {"usable", true},
                                      {"name", d.name.empty() ? "unknown processor" : d.name}};
      if (d.threads > 0) {
        event["threads"] = d.threads;
        event["features"] = d.features;
      }
      if (!d.compute_capability.empty()) {
        event["compute_capability"] = d.compute_capability;
        event["driver"] = d.driver;
      }
      event["memory_bytes"] = d.memory_bytes;
      if (d.free_bytes > 0) {
        event["free_bytes"] = d.free_bytes;
      }
      write_event(session.out(), event);
    }
  }
  session.out() << std::flush;
  return 0;
}

}  // namespace

void add_devices(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand("devices", "CPU and GPUs, and why a GPU can't be used");
  command->callback([&session, &action] { action = [&session] { return devices(session); }; });
}

}  // namespace mantissa
