#include "gui/history/ComparedRun.h"

#include <utility>

#include "engine/store/metrics.h"
#include "gui/base/Text.h"
#include "gui/history/RunModel.h"

namespace mantissa::gui {

ComparedRun::ComparedRun(const QString& id, double smoothing) {
  detail.id = id;
  loss_smooth.set_beta(smoothing);
  grad_smooth.set_beta(smoothing);
}

ComparedRun::Change ComparedRun::take(const RunDetail& reading) {
  const bool again = std::exchange(awaited, false);
  if (again) {
    loss.clear();
    grad_norm.clear();
    clock.clear();
    detail.steps.clear();
    detail.events.clear();
  }
  Change change{.first = !here};
  const bool ended = here && detail.state != reading.state;
  const bool rated = reading.rates && (!detail.rates || detail.rates->step != reading.rates->step);
  change.curves = change.first || again || !reading.steps.empty();
  change.figures = change.first || again || ended || rated;
  change.samples = change.first || detail.samples.size() != reading.samples.size();
  change.result = change.first || again || ended || change.samples;
  add(reading);
  return change;
}

void ComparedRun::add(const RunDetail& reading) {
  for (const StepRow& s : reading.steps) {
    loss.append(s.step, s.loss);
    grad_norm.append(s.step, s.grad_norm);
    clock.append(s.step, s.seconds);
  }
  std::vector<StepRow> steps = std::move(detail.steps);
  if (!reading.steps.empty()) {
    // A run resumed from an older checkpoint is rewound first.
    std::erase_if(steps, [&](const StepRow& s) { return s.step >= reading.steps.front().step; });
    steps.insert(steps.end(), reading.steps.begin(), reading.steps.end());
  }
  std::vector<EventRow> events = std::move(detail.events);
  events.insert(events.end(), reading.events.begin(), reading.events.end());
  detail = reading;
  detail.steps = std::move(steps);
  detail.events = std::move(events);
  here = true;
  loss_smooth.update(loss);
  grad_smooth.update(grad_norm);
}

void ComparedRun::set_smoothing(double beta) {
  loss_smooth.set_beta(beta);
  grad_smooth.set_beta(beta);
  loss_smooth.update(loss);
  grad_smooth.update(grad_norm);
}

EndedRun ComparedRun::ended() const {
  EndedRun run;
  run.folder = detail.folder;
  run.title = QStringLiteral("%1 · %2").arg(label, run_state_text(detail.state.toStdString()));
  run.complete = detail.state == QLatin1String("finished");
  run.failed = detail.state == QLatin1String("failed");
  run.preset = detail.preset.value_or(Preset{});
  run.steps = detail.steps.empty() ? 0 : detail.steps.back().step;
  run.seconds = clock.total();
  run.last_tenth = step_figures(detail.steps).last_tenth;
  if (const ValidationRow* best = best_validation(detail.validation)) {
    run.best = *best;
  }
  for (const SampleRow& sample : detail.samples) {
    run.samples.push_back(
        {sample.step, sample.prompt_index, sample.prompt, to_path(to_qstring(sample.path))});
  }
  return run;
}

}  // namespace mantissa::gui
