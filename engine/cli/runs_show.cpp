#include <fmt/format.h>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/cli/health_text.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/record_json.h"
#include "engine/cli/run_record.h"
#include "engine/cli/style.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/core/printable.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "engine/store/checkpoint_choice.h"
#include "engine/store/image_influence.h"
#include "engine/store/memorising.h"
#include "engine/store/metrics.h"
#include "engine/store/setting_changes.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

struct ShowOptions {
  std::string run;
};

/// What is recorded of a run, apart from its steps.
struct RunRecords {
  RunRow run;
  std::vector<CheckpointRow> checkpoints;
  std::vector<SampleRow> samples;
  std::vector<EventRow> events;
  std::vector<ValidationRow> validation;
  std::optional<CheckpointChoice> choice;
  std::vector<ImageLossRecord> image_losses;
  std::vector<Memorising> memorising;
};

RunRecords read_records(RunReader& reader, const std::string& name) {
  RunRecords r{.run = find_run(reader, name)};
  r.checkpoints = reader.checkpoints(r.run.id);
  r.samples = reader.samples(r.run.id);
  r.events = reader.events(r.run.id);
  r.validation = reader.validation(r.run.id);
  r.choice = choose_checkpoint(r.validation, r.checkpoints);
  r.image_losses = reader.image_losses(r.run.id);
  r.memorising = memorising_by_step(r.samples);
  return r;
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

/// All of it as one event.
Json records_event(RunReader& reader, const RunRecords& r) {
  Json event = run_event(r.run);
  event["preset"] = Json::parse(r.run.preset_json, nullptr, false);
  const auto preset = frozen_preset(r.run);
  event["changed_settings"] =
      preset ? changed_settings_json(*preset, setting_changes(r.events)) : Json::array();
  event["plan"] = Json::parse(r.run.plan_json, nullptr, false);
  event["checkpoints"] = record_json(r.checkpoints);
  event["validation"] = record_json(r.validation);
  event["image_losses"] = record_json(r.image_losses);
  event["influence"] = influence_json(r.image_losses);
  event["rates"] = record_json(reader.rates(r.run.id));
  event["pauses"] = record_json(reader.pauses(r.run.id));
  const ValidationRow* best = best_validation(r.validation);
  event["suggested_checkpoint_step"] =
      r.choice && r.choice->better_than_untrained() ? Json(r.choice->step) : Json();
  event["best_validation_step"] = best == nullptr ? Json() : Json(best->step);
  event["memorising"] = Json::array();
  for (const Memorising& of_step : r.memorising) {
    event["memorising"].push_back(memorising_json(of_step));
  }
  event["samples"] = Json::array();
  for (const SampleRow& s : r.samples) {
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
  return event;
}

void print_records(std::ostream& out, RunReader& reader, const RunRecords& r, LogLevel level) {
  out << "Run       " << printable(r.run.id) << "\nName      " << printable(r.run.name)
      << "\nState     " << Styled{state_style(state_text(r.run)), state_text(r.run)}
      << "\nStarted   " << time_text(r.run.created) << " UTC\nBase      " << printable(r.run.base)
      << "\nFolder    " << printable(r.run.out) << "\nSteps     " << r.run.steps << "\nLoss      "
      << loss_text(r.run.last_loss) << "\n";
  if (const auto preset = frozen_preset(r.run)) {
    out << '\n' << Styled{Style::heading, "Settings that differ from their defaults"} << '\n';
    print_settings(out, *preset, setting_changes(r.events));
  }
  print_validation(out, r.validation, r.choice);
  print_memorising(out, r.memorising);
  print_influence(out, r.image_losses);
  if (!r.checkpoints.empty()) {
    out << '\n' << Styled{Style::heading, "Checkpoints"} << '\n';
    for (const CheckpointRow& c : r.checkpoints) {
      out << fmt::format("  step {}  {}  {}\n", c.step,
                         bytes_text(static_cast<std::uint64_t>(c.bytes)), printable(c.path));
    }
  }
  if (!r.samples.empty()) {
    out << '\n' << Styled{Style::heading, "Samples"} << '\n';
    for (const SampleRow& s : r.samples) {
      out << fmt::format("  step {}  {}\n", s.step, printable(s.path));
    }
  }
  print_health_summary(out, reader.health(r.run.id));
  out << '\n' << Styled{Style::heading, "Events"} << '\n';
  for (const EventRow& e : r.events) {
    if (e.level >= level) {
      out << fmt::format("  {}  {}\n", time_text(e.time), printable(e.message.text()));
    }
  }
  out << std::flush;
}

int show_run(CommandSession& session, const ShowOptions& o) {
  RunReader reader(session.context.runs_database());
  const RunRecords records = read_records(reader, o.run);
  if (session.json) {
    write_event(session.out(), records_event(reader, records));
  } else {
    print_records(session.out(), reader, records, session.level());
  }
  return 0;
}

}  // namespace

void add_runs_show(CLI::App& runs, CommandSession& session, Action& action) {
  CLI::App* command =
      runs.add_subcommand("show", "One run: settings, checkpoints, samples, events");
  const auto o = std::make_shared<ShowOptions>();
  command->add_option("RUN", o->run, "Id, the beginning of one, or folder")
      ->type_name("RUN")
      ->required();
  on_call(*command, session, action, o, show_run);
}

}  // namespace mantissa
