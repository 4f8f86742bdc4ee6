#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "engine/cli/job_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/terminal_observer.h"
#include "engine/cli/text.h"
#include "engine/core/printable.h"
#include "engine/plan/fit_weights.h"
#include "engine/preset/names.h"
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
    table.add({"  " + printable(m.path), cell(100 * m.gradient_error, " %"),
               fmt::format("{:.5f}", m.gradient_cosine), cell(m.output_sqnr, " dB"),
               cell(m.weight_sqnr, " dB"), cell(100 * m.lost_update, " %")});
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
  command->callback([&session, &action, options, how, limit] {
    action = [&session, options, how, limit] {
      tell_size(session, *limit);
      return limit->bytes > 0 ? fit(session, *options, limit->bytes)
                              : probe(session, *options, *how);
    };
  });
}

}  // namespace mantissa
