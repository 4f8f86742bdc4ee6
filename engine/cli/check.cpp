#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numeric>

#include "engine/cli/check_capabilities.h"
#include "engine/cli/check_text.h"
#include "engine/cli/duplicates_text.h"
#include "engine/cli/job_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/split_text.h"
#include "engine/cli/style.h"
#include "engine/cli/terminal_observer.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/file.h"
#include "engine/io/overwrite.h"
#include "engine/plan/card_split.h"
#include "engine/plan/draft_plan.h"
#include "engine/plan/job_paths.h"
#include "engine/precision/catalogue.h"
#include "engine/precision/run_findings.h"
#include "engine/preflight/job_problems.h"
#include "engine/preflight/preflight.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

struct CheckOptions {
  JobOptions job;
  bool explain = false, catalogue = false, capabilities = false, duplicates = false, quick = false;
  std::string fixes_file;  ///< output file of the corrected preset
  std::vector<std::string> cards;
};

/// How the run would be split over cards that need not be there.
void report_split(CommandSession& session, const JobSpec& job,
                  const std::vector<std::string>& cards) {
  std::vector<const CardSpec*> models;
  for (const std::string& card : cards) {
    models.push_back(&card_by_id(card));
  }
  const CardSplit split = split_over_cards(job, models);
  if (session.json) {
    write_event(session.out(), split_event(split));
  } else {
    print_split(session.out(), split);
  }
}

void explain_settings(std::ostream& out, const Preset& preset) {
  out << '\n' << Styled{Style::heading, "Settings that differ from their defaults"} << '\n';
  for (const Setting& s : settings()) {
    if (s.group != Group::about && !is_default(preset, s.key)) {
      out << fmt::format("  {} = {} (default {}){}\n", s.key,
                         printable(get_setting(preset, s.key).dump()), default_value(s.key).dump(),
                         applies(preset, s) ? "" : ", without effect here")
          << wrapped(s.help, 4, paragraph_columns(out));
    }
  }
}

void print_data(std::ostream& out, const PlannedData& data) {
  out << '\n' << Styled{Style::heading, "Images"} << '\n';
  Table table({"  what", "images"});
  table.add({"  trained on", std::to_string(data.images)});
  for (const auto& [what, count] :
       {std::pair{"  for prior preservation", data.prior},
        std::pair{"  for validation", data.held_out}, std::pair{"  with a mask", data.masks},
        std::pair{"  with references", data.references},
        std::pair{"  files skipped", data.skipped}}) {
    if (count > 0) {
      table.add({what, std::to_string(count)});
    }
  }
  table.add({"  batches per epoch", std::to_string(data.batches_per_epoch)});
  table.print(out);
  if (!data.copies.empty()) {
    out << wrapped(data.copies.text(), 2, paragraph_columns(out));
  }
}

/// The real sizes of the images, by resolution.
void print_sizes(std::ostream& out, const std::vector<ResolutionUse>& uses) {
  out << '\n' << Styled{Style::heading, "Sizes"} << '\n';
  Table table({"  resolution", "size", "images"});
  for (const ResolutionUse& use : uses) {
    std::string resolution = fmt::format("  {}", use.resolution);
    for (const auto& [size, images] : use.sizes) {
      table.add({std::exchange(resolution, {}), bucket_text(size), std::to_string(images)});
    }
  }
  table.print(out);
}

void print_memory(std::ostream& out, const PlanReport& plan) {
  out << '\n' << Styled{Style::heading, "Memory"} << '\n';
  Table memory({"  what", "bytes"});
  memory.add({"  weights", bytes_text(plan.weight_bytes)});
  memory.add({"  adapter, gradients and optimizer", bytes_text(plan.adapter_bytes)});
  memory.add({"  activations (exact)", bytes_text(plan.arena_bytes)});
  if (plan.streamed_bytes > 0) {
    memory.add({"  weights in host memory, not counted", bytes_text(plan.streamed_bytes)});
  }
  memory.add({"  needed in all", bytes_text(plan.peak_bytes)});
  memory.add({"  free", bytes_text(plan.free_bytes)});
  memory.print(out);
  out << "  All of it is taken before the first step, nothing later.\n";
}

/// An estimate, by a card's known rates or those measured of this processor.
void print_time(std::ostream& out, const PlanReport& plan) {
  out << '\n'
      << Styled{Style::heading, "Time (estimated)"}
      << fmt::format("\n  about {} a step", step_time_text(plan.step_seconds));
  if (plan.length.steps > 0) {
    out << fmt::format(", {} for {}", duration_text(plan.run_seconds()),
                       counted(plan.length.steps, "step"));
  }
  out << '\n';
}

