#include "engine/plan/devices.h"

#include <fmt/format.h>
#include <memory>

#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/style.h"
#include "engine/cli/text.h"
#include "engine/cli/version.h"
#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/core/printable.h"
#include "engine/plan/device_test.h"

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
  if (d.display) {
    out << "        draws the screen\n";
  }
  if (d.compiles) {
    out << wrapped(
        "the driver compiles the CUDA library's code for this card at the first start, "
        "which takes minutes",
        8, paragraph_columns(out));
  }
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
        event["display"] = d.display;
        event["compiles"] = d.compiles;
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

nlohmann::ordered_json test_event(const DeviceTest& test) {
  const DeviceInfo& d = test.device;
  nlohmann::ordered_json event = {{"event", "device_test"}, {"device", d.id}};
  if (!test.tested()) {
    event["tested"] = false;
    event["reason"] = d.reason.text();
    return event;
  }
  event["tested"] = true;
  event["passed"] = test.passed();
  event["name"] = d.name;
  if (!d.compute_capability.empty()) {
    event["driver"] = d.driver;
    event["libraries"] = d.libraries;
    event["compute_capability"] = d.compute_capability;
    event["compiled_for"] = d.capabilities;
    event["pinned_bytes_per_second"] = test.pinned_rate;
    event["pageable_bytes_per_second"] = test.pageable_rate;
    event["pinned_limit_bytes"] = test.pinned_limit;
    event["products"] = nlohmann::ordered_json::array();
    for (const ProductRate& rate : test.products) {
      event["products"].push_back({{"codes", rate.codes},
                                   {"our_operations_per_second", rate.ours},
                                   {"library_operations_per_second", rate.library}});
    }
  }
  event["memory_bytes"] = d.memory_bytes;
  event["free_bytes"] = test.free_bytes;
  event["checks"] = nlohmann::ordered_json::array();
  for (const KernelCheck& check : test.checks) {
    nlohmann::ordered_json& row = event["checks"].emplace_back();
    row = {{"name", check.name}, {"passed", check.passed()}};
    if (check.failure.empty()) {
      row["error"] = check.error;
      row["bound"] = check.bound;
    } else {
      row["failure"] = check.failure;
    }
  }
  event["notices"] = test.notices;
  if (!test.failure.empty()) {
    event["failure"] = test.failure;
  }
  return event;
}

int test(CommandSession& session) {
  if (!session.json) {
    session.out() << version_text() << '\n';
  }
  bool passed = true;
  for (const DeviceInfo& device : list_devices()) {
    const DeviceTest result = test_device(device);
    passed = passed && result.passed();
    if (session.json) {
      write_event(session.out(), test_event(result));
    } else {
      session.out() << device_test_text(result);
    }
    session.out() << std::flush;
  }
  return passed ? 0 : exit_code(ErrorKind::internal);
}

}  // namespace

void add_devices(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand("devices", "CPU and GPUs, and why a GPU can't be used");
  const auto tests = std::make_shared<bool>(false);
  command->add_flag("--test", *tests,
                    "Test each: calculations beside the CPU's, copies and memory, for a report; "
                    "the exit status is 1 if one fails");
  command->callback([&session, &action, tests] {
    action = [&session, tests] { return *tests ? test(session) : devices(session); };
  });
}

}  // namespace mantissa
