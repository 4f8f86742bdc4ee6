// defines: add_check

#include <fmt/format.h>
#include <memory>

#include "engine/cli/job_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/text.h"
#include "engine/core/error.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

/// {"weights":{"unet":"fp32"}} as rows "weights.unet", "fp32".
void flatten(const nlohmann::ordered_json& value, const std::string& name, Table& table) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      flatten(member, name.empty() ? key : name + "." + key, table);
    }
    return;
  }
  table.add({name, value.is_string() ? value.get<std::string>() : value.dump()});
}

void explain(std::ostream& out, const Preset& preset) {
  out << "\nSettings that differ from their defaults\n";
  for (const Setting& s : settings()) {
    if (s.group != Group::about && !is_default(preset, s.key)) {
      out << fmt::format("  {} = {} (default {}){}\n    {}\n", s.key,
                         get_setting(preset, s.key).dump(), default_value(s.key).dump(),
                         applies(preset, s) ? "" : ", without effect here", s.help);
    }
  }
}

void print_finding(std::ostream& out, const Finding& f, bool with_help) {
  out << fmt::format("  {} {}: {}\n", f.id, f.verdict, f.message);
  if (!f.fix_json.empty() && f.fix_json != "{}") {
    out << "     fix: " << f.fix_json << '\n';
  }
  for (const std::string& field : f.fields) {
    const Setting* setting = with_help ? find_setting(field) : nullptr;
    if (setting != nullptr) {
      out << fmt::format("     {}: {}\n", field, setting->help);
    }
  }
}

void print_plan(std::ostream& out, const PlanReport& plan, bool with_help) {
  out << "Precision\n";
  Table rows({"  part", "type"});
  const auto json = plan_event(plan)["precision"];
  for (const auto& [key, member] : json.items()) {
    flatten(member, "  " + key, rows);
  }
  rows.print(out);
  out << "\nMemory\n";
  Table memory({"  what", "bytes"});
  memory.add({"  weights", bytes_text(plan.weight_bytes)});
  memory.add({"  adapter, gradients and optimizer", bytes_text(plan.adapter_bytes)});
  memory.add({"  activations (exact)", bytes_text(plan.arena_bytes)});
  memory.add({"  needed in all", bytes_text(plan.peak_bytes)});
  memory.add({"  free", bytes_text(plan.free_bytes)});
  memory.print(out);
  out << "\nFindings\n";
  if (plan.findings.empty()) {
    out << "  none\n";
  }
  for (const Finding& f : plan.findings) {
    print_finding(out, f, with_help);
  }
}

int check(Session& session, const JobOptions& options, bool with_help) {
  const JobSpec job = make_job(session, options);
  const PlanReport plan = session.context.plan(job);
  if (session.json) {
    write_event(session.out(), plan_event(plan));
  } else {
    print_plan(session.out(), plan, with_help);
    if (with_help) {
      explain(session.out(), job.preset);
    }
    session.out() << std::flush;
  }
  for (const Finding& f : plan.findings) {
    if (f.verdict == "refused") {
      throw Error(ErrorKind::precision, fmt::format("{}: {} Fix: {}", f.id, f.message, f.fix_json),
                  f.id);
    }
  }
  if (plan.free_bytes > 0 && plan.peak_bytes > plan.free_bytes) {
    throw Error(ErrorKind::out_of_memory,
                fmt::format("this run needs {} and {} are free; lower data.batch_size or "
                            "data.resolution, or turn training.gradient_checkpointing on",
                            bytes_text(plan.peak_bytes), bytes_text(plan.free_bytes)));
  }
  return 0;
}

}  // namespace

void add_check(CLI::App& app, Session& session, Action& action) {
  CLI::App* command =
      app.add_subcommand("check", "Show precision plan, memory need and findings; trains nothing");
  const auto options = std::make_shared<JobOptions>();
  const auto with_help = std::make_shared<bool>(false);
  add_job_options(*command, *options);
  command->add_flag("--explain", *with_help, "Also say what each changed setting means");
  command->callback([&session, &action, options, with_help] {
    action = [&session, options, with_help] { return check(session, *options, *with_help); };
  });
}

}  // namespace mantissa
