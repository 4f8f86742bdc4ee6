#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "engine/cli/commands.h"
#include "engine/cli/health_text.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/record_json.h"
#include "engine/cli/run_record.h"
#include "engine/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/printable.h"
#include "engine/preset/preset_io.h"
#include "engine/store/metrics.h"
#include "engine/store/reader.h"

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
  add_runs_show(*command, session, action);
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
