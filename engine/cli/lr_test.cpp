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
#include "engine/core/printable.h"
#include "engine/probe/rate_test.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownRates = 25;
constexpr double kLeastRate = 1e-12, kMostRate = 10;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json optional_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json rate_event(const RateTest& test) {
  Json points = Json::array();
  for (const RatePoint& p : test.points) {
    points.push_back({{"rate", p.rate},
                      {"loss", number(p.loss)},
                      {"start_loss", number(p.start_loss)},
                      {"smoothed", number(p.smoothed)}});
  }
  return {{"event", "lr_test"},
          {"points", std::move(points)},
          {"start_loss", number(test.start_loss)},
          {"diverged", optional_number(test.diverged)},
          {"lowest", optional_number(test.lowest)},
          {"steepest", optional_number(test.steepest)},
          {"suggestion", optional_number(test.suggestion)},
          {"verdict", test.verdict.text()},
          {"fix", Json::parse(test.fix_json)}};
}

void print_test(std::ostream& out, const RateTest& test) {
  Table table({"Learning rate", "Loss", "At the start", "Smoothed"});
  const std::size_t every = (test.points.size() + kShownRates - 1) / kShownRates;
  for (std::size_t i = 0; i < test.points.size(); i += std::max<std::size_t>(every, 1)) {
    const RatePoint& p = test.points[i];
    table.add({fmt::format("{:.1e}", p.rate), number_text(p.loss), number_text(p.start_loss),
               number_text(p.smoothed)});
  }
  table.print(out);
  if (test.diverged) {
    out << fmt::format("\nEnded at {:.1e}: the loss diverged\n", *test.diverged);
  }
  out << '\n' << wrapped(printable(test.verdict.text()), 0, paragraph_columns(out));
  if (test.suggestion) {
    out << "Fix, for the preset: " << printable(test.fix_json) << '\n';
  }
  out << std::flush;
}

int lr_test(CommandSession& session, const JobOptions& options, const RateTestOptions& how) {
  const JobSpec job = make_job(session, options);
  TerminalObserver people(session, how.steps);
  RunControl control;
  const RateTest test = run_rate_test(job, how, control, people);
  people.finish();
  if (session.json) {
    write_event(session.out(), rate_event(test));
  } else {
    print_test(session.out(), test);
  }
  return 0;
}

}  // namespace

void add_lr_test(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand(
      "lr-test", "Loss against a growing learning rate, and a suggestion; changes nothing");
  const auto options = std::make_shared<JobOptions>();
  const auto how = std::make_shared<RateTestOptions>();
  add_job_options(*command, *options, JobUse::probe);
  command->add_option("--steps", how->steps, "Steps of the test")
      ->type_name("N")
      ->check(whole_number(kLeastRateSteps, kMostRateSteps))
      ->capture_default_str();
  command->add_option("--from", how->from, "Learning rate of the first step")
      ->type_name("RATE")
      ->check(finite_range(kLeastRate, kMostRate))
      ->default_str("1e-07");
  command->add_option("--to", how->to, "Learning rate of the last step")
      ->type_name("RATE")
      ->check(finite_range(kLeastRate, kMostRate))
      ->default_str("0.1");
  command->callback([&session, &action, options, how] {
    action = [&session, options, how] { return lr_test(session, *options, *how); };
  });
}

}  // namespace mantissa
