#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <span>

#include "engine/cli/commands.h"
#include "engine/cli/health_text.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/record_json.h"
#include "engine/cli/runs_files.h"
#include "engine/cli/style.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/file.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "engine/run/run_folder.h"
#include "engine/store/checkpoint_choice.h"
#include "engine/store/image_influence.h"
#include "engine/store/memorising.h"
#include "engine/store/metrics.h"
#include "engine/store/reader.h"
#include "engine/store/setting_changes.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMetricRows = 40;

struct RunsOptions {
  std::string a, b, state, text;
  std::int64_t limit = 0;
  bool csv = false, health = false;
};

/// States in the database, and those of a process that trains.
const std::vector<std::string> kStates{"preparing", "training",    "pausing", "paused", "stopping",
                                       "finished",  "interrupted", "stopped", "failed"};

std::string loss_text(double loss) {
  return std::isnan(loss) ? "-" : number_text(loss);
}

int list_runs(CommandSession& session, const RunsOptions& o) {
  RunReader reader(session.context.runs_database());
  const auto runs = reader.list_runs({.state = o.state, .text = o.text, .limit = o.limit});
  Table table({"Run", "State", "Started (UTC)", "Steps", "Loss", "Validation"});
  for (const RunRow& r : runs) {
    if (session.json) {
      write_event(session.out(), run_event(r));
    }
    const auto validation = reader.validation(r.id, -1, false);
    const ValidationRow* best = best_validation(validation);
    table.add({r.id, state_text(r), time_text(r.created), std::to_string(r.steps),
               loss_text(r.last_loss), best == nullptr ? "-" : loss_text(best->loss)});
  }
  if (!session.json) {
    if (runs.empty()) {
      const bool chosen = !o.state.empty() || !o.text.empty();
      session.out() << (chosen ? "No such runs." : "No runs.") << std::endl;
    } else {
      table.print(session.out());
    }
  }
  return 0;
}

