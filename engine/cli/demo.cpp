#include <fmt/format.h>
#include <memory>

#include "engine/cli/job_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/runner.h"
#include "engine/cli/sample_sheet.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/core/shell_words.h"
#include "engine/preset/family_table.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/preset_library.h"

namespace mantissa {
namespace {

/// Families with a tiny model that ships with the program; the first is the default.
std::vector<std::string> demo_families() {
  std::vector<std::string> names;
  for (const FamilyRow* row : family_rows()) {
    if (!row->demo.name.empty()) {
      names.emplace_back(row->id.name());
    }
  }
  return names;
}

struct DemoOptions {
  std::string family = demo_families().front(), out;
  std::vector<std::string> set;
  bool overwrite = false;
};

int demo(CommandSession& session, const DemoOptions& o) {
  JobSpec job;
  const std::string name(find_family_row(o.family)->demo.name);
  job.preset = PresetLibrary(session.context.presets_folder()).load(name);
  for (const std::string& assignment : o.set) {
    apply_set(job.preset, assignment);
  }
  job.base = name;
  job.images = {"demo"};
  job.out = path_from_utf8(o.out);
  job.overwrite = o.overwrite;
  const RunRecord record = run_job(session, job);
  const RunResult& r = record.result;
  const std::filesystem::path sheet = r.folder / "before-after.png";
  const bool has_sheet = write_sample_sheet(sheet, record.samples);
  if (session.json) {
    auto event = done_event(r);
    event["first_loss"] = record.first_loss();
    event["last_loss"] = record.last_loss();
    if (has_sheet) {
      event["sheet"] = path_to_utf8(sheet);
    }
    write_event(session.out(), event);
  }
  const std::string prompt =
      job.preset.samples.prompts.empty() ? "an image" : job.preset.samples.prompts.front().prompt;
  std::ostream& out = session.people();
  out << fmt::format("\nThe demo is done: {}.\n", counted(r.steps, "step"));
  out << "  Adapter:  " << printable_path(r.adapter) << '\n';
  if (has_sheet) {
    out << "  Images: " << printable_path(sheet) << "  (left before, right after training)\n";
  }
  out << fmt::format("  Loss:     {} -> {}  (means of the first and the last tenth)\n",
                     number_text(record.first_loss()), number_text(record.last_loss()));
  out << "  Run:      " << r.run_id << "  (`mantissa runs show " << r.run_id << "`)\n";
  out << "Use the adapter:\n  "
      << shell_command({"mantissa", "sample", "--base", name, "--lora", printable_path(r.adapter),
                        "--prompt", printable(prompt), "--width", "128", "--height", "128", "--out",
                        "image.png"})
      << '\n';
  out << std::flush;
  return 0;
}

}  // namespace

void add_demo(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command =
      app.add_subcommand("demo", "Train the built-in demo end to end on this machine");
  const auto o = std::make_shared<DemoOptions>();
  command->add_option("--family", o->family, "Family of the tiny model that is trained on")
      ->type_name("FAMILY")
      ->check(one_of(demo_families()))
      ->capture_default_str();
  command->add_option("--out", o->out, "Folder of the run; without it, one in the data folder")
      ->type_name("DIR");
  add_set_option(*command, o->set);
  add_overwrite(*command, o->overwrite);
  on_call(*command, session, action, o, demo);
}

}  // namespace mantissa
