#include <fmt/format.h>
#include <memory>

#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/terminal_observer.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

/// Exit status where this version computes something else.
constexpr int kDiffers = 9;

struct VerifyOptions {
  std::string run, device;
};

std::string_view sameness_name(Sameness sameness) {
  switch (sameness) {
    case Sameness::bits:
      return "bits";
    case Sameness::rounding:
      return "rounding";
    case Sameness::different:
      return "different";
  }
  return "different";
}

Json side_json(const FirstSteps& side) {
  return {{"version", side.version},
          {"device", side.device},
          {"repeatable", side.repeatable},
          {"compute", side.compute},
          {"peak_bytes", side.peak_bytes}};
}

Json figures(const TracedStep& step) {
  return {{"loss", step.loss},
          {"grad_norm", step.grad_norm},
          {"loss_scale", step.loss_scale},
          {"skipped", step.skipped},
          {"seconds", step.seconds}};
}

Json verify_event(const VerifyReport& r) {
  const FirstStepsComparison& c = r.comparison;
  Json steps = Json::array();
  for (std::size_t i = 0; i < c.steps.size(); ++i) {
    const StepDifference& d = c.steps[i];
    steps.push_back({{"step", i + 1},
                     {"then", figures(r.then.steps[i])},
                     {"now", figures(r.now.steps[i])},
                     {"loss_difference", d.loss},
                     {"grad_norm_difference", d.grad_norm},
                     {"norm_difference", d.norm},
                     {"norm_tensor", d.tensor.empty() ? Json() : Json(d.tensor)},
                     {"first_tensor", d.first_tensor.empty() ? Json() : Json(d.first_tensor)}});
  }
  Json event{{"event", "verify"},
             {"run", r.run_id},
             {"folder", path_to_utf8(r.folder)},
             {"same", sameness_name(c.sameness)},
             {"verdict", c.verdict.text()},
             {"first_step", c.first ? Json(c.first->step) : Json()},
             {"first_tensor", c.first && !c.first->tensor.empty() ? Json(c.first->tensor) : Json()},
             {"largest_difference", c.largest},
             {"bound", c.bound},
             {"largest_norm_difference", c.largest_norm},
             {"norm_bound", c.norm_bound},
             {"then", side_json(r.then)},
             {"now", side_json(r.now)},
             {"steps", std::move(steps)}};
  return event;
}

std::string digits(double value) {
  return fmt::format("{:.7g}", value);
}

std::string milliseconds(double seconds) {
  return fmt::format("{:.4g}", 1000 * seconds);
}

std::string then_now(const std::string& then, const std::string& now) {
  return then == now ? then : then + " then, " + now + " now";
}

void print_verify(std::ostream& out, const VerifyReport& r) {
  out << "Run      " << printable(r.run_id) << "\nVersion  "
      << printable(then_now(r.then.version, r.now.version)) << "\nDevice   "
      << printable(then_now(r.then.device, r.now.device)) << "\nMemory   "
      << then_now(bytes_text(r.then.peak_bytes), bytes_text(r.now.peak_bytes)) << "\n\n";
  Table table(
      {"Step", "Loss then", "now", "Grad norm then", "now", "Norms apart", "ms then", "now"});
  for (std::size_t i = 0; i < r.comparison.steps.size(); ++i) {
    const TracedStep &then = r.then.steps[i], &now = r.now.steps[i];
    table.add({std::to_string(i + 1), digits(then.loss), digits(now.loss), digits(then.grad_norm),
               digits(now.grad_norm), number_text(r.comparison.steps[i].norm),
               milliseconds(then.seconds), milliseconds(now.seconds)});
  }
  table.print(out);
  out << '\n' << printable(r.comparison.verdict.text()) << std::endl;
}

int verify(CommandSession& session, const VerifyOptions& o) {
  TerminalObserver people(session, kTracedSteps);
  RunControl control;
  const VerifyReport report =
      session.context.verify(path_from_utf8(o.run), o.device, control, people);
  people.finish();
  if (session.json) {
    write_event(session.out(), verify_event(report));
  } else {
    print_verify(session.out(), report);
  }
  return report.comparison.sameness == Sameness::different ? kDiffers : 0;
}

}  // namespace

void add_verify(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand(
      "verify",
      "Whether this version computes what a run's version did\n"
      "Takes the run's first steps again, on the same inputs, and compares losses, gradient norms "
      "and every trained tensor with the trace that the run keeps. The run is not changed. Exit "
      "status 9 if something is different.");
  const auto o = std::make_shared<VerifyOptions>();
  command->add_option("RUN", o->run, "Id, the beginning of one, or folder")
      ->type_name("RUN")
      ->required();
  command->add_option("--device", o->device, "Another device than the run's: cpu, cuda:0")
      ->type_name("DEVICE");
  on_call(*command, session, action, o, verify);
}

}  // namespace mantissa
