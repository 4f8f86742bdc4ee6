#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "engine/cli/commands.h"
#include "engine/cli/health_text.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/file.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "engine/store/metrics.h"
#include "engine/store/reader.h"
#include "engine/train/run_folder.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMetricRows = 40;

struct RunsOptions {
  std::string a, b, state, text;
  std::int64_t limit = 0;
  bool csv = false, health = false;
};

std::string state_text(const RunRow& run) {
  return current_state(run.state, run.lock);
}

Json run_event(const RunRow& r) {
  return {{"event", "run"},          {"id", r.id},
          {"name", r.name},          {"state", state_text(r)},
          {"created", r.created},    {"finished", r.finished},
          {"base", r.base},          {"folder", r.out},
          {"seed", r.seed},          {"steps", r.steps},
          {"last_loss", r.last_loss}};
}

/// By id, id prefix, or the run's folder.
RunRow find_run(RunReader& reader, const std::string& name) {
  std::error_code error;
  const std::filesystem::path folder = path_from_utf8(name);
  const bool is_folder = std::filesystem::is_regular_file(folder / "job.json", error);
  const std::string id = is_folder ? RunFolder::open(folder).id() : name;
  if (auto run = reader.run(id)) {
    return *std::move(run);
  }
  throw Error(
      message<"{run}: no such run; `mantissa runs list` shows the ids, of which a unique beginning "
              "is enough">(printable(name)));
}

std::string loss_text(double loss) {
  return std::isnan(loss) ? "-" : number_text(loss);
}

