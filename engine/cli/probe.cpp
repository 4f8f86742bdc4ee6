#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "engine/cli/job_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/style.h"
#include "engine/cli/terminal_observer.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/core/printable.h"
#include "engine/plan/fit_weights.h"
#include "engine/preset/names.h"
#include "engine/probe/precision_front.h"
#include "engine/run/plan_events.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownModules = 10;

Json probe_event(const ProbeReport& r) {
  Json modules = Json::array(), pins = Json::array();
  for (const ProbeModule& m : r.modules) {
    modules.push_back({{"module", m.path},
                       {"output_sqnr", m.output_sqnr},
                       {"weight_sqnr", m.weight_sqnr},
                       {"gradient_cosine", m.gradient_cosine},
                       {"gradient_error", m.gradient_error},
                       {"lost_update", m.lost_update}});
  }
  for (const ProbePin& p : r.pins) {
    pins.push_back({{"module", p.path},
                    {"type", enum_name(p.type)},
                    {"bytes", p.bytes},
                    {"gap_without", p.gap_without}});
  }
  Json event{{"event", "probe"},
             {"plan", r.plan},
             {"steps", r.steps},
             {"loss", r.loss},
             {"loss_fp32", r.loss_fp32},
             {"loss_gap", r.loss_gap},
             {"gradient_error", r.gradient_error},
             {"gradient_cosine", r.gradient_cosine},
             {"lost_update", r.lost_update},
             {"modules", std::move(modules)},
             {"pins", std::move(pins)},
             {"pinned_error", r.pins.empty() ? Json() : Json(r.pinned_error)},
             {"verdict", r.verdict.text()},
             {"fix", Json::parse(r.fix_json)}};
  if (r.non_finite) {
    event["non_finite"] = {{"layer", r.non_finite->layer}, {"text", r.non_finite->text().text()}};
  }
  return event;
}

std::string cell(double value, const char* unit) {
  return std::isnan(value)   ? "-"
         : std::isinf(value) ? "exact"
                             : fmt::format("{:.4g}{}", value, unit);
}

void print_report(std::ostream& out, const ProbeReport& r) {
  Table losses({"Step", "Loss", "Loss in FP32"});
  for (std::size_t i = 0; i < r.loss.size(); ++i) {
    losses.add({std::to_string(i + 1), number_text(r.loss[i]), number_text(r.loss_fp32[i])});
  }
  losses.print(out);
  const std::vector<const ProbeModule*> worst = ranked_by_damage(r);
  out << "\nModules whose gradients are furthest off\n";
  Table table({"  Module", "Gradient", "Cosine", "Output", "Weight", "Lost updates"});
  for (std::size_t i = 0; i < std::min(worst.size(), kShownModules); ++i) {
    const ProbeModule& m = *worst[i];
    table.add({"  " + printable(m.path), cell(100 * m.gradient_error, "%"),
               fmt::format("{:.5f}", m.gradient_cosine), cell(m.output_sqnr, " dB"),
               cell(m.weight_sqnr, " dB"), cell(100 * m.lost_update, "%")});
  }
  table.print(out);
  out << '\n' << printable(r.verdict.text()) << '\n';
  if (!r.pins.empty()) {
    out << "Fix, for the preset: " << printable(r.fix_json) << '\n';
  }
  out << std::flush;
}

int probe(CommandSession& session, const JobOptions& options, const ProbeOptions& how) {
  const JobSpec job = make_job(session, options);
  TerminalObserver people(session, how.steps);
  RunControl control;
  const ProbeReport report = session.context.probe(job, how, control, people);
  people.finish();
  if (session.json) {
    write_event(session.out(), probe_event(report));
  } else {
    print_report(session.out(), report);
  }
  return 0;
}

Json fit_event(const WeightFit& fit, std::uint64_t limit) {
  Json groups = Json::array();
  for (const FittedWeights& g : fit.groups) {
    groups.push_back({{"modules", g.pattern},
                      {"type", enum_name(g.type)},
                      {"sqnr", g.sqnr},
                      {"bytes", g.bytes}});
  }
  return {{"event", "fit"},
          {"limit", limit},
          {"peak_bytes", fit.peak_bytes},
          {"least_bytes", fit.least_bytes},
          {"groups", std::move(groups)},
          {"fix", Json::parse(fit.patch_json)}};
}

void print_fit(std::ostream& out, const WeightFit& fit, std::uint64_t limit) {
  Table table({"Modules", "Type", "Weight", "Memory"});
  for (const FittedWeights& g : fit.groups) {
    table.add(
        {g.pattern, std::string(enum_name(g.type)), cell(g.sqnr, " dB"), bytes_text(g.bytes)});
  }
  table.print(out);
  out << "\nPeak " << bytes_text(fit.peak_bytes) << " of " << bytes_text(limit) << "; all in NF4 "
      << bytes_text(fit.least_bytes) << "\nFix, for the preset: " << printable(fit.patch_json)
      << std::endl;
}

int fit(CommandSession& session, const JobOptions& options, std::uint64_t limit) {
  const JobSpec job = make_job(session, options);
  TerminalObserver people(session);
  PlanEvents observer(people);
  const WeightFit result = fit_job(job, limit, observer);
  people.finish();
  if (session.json) {
    write_event(session.out(), fit_event(result, limit));
  } else {
    print_fit(session.out(), result, limit);
  }
  return 0;
}

std::string layers_text(const PrecisionPoint& point) {
  std::string text;
  for (const auto& [type, count] : point.layers) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", type, count);
  }
  return text;
}