/// What a training would log about its files before its first step.
void print_notices(std::ostream& out, const std::vector<PlanNotice>& notices) {
  if (!notices.empty()) {
    out << '\n' << Styled{Style::heading, "Notices"} << '\n';
  }
  for (const PlanNotice& notice : notices) {
    out << wrapped(notice.text.text(), 2, paragraph_columns(out));
  }
}

void print_length(std::ostream& out, const RunLength& length) {
  out << '\n' << Styled{Style::heading, "Length"} << '\n';
  if (length.steps == 0) {
    out << "  by epochs: with --images, their steps are shown\n";
  } else if (length.batches_per_epoch == 0) {
    out << fmt::format("  {}\n", counted(length.steps, "step"));
  } else {
    const std::string epochs = number_text(length.epochs_after(length.steps));
    out << fmt::format("  {}, {} {}\n", counted(length.steps, "step"), epochs,
                       epochs == "1" ? "epoch" : "epochs");
  }
}

/// In tenths, as bars.
void print_levels(std::ostream& out, const std::vector<double>& levels) {
  out << "\nTrained noise levels, from the image (0) to noise (1)\n";
  constexpr std::size_t kRows = 10;
  const std::size_t each = levels.size() / kRows;
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto first = levels.begin() + static_cast<std::ptrdiff_t>(row * each);
    const double share = std::accumulate(first, first + static_cast<std::ptrdiff_t>(each), 0.0) /
                         static_cast<double>(levels.size());
    out << fmt::format("  {:.1f} {:5.1f}%  {}\n", static_cast<double>(row) / kRows, 100 * share,
                       std::string(static_cast<std::size_t>(std::lround(100 * share)), '#'));
  }
}

void print_plan(std::ostream& out, const PlanReport& plan, bool explain) {
  print_precision(out, plan);
  if (plan.peak_bytes > 0) {
    print_memory(out, plan);
  }
  if (plan.step_seconds > 0) {
    print_time(out, plan);
  }
  if (plan.data) {
    print_data(out, *plan.data);
    print_sizes(out, plan.data->resolutions);
  }
  print_notices(out, plan.notices);
  if (plan.peak_bytes > 0) {
    print_length(out, plan.length);
  }
  if (explain && !plan.levels.empty()) {
    print_levels(out, plan.levels);
  }
  print_findings(out, plan, explain);
}

void require_passing(const PlanReport& plan) {
  if (const Finding* refused = first_refusal(plan)) {
    const ErrorKind kind = refusal_kind(*refused);
    if (kind != ErrorKind::precision) {
      // In the words of a training, which has no list of findings.
      throw Error(kind, refused->message, kind == ErrorKind::input ? "" : refused->id);
    }
    throw finding_error(kind, {refused->id, Verdict::refused, refused->fields, refused->message,
                               refused->fix_json});
  }
}

nlohmann::ordered_json modules_event(const std::vector<PlannedModule>& modules) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PlannedModule& m : modules) {
    list.push_back({{"path", m.path},
                    {"kind", m.kind},
                    {"storage", m.storage},
                    {"compute", m.compute},
                    {"reason", m.reason.text()}});
  }
  return {{"event", "modules"}, {"modules", std::move(list)}};
}

/// Writes the preset with all fixes applied.
int apply_fixes(CommandSession& session, const CheckOptions& options) {
  const std::filesystem::path file = path_from_utf8(options.fixes_file);
  require_output(file, OutputKind::file, options.job.overwrite);
  const JobSpec job = make_job(session, options.job);
  const FixedPreset fixed = with_safe_fixes(session.context.plan, job);
  require_passing(fixed.report);
  atomic_write(file, to_json(fixed.preset));
  const auto changes = diff_presets(job.preset, fixed.preset);
  if (session.json) {
    write_event(session.out(), plan_event(fixed.report));
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const PresetChange& c : changes) {
      list.push_back({{"key", c.key}, {"a", c.a}, {"b", c.b}});
    }
    write_event(session.out(),
                {{"event", "preset"}, {"path", path_to_utf8(file)}, {"changes", std::move(list)}});
    return 0;
  }
  session.out() << fmt::format(
      "Wrote {}: {} changed\n", printable(options.fixes_file),
      changes.size() == 1 ? "1 setting" : fmt::format("{} settings", changes.size()));
  Table table({"  Setting", "Before", "Now"});
  for (const PresetChange& c : changes) {
    table.add({"  " + c.key, c.a.dump(), c.b.dump()});
  }
  if (!changes.empty()) {
    table.print(session.out());
  }
  session.out() << std::flush;
  return 0;
}