int list_runs(CommandSession& session, const RunsOptions& o) {
  RunReader reader(session.context.runs_database());
  const auto runs = reader.list_runs({.state = o.state, .text = o.text, .limit = o.limit});
  Table table({"Run", "State", "Started (UTC)", "Steps", "Loss"});
  for (const RunRow& r : runs) {
    if (session.json) {
      write_event(session.out(), run_event(r));
    }
    table.add({r.id, state_text(r), time_text(r.created), std::to_string(r.steps),
               loss_text(r.last_loss)});
  }
  if (!session.json) {
    if (runs.empty()) {
      session.out() << "No runs." << std::endl;
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

int show_run(CommandSession& session, const RunsOptions& o) {
  RunReader reader(session.context.runs_database());
  const RunRow run = find_run(reader, o.a);
  const auto checkpoints = reader.checkpoints(run.id);
  const auto samples = reader.samples(run.id);
  const auto events = reader.events(run.id);
  const auto validation = reader.validation(run.id);
  if (session.json) {
    Json event = run_event(run);
    event["preset"] = Json::parse(run.preset_json, nullptr, false);
    event["plan"] = Json::parse(run.plan_json, nullptr, false);
    event["checkpoints"] = Json::array();
    for (const CheckpointRow& c : checkpoints) {
      event["checkpoints"].push_back({{"step", c.step}, {"path", c.path}, {"bytes", c.bytes}});
    }
    event["validation"] = Json::array();
    for (const ValidationRow& v : validation) {
      event["validation"].push_back(
          {{"step", v.step}, {"loss", v.loss}, {"pictures", v.images}, {"seconds", v.seconds}});
    }
    event["samples"] = Json::array();
    for (const SampleRow& s : samples) {
      event["samples"].push_back(
          {{"step", s.step}, {"index", s.prompt_index}, {"prompt", s.prompt}, {"path", s.path}});
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
  out << "Run       " << printable(run.id) << "\nState     " << state_text(run) << "\nStarted   "
      << time_text(run.created) << " UTC\nBase      " << printable(run.base) << "\nFolder    "
      << printable(run.out) << "\nSteps     " << run.steps << "\nLoss      "
      << loss_text(run.last_loss) << "\n";
  if (const auto preset = frozen_preset(run)) {
    out << "\nSettings that differ from their defaults\n";
    for (const PresetChange& c : diff_presets(Preset{}, *preset)) {
      out << "  " << c.key << " = " << printable(c.b.dump()) << '\n';
    }
  }
  if (!validation.empty()) {
    out << "\nLoss on held-out images\n";
    for (const ValidationRow& v : validation) {
      out << fmt::format("  step {}  {}\n", v.step, loss_text(v.loss));
    }
  }
  if (!checkpoints.empty()) {
    out << "\nCheckpoints\n";
    for (const CheckpointRow& c : checkpoints) {
      out << fmt::format("  step {}  {}  {}\n", c.step,
                         bytes_text(static_cast<std::uint64_t>(c.bytes)), printable(c.path));
    }
  }
  if (!samples.empty()) {
    out << "\nSamples\n";
    for (const SampleRow& s : samples) {
      out << fmt::format("  step {}  {}\n", s.step, printable(s.path));
    }
  }
  print_health_summary(out, reader.health(run.id));
  out << "\nEvents\n";
  for (const EventRow& e : events) {
    if (e.level >= session.level()) {
      out << fmt::format("  {}  {}\n", time_text(e.time), printable(e.message.text()));
    }
  }
  out << std::flush;
  return 0;
}

int metrics(CommandSession& session, const RunsOptions& o) {
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
  if (o.csv) {
    session.out() << metrics_csv(steps) << std::flush;
    return 0;
  }
  if (session.json) {
    for (const StepRow& s : steps) {
      write_event(session.out(), step_event(s));
    }
    return 0;
  }
  Table table({"Step", "Loss", "Grad norm", "LR", "Seconds", ""});
  const std::size_t stride = (steps.size() + kMetricRows - 1) / kMetricRows;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i % stride == 0 || i + 1 == steps.size()) {
      const StepRow& s = steps[i];
      table.add({std::to_string(s.step), loss_text(s.loss), number_text(s.grad_norm),
                 number_text(largest_rate(s)), number_text(s.seconds),
                 s.skipped   ? "skipped"
                 : s.clipped ? "clipped"
                             : ""});
    }
  }
  table.print(session.out());
  if (stride > 1) {
    session.out() << "Every " << stride << "th of " << steps.size()
                  << " steps; --csv prints them all." << std::endl;
  }
  return 0;
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
  table.add({"Seconds a step", loss_text(sum_a.seconds), loss_text(sum_b.seconds)});
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
  CLI::App* command = app.add_subcommand("runs", "List and show past and current runs");
  command->require_subcommand(1);
  const auto o = std::make_shared<RunsOptions>();
  const auto add = [&, o](const char* name, const char* what, auto run) {
    CLI::App* sub = command->add_subcommand(name, what);
    sub->callback(
        [&session, &action, o, run] { action = [&session, o, run] { return run(session, *o); }; });
    return sub;
  };
  CLI::App* sub = add("list", "Every run, newest first", list_runs);
  sub->add_option("--state", o->state, "Only runs in this state")->type_name("STATE");
  sub->add_option("--text", o->text, "Only runs with this in their id, name or base")
      ->type_name("TEXT");
  sub->add_option("--limit", o->limit, "At most so many")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000000}));
  sub = add("show", "One run: settings, checkpoints, samples, events", show_run);
  sub->add_option("RUN", o->a, "Id, the beginning of one, or folder")->required();
  sub = add("metrics", "Loss and the other figures by step", metrics);
  sub->add_option("RUN", o->a, "Id, the beginning of one, or folder")->required();
  sub->add_flag("--csv", o->csv, "Every step as comma-separated values");
  sub->add_flag("--health", o->health, "The layers' numbers instead of the steps'");
  sub = add("compare", "Two runs: results and differing settings", compare);
  sub->add_option("A", o->a, "Id, the beginning of one, or folder")->required();
  sub->add_option("B", o->b, "Id, the beginning of one, or folder")->required();
}

}  // namespace mantissa