/// The run's frozen preset; one that no longer parses is shown as text.
std::optional<Preset> frozen_preset(const RunRow& run) {
  try {
    return parse_preset(run.preset_json, run.id);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// "-0.0012 ± 0.0003"; "-" without images that both validations have.
std::string change_text(const ValidationRow& before, const ValidationRow& after) {
  const PairedDifference change = change_per_100_steps(before, after);
  return change.images == 0 ? "-" : loss_text(change.mean) + " ± " + loss_text(change.error);
}

void print_validation(std::ostream& out, const std::vector<ValidationRow>& validation,
                      const std::optional<CheckpointChoice>& choice) {
  if (validation.empty()) {
    return;
  }
  const ValidationRow* best = best_validation(validation);
  out << '\n' << Styled{Style::heading, "Validation loss"} << '\n';
  Table table({"  step", "loss", "change in 100 steps", ""});
  for (std::size_t i = 0; i < validation.size(); ++i) {
    const ValidationRow& v = validation[i];
    std::string note = &v == best ? "lowest" : "";
    if (choice && choice->better_than_untrained() && choice->step == v.step) {
      note += note.empty() ? "suggested" : ", suggested";
    }
    table.add({fmt::format("  {}", v.step), loss_text(v.loss),
               i == 0 ? "" : change_text(validation[i - 1], v), note});
  }
  table.print(out);
  if (choice) {
    out << "  " << choice->text().text() << '\n';
  }
}

/// The images that stand out, and how many were measured.
void print_influence(std::ostream& out, const std::vector<ImageLossRecord>& records) {
  const auto images = image_influences(records);
  if (images.empty()) {
    return;
  }
  out << '\n'
      << Styled{Style::heading, "Training images that stand out"}
      << fmt::format("  ({} of {} measured)\n", images.size(), records.back().images);
  const auto found = outstanding(images);
  for (const ImageInfluence& image : found) {
    out << "  " << printable(image.text().text()) << '\n';
  }
  if (found.empty()) {
    out << "  none\n";
  }
}

/// Whether the samples of each step repeat training images.
void print_memorising(std::ostream& out, const std::vector<Memorising>& steps) {
  if (steps.empty()) {
    return;
  }
  out << '\n' << Styled{Style::heading, "Distance of samples to training images"} << '\n';
  Table table({"  step", "nearest: times that to validation images", "mean", ""});
  for (const Memorising& m : steps) {
    table.add({fmt::format("  {}", m.step), fmt::format("{:.2f}", m.ratio),
               fmt::format("{:.2f}", m.mean),
               m.sign() ? "a sign of memorising: " + printable(m.nearest) : ""});
  }
  table.print(out);
}

/// "optimizer.learning_rate = 0.003; 0.0025 from step 102".
void print_settings(std::ostream& out, const Preset& preset,
                    const std::vector<SettingChange>& changes) {
  for (const Setting& setting : settings()) {
    const std::string key(setting.key);
    const auto values = values_by_step(changes, key, get_setting(preset, key));
    if (values.size() == 1 && values[0].value == default_value(key)) {
      continue;
    }
    out << "  " << key << " = " << printable(values[0].value.dump());
    for (const SettingValue& later : std::span(values).subspan(1)) {
      out << "; " << printable(later.value.dump());
      if (later.from_step) {
        out << " from step " << *later.from_step;
      } else {
        out << " since it was resumed";
      }
    }
    out << '\n';
  }
}

/// The settings that were changed in mid-run, each with its values; `preset` has the last of them.
Json changed_settings_json(const Preset& preset, const std::vector<SettingChange>& changes) {
  Json list = Json::array();
  for (const Setting& setting : settings()) {
    const std::string key(setting.key);
    const auto values = values_by_step(changes, key, get_setting(preset, key));
    if (values.size() == 1) {
      continue;
    }
    Json row{{"key", key}, {"values", Json::array()}};
    for (const SettingValue& value : values) {
      row["values"].push_back({{"from_step", value.from_step ? Json(*value.from_step) : Json()},
                               {"value", value.value}});
    }
    list.push_back(std::move(row));
  }
  return list;
}

int show_run(CommandSession& session, const RunsOptions& o) {
  RunReader reader(session.context.runs_database());
  const RunRow run = find_run(reader, o.a);
  const auto checkpoints = reader.checkpoints(run.id);
  const auto samples = reader.samples(run.id);
  const auto events = reader.events(run.id);
  const auto validation = reader.validation(run.id);
  const auto choice = choose_checkpoint(validation, checkpoints);
  const auto image_losses = reader.image_losses(run.id);
  const auto memorising = memorising_by_step(samples);
  if (session.json) {
    Json event = run_event(run);
    event["preset"] = Json::parse(run.preset_json, nullptr, false);
    const auto preset = frozen_preset(run);
    event["changed_settings"] =
        preset ? changed_settings_json(*preset, setting_changes(events)) : Json::array();
    event["plan"] = Json::parse(run.plan_json, nullptr, false);
    event["checkpoints"] = record_json(checkpoints);
    event["validation"] = record_json(validation);
    event["image_losses"] = record_json(image_losses);
    event["influence"] = influence_json(image_losses);
    event["rates"] = record_json(reader.rates(run.id));
    event["pauses"] = record_json(reader.pauses(run.id));
    const ValidationRow* best = best_validation(validation);
    event["suggested_checkpoint_step"] =
        choice && choice->better_than_untrained() ? Json(choice->step) : Json();
    event["best_validation_step"] = best == nullptr ? Json() : Json(best->step);
    event["memorising"] = Json::array();
    for (const Memorising& of_step : memorising) {
      event["memorising"].push_back(memorising_json(of_step));
    }
    event["samples"] = Json::array();
    for (const SampleRow& s : samples) {
      event["samples"].push_back({{"step", s.step},
                                  {"index", s.prompt_index},
                                  {"prompt", s.prompt},
                                  {"path", s.path},
                                  {"trained_distance", s.trained_distance},
                                  {"held_out_distance", s.held_out_distance},
                                  {"nearest", s.nearest}});
    }
    for (const char* key : {"preset", "plan"}) {
      if (event[key].is_discarded()) {
        event[key] = nullptr;
      }
    }
    write_event(session.out(), event);
    return 0;
  }
  std::ostream& out = session.out();
  out << "Run       " << printable(run.id) << "\nName      " << printable(run.name)
      << "\nState     " << Styled{state_style(state_text(run)), state_text(run)} << "\nStarted   "
      << time_text(run.created) << " UTC\nBase      " << printable(run.base) << "\nFolder    "
      << printable(run.out) << "\nSteps     " << run.steps << "\nLoss      "
      << loss_text(run.last_loss) << "\n";
  if (const auto preset = frozen_preset(run)) {
    out << '\n' << Styled{Style::heading, "Settings that differ from their defaults"} << '\n';
    print_settings(out, *preset, setting_changes(events));
  }
  print_validation(out, validation, choice);
  print_memorising(out, memorising);
  print_influence(out, image_losses);
  if (!checkpoints.empty()) {
    out << '\n' << Styled{Style::heading, "Checkpoints"} << '\n';
    for (const CheckpointRow& c : checkpoints) {
      out << fmt::format("  step {}  {}  {}\n", c.step,
                         bytes_text(static_cast<std::uint64_t>(c.bytes)), printable(c.path));
    }
  }
  if (!samples.empty()) {
    out << '\n' << Styled{Style::heading, "Samples"} << '\n';
    for (const SampleRow& s : samples) {
      out << fmt::format("  step {}  {}\n", s.step, printable(s.path));
    }
  }
  print_health_summary(out, reader.health(run.id));
  out << '\n' << Styled{Style::heading, "Events"} << '\n';
  for (const EventRow& e : events) {
    if (e.level >= session.level()) {
      out << fmt::format("  {}  {}\n", time_text(e.time), printable(e.message.text()));
    }
  }
  out << std::flush;
  return 0;
}

/// Some of the steps: evenly spaced ones, the last, and all with a validation loss.
void print_metrics(std::ostream& out, const std::vector<StepRow>& steps,
                   const std::vector<ValidationRow>& validation) {
  const ValidationRow* best = best_validation(validation);
  Table table({"Step", "Loss", "Validation", "Grad norm", "LR", "Seconds", ""});
  const auto add = [&](const StepRow* s, const ValidationRow* v) {
    std::string note = v != nullptr && v == best ? "best" : "";
    if (s != nullptr && (s->skipped || s->clipped)) {
      note += note.empty() ? "" : ", ";
      note += s->skipped ? "skipped" : "clipped";
    }
    table.add({std::to_string(s != nullptr ? s->step : v->step),
               s != nullptr ? loss_text(s->loss) : "", v != nullptr ? loss_text(v->loss) : "",
               s != nullptr ? number_text(s->grad_norm) : "",
               s != nullptr ? number_text(largest_rate(*s)) : "",
               s != nullptr ? number_text(s->seconds) : "", note});
  };
  const std::size_t stride =
      std::max<std::size_t>((steps.size() + kMetricRows - 1) / kMetricRows, 1);
  auto v = validation.begin();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (; v != validation.end() && v->step < steps[i].step; ++v) {
      add(nullptr, &*v);
    }
    const bool validated = v != validation.end() && v->step == steps[i].step;
    if (validated || i % stride == 0 || i + 1 == steps.size()) {
      add(&steps[i], validated ? &*v : nullptr);
    }
    v += validated ? 1 : 0;
  }
  for (; v != validation.end(); ++v) {
    add(nullptr, &*v);
  }
  table.print(out);
  if (stride > 1) {
    out << fmt::format(
        "One of every {} of {} steps, and all with a validation loss; --csv prints "
        "each.\n",
        stride, steps.size());
  }
  out << std::flush;
}

int metrics(CommandSession& session, const RunsOptions& o) {
  if (o.csv && session.json) {
    throw Error(message<"--csv and --json are two forms of the output; give one of them">());
  }
  RunReader reader(session.context.runs_database());
  const RunRow run = find_run(reader, o.a);
  if (o.health) {
    const auto records = reader.health(run.id);
    if (session.json) {
      for (const HealthRecord& record : records) {
        write_event(session.out(), health_event(record));
      }
    } else if (o.csv) {
      print_health_csv(session.out(), records);
    } else {
      print_health_summary(session.out(), records);
    }
    return 0;
  }
  const auto steps = reader.metrics(run.id);
  const auto validation = reader.validation(run.id);
  if (o.csv) {
    session.out() << metrics_csv(steps, validation) << std::flush;
  } else if (session.json) {
    for (const StepRow& s : steps) {
      write_event(session.out(), step_event(s));
    }
    for (const ValidationRow& v : validation) {
      write_event(session.out(), validation_event(v));
    }
    for (const RunRates& rates : reader.rates(run.id)) {
      write_event(session.out(), rates_event(rates));
    }
    for (const PauseRow& pause : reader.pauses(run.id)) {
      write_event(session.out(), pause_event(pause));
    }
  } else {
    print_metrics(session.out(), steps, validation);
  }
  return 0;
}

/// "0.123 at step 400".
std::string best_text(const std::vector<ValidationRow>& validation) {
  const ValidationRow* best = best_validation(validation);
  return best == nullptr ? "-" : fmt::format("{} at step {}", loss_text(best->loss), best->step);
}

int compare(CommandSession& session, const RunsOptions& o) {
  RunReader reader(session.context.runs_database());
  const RunRow a = find_run(reader, o.a), b = find_run(reader, o.b);
  const StepFigures sum_a = step_figures(reader.metrics(a.id)),
                    sum_b = step_figures(reader.metrics(b.id));
  const auto preset_a = frozen_preset(a), preset_b = frozen_preset(b);
  const auto changes =
      preset_a && preset_b ? diff_presets(*preset_a, *preset_b) : std::vector<PresetChange>{};
  if (session.json) {
    Json differences = Json::array();
    for (const PresetChange& c : changes) {
      differences.push_back({{"key", c.key}, {"a", c.a}, {"b", c.b}});
    }
    const auto side = [](const RunRow& r, const StepFigures& s) {
      return Json{{"id", r.id},
                  {"state", state_text(r)},
                  {"steps", r.steps},
                  {"loss", s.last_tenth},
                  {"seconds", s.seconds}};
    };
    write_event(session.out(), {{"event", "comparison"},
                                {"a", side(a, sum_a)},
                                {"b", side(b, sum_b)},
                                {"differences", differences}});
    return 0;
  }
  Table table({"", a.id, b.id});
  table.add({"State", state_text(a), state_text(b)});
  table.add({"Base", printable(a.base), printable(b.base)});
  table.add({"Steps", std::to_string(a.steps), std::to_string(b.steps)});
  table.add({"Loss, last tenth", loss_text(sum_a.last_tenth), loss_text(sum_b.last_tenth)});
  const auto validation_a = reader.validation(a.id), validation_b = reader.validation(b.id);
  table.add({"Best validation loss", best_text(validation_a), best_text(validation_b)});
  table.add({"Seconds per step", loss_text(sum_a.seconds), loss_text(sum_b.seconds)});
  table.add({"Clipped steps", std::to_string(sum_a.clipped), std::to_string(sum_b.clipped)});
  table.add({"Skipped steps", std::to_string(sum_a.skipped), std::to_string(sum_b.skipped)});
  for (const PresetChange& c : changes) {
    table.add({c.key, c.a.dump(), c.b.dump()});
  }
  table.print(session.out());
  return 0;
}

}  // namespace