/// With a bar on the terminal while weights and images are read; what is printed stays clean.
PlanReport read_and_plan(CommandSession& session, const JobSpec& job) {
  const CliContext& context = session.context;
  if (!context.err_is_terminal) {
    return context.dry_run(job, {});
  }
  TerminalObserver people({.out = &session.err(),
                           .is_terminal = true,
                           .unicode = context.unicode,
                           .log_level = session.level(),
                           .columns = context.columns,
                           .seconds = context.seconds});
  return context.dry_run(job, [&](RunPhase phase, std::int64_t done, std::int64_t total) {
    people.on_progress(phase, done, total);
  });
}

/// What a check left out, in words.
void print_left_out(std::ostream& out, bool alone, bool quick) {
  std::string text;
  if (alone) {
    text =
        "Only the preset and the base model were checked: without --images nothing is known of "
        "the images, and a training would not start.";
  }
  if (quick) {
    text += text.empty() ? "" : " ";
    text += alone ? "The base model's weights were not read (--quick)."
                  : "The base model's weights were not read, the images not decoded and a resumed "
                    "run's files not compared (--quick).";
  }
  if (!text.empty()) {
    out << '\n' << wrapped(text, 0, paragraph_columns(out));
  }
}

int check(CommandSession& session, const CheckOptions& options) {
  if (options.catalogue) {
    session.out() << catalogue_markdown() << std::flush;
    return 0;
  }
  if (options.capabilities) {
    return print_capabilities(session);
  }
  if (!options.fixes_file.empty()) {
    return apply_fixes(session, options);
  }
  const JobSpec job = make_job(session, options.job);
  const bool alone = is_preset_alone(job);
  const PlanReport plan = options.quick ? session.context.plan(job) : read_and_plan(session, job);
  if (session.json) {
    nlohmann::ordered_json event = plan_event(plan);
    event["checked"] = {{"images", !alone}, {"contents", !options.quick}};
    write_event(session.out(), event);
    if (options.explain) {
      write_event(session.out(), modules_event(plan.modules));
    }
  } else {
    print_plan(session.out(), plan, options.explain);
    if (options.explain) {
      explain_settings(session.out(), job.preset);
      print_modules(session.out(), plan.modules);
    }
    print_left_out(session.out(), alone, options.quick);
    session.out() << std::flush;
  }
  if (!options.cards.empty()) {
    report_split(session, job, options.cards);
  }
  if (options.duplicates) {
    report_duplicates(session, job);
  }
  try {
    require_passing(plan);
  } catch (const Error& refusal) {
    if (!session.json && session.context.one_stream) {
      session.told = refusal.what();  // whoever reads the error has just read the finding
    }
    throw;
  }
  return 0;
}

/// An option that prints one thing in place of everything else.
void exclude_others(CLI::App& command, CLI::Option* alone) {
  for (CLI::Option* other : command.get_options()) {
    if (other != alone && other != command.get_help_ptr()) {
      alone->excludes(other);
    }
  }
}

}  // namespace

void add_check(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command =
      app.add_subcommand("check",
                         "The dry run of train: precision plan, memory need and findings; trains "
                         "nothing\nIt reads the base model's weights and decodes the images that "
                         "aren't cached, and tells and refuses what train would before its first "
                         "step, with the same exit status. Without --images, --out or another file "
                         "of a run it checks the preset and the base model alone.");
  const auto options = std::make_shared<CheckOptions>();
  add_job_options(*command, options->job, JobUse::check);
  command->add_flag("--explain", options->explain,
                    "Also say what each changed setting means, what just works, and every "
                    "module's types");
  command->add_flag("--quick", options->quick,
                    "Read headers alone: leaves out the base model's weights, the content of the "
                    "images and the comparison of a resumed run's files");
  command
      ->add_option("--apply-fixes", options->fixes_file,
                   "Write the preset with the fixes of everything refused and adjusted")
      ->type_name("FILE");
  command->add_flag("--duplicates", options->duplicates,
                    "Also decode and compare the images: lists those that are alike (re-encoded, "
                    "resized, slightly cropped, brighter or darker, mirrored)");
  command
      ->add_option("--cards", options->cards,
                   "Also plan the run with its layers split over these cards, such as 4070,4070, "
                   "which need not be there; models as in bench --card")
      ->type_name("MODELS")
      ->delimiter(',')
      ->allow_extra_args(false);
  CLI::Option* catalogue =
      command->add_flag("--catalogue", options->catalogue,
                        "Print the reference of all precision conflicts as Markdown");
  CLI::Option* capabilities = command->add_flag(
      "--capabilities", options->capabilities,
      "Print which model families, methods, precisions and devices train together, as Markdown; "
      "with --json every combination");
  exclude_others(*command, catalogue);
  exclude_others(*command, capabilities);
  for (const char* unused : {"--explain", "--quick", "--duplicates", "--cards"}) {
    command->get_option("--apply-fixes")->excludes(unused);
  }
  on_call(*command, session, action, options, check);
}

}  // namespace mantissa