Json point_json(const PrecisionPoint& p) {
  return {{"compute", enum_name(p.compute)},
          {"layers", p.layers},
          {"peak_bytes", p.peak_bytes},
          {"step_seconds", p.step_seconds > 0 ? Json(p.step_seconds) : Json()},
          {"gradient_error", p.gradient_error},
          {"fix", Json::parse(p.patch_json)}};
}

Json front_event(const PrecisionFront& front, const PrecisionPoint* chosen) {
  Json points = Json::array(), refused = Json::array();
  for (const PrecisionPoint& p : front.points) {
    points.push_back(point_json(p));
  }
  for (const RefusedChoice& r : front.refused) {
    refused.push_back({{"compute", enum_name(r.compute)},
                       {"weights", enum_name(r.weights)},
                       {"reason", r.reason.text()}});
  }
  return {{"event", "front"},
          {"now", point_json(front.now)},
          {"points", std::move(points)},
          {"tried", front.tried},
          {"refused", std::move(refused)},
          {"chosen", chosen == nullptr ? Json() : point_json(*chosen)}};
}

void print_front(std::ostream& out, const PrecisionFront& front, const PrecisionPoint* chosen) {
  Table table({"", "Memory", "Step", "Gradients off", "Computed in", "Layers by type"});
  const auto add = [&](std::string mark, const PrecisionPoint& p) {
    table.add({std::move(mark), bytes_text(p.peak_bytes),
               p.step_seconds > 0 ? step_time_text(p.step_seconds) : "-",
               cell(100 * p.gradient_error, "%"), std::string(enum_name(p.compute)),
               layers_text(p)});
  };
  const auto is_now = [&](const PrecisionPoint& p) { return p.patch_json == front.now.patch_json; };
  if (std::ranges::none_of(front.points, is_now)) {
    add("now", front.now);
  }
  for (const PrecisionPoint& p : front.points) {
    add(std::string(&p == chosen ? "*" : "") + (is_now(p) ? "now" : ""), p);
  }
  table.print(out);
  out << fmt::format("\nOf {} choices measured, {} are beaten by no other. Steps are estimated.\n",
                     front.tried, front.points.size());
  for (const RefusedChoice& r : front.refused) {
    out << wrapped(fmt::format("Refused: {} weights computed in {}. {}", enum_name(r.weights),
                               enum_name(r.compute), printable(r.reason.text())),
                   0, paragraph_columns(out));
  }
  if (chosen != nullptr) {
    out << "Fix, for the preset: " << printable(chosen->patch_json) << '\n';
  }
  out << std::flush;
}

/// The best point within limits that were given. Throws Error if there is none.
const PrecisionPoint* chosen_point(const PrecisionFront& front, const PrecisionLimits& limits) {
  const PrecisionPoint* chosen = best_within(front, limits);
  if (chosen == nullptr && !front.points.empty()) {
    const auto fastest = std::ranges::min_element(front.points, {}, &PrecisionPoint::step_seconds);
    throw Error(
        ErrorKind::out_of_memory,
        message<"no choice of types is within these limits: the smallest takes {bytes}, "
                "the fastest {time} a step; raise --fit or --step-time, or lower "
                "data.batch_size or data.resolution">(bytes_text(front.points.front().peak_bytes),
                                                      step_time_text(fastest->step_seconds)));
  }
  return chosen;
}

int solve(CommandSession& session, const JobOptions& options, std::int64_t steps,
          const PrecisionLimits& limits) {
  const JobSpec job = make_job(session, options);
  TerminalObserver people(session, steps);
  RunControl control;
  const PrecisionFront front = solve_precision(job, steps, control, people);
  people.finish();
  const PrecisionPoint* chosen = limits.given() ? chosen_point(front, limits) : nullptr;
  if (session.json) {
    write_event(session.out(), front_event(front, chosen));
  } else {
    print_front(session.out(), front, chosen);
  }
  return 0;
}

}  // namespace

void add_probe(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand(
      "probe", "The first steps in the plan and in FP32, side by side; changes nothing");
  const auto options = std::make_shared<JobOptions>();
  const auto how = std::make_shared<ProbeOptions>();
  add_job_options(*command, *options, JobUse::probe);
  command->add_option("--steps", how->steps, "Steps on each side")
      ->type_name("N")
      ->check(whole_number(1, 1000))
      ->capture_default_str();
  command->add_option("--pins", how->pins, "Modules tried as pins at most; 0: none")
      ->type_name("N")
      ->check(whole_number(0, 100))
      ->capture_default_str();
  const auto limit = std::make_shared<SizeOption>();
  add_size(*command, "--fit", *limit,
           "Instead of training steps: choose the types of the denoiser's weights that fit this "
           "much memory (8GB, 7500MB) with the least quantisation noise, as nf4 and pins");
  const auto front = std::make_shared<bool>(false);
  const auto seconds = std::make_shared<double>(0);
  command->add_flag(
      "--front", *front,
      "Measure choices of types for the denoiser's layers, and list those that no other one beats "
      "in memory, time and error; with --fit or --step-time also the best within them");
  command
      ->add_option("--step-time", *seconds,
                   "As --front, with the best choice whose steps take this long at most")
      ->type_name("SECONDS")
      ->check(finite_range(1e-6, 1e6));
  command->callback([&session, &action, options, how, limit, front, seconds] {
    action = [&session, options, how, limit, front, seconds] {
      tell_size(session, *limit);
      if (*front || *seconds > 0) {
        PrecisionLimits limits;
        limits.bytes = limit->bytes > 0 ? limit->bytes : limits.bytes;
        limits.step_seconds = *seconds > 0 ? *seconds : limits.step_seconds;
        return solve(session, *options, how->steps, limits);
      }
      return limit->bytes > 0 ? fit(session, *options, limit->bytes)
                              : probe(session, *options, *how);
    };
  });
}

}  // namespace mantissa