void add_runs(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand("runs", "List, show, compare, export and delete runs");
  command->require_subcommand(1);
  const auto o = std::make_shared<RunsOptions>();
  const auto add = [&, o](const char* name, const char* what, auto run) {
    CLI::App* sub = command->add_subcommand(name, what);
    sub->callback(
        [&session, &action, o, run] { action = [&session, o, run] { return run(session, *o); }; });
    return sub;
  };
  CLI::App* sub = add("list", "Every run, newest first", list_runs);
  sub->add_option("--state", o->state, "Only runs in this state")
      ->type_name("STATE")
      ->check(one_of(kStates));
  sub->add_option("--text", o->text, "Only runs with this in their id, name or base")
      ->type_name("TEXT");
  sub->add_option("--limit", o->limit, "At most so many")
      ->type_name("N")
      ->check(whole_number(1, 1000000));
  sub = add("show", "One run: settings, checkpoints, samples, events", show_run);
  sub->add_option("RUN", o->a, "Id, the beginning of one, or folder")->type_name("RUN")->required();
  sub = add("metrics", "Loss and the other figures by step", metrics);
  sub->add_option("RUN", o->a, "Id, the beginning of one, or folder")->type_name("RUN")->required();
  sub->add_flag("--csv", o->csv, "Every step as comma-separated values");
  sub->add_flag("--health", o->health, "The layers' numbers instead of the steps'");
  sub = add("compare", "Two runs: results and differing settings", compare);
  sub->add_option("A", o->a, "Id, the beginning of one, or folder")->type_name("RUN")->required();
  sub->add_option("B", o->b, "Id, the beginning of one, or folder")->type_name("RUN")->required();
  add_runs_export(*command, session, action);
  add_runs_delete(*command, session, action);
}

}  // namespace mantissa
