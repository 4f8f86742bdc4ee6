#include "gui/run/SideRuns.h"

#include <algorithm>

#include "engine/plan/run_length.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr int kLookMs = 250;

}  // namespace

SideRuns::SideRuns(Runner runner, QObject* parent) : QObject(parent), runner_(std::move(runner)) {
  timer_.setInterval(kLookMs);
  connect(&timer_, &QTimer::timeout, this, &SideRuns::look);
}

SideRuns::~SideRuns() {
  for (const Run& run : runs_) {
    run.engine->disconnect();
  }
}

int SideRuns::start(const JobSpec& job) {
  const int number = ++last_;
  Run& run = runs_.emplace_back();
  run.number = number;
  run.steps = run_length(job.preset, 0).steps;
  run.engine = std::make_unique<EngineClient>(runner_, nullptr);
  EngineClient* engine = run.engine.get();
  connect(engine, &EngineClient::planned, this, [this, number](const PlanReport& report) {
    const auto it = std::ranges::find(runs_, number, &Run::number);
    if (it != runs_.end() && report.length.steps > 0) {
      it->steps = report.length.steps;
      it->batches_per_epoch = report.length.batches_per_epoch;
    }
  });
  connect(engine, &EngineClient::settings_changed, this, [this, number](const Preset& preset) {
    const auto it = std::ranges::find(runs_, number, &Run::number);
    if (it == runs_.end()) {
      return;
    }
    if (const RunLength length = run_length(preset, it->batches_per_epoch); length.steps > 0) {
      it->steps = length.steps;
      emit advanced(number);
    }
  });
  connect(engine, &EngineClient::state_changed, this, [this, number] { emit advanced(number); });
  // Its sender still has to return from the signal.
  connect(
      engine, &EngineClient::ended, this,
      [this, number](const RunEnd& end) { finish(number, end); }, Qt::QueuedConnection);
  engine->start(job);
  timer_.start();
  return number;
}

const SideRuns::Run* SideRuns::find(int run) const {
  const auto it = std::ranges::find(runs_, run, &Run::number);
  return it != runs_.end() ? &*it : nullptr;
}

void SideRuns::stop(int run) {
  if (const Run* found = find(run)) {
    found->engine->request_stop(RunControl::Stop::save);
  }
}

void SideRuns::stop_all() {
  for (const Run& run : runs_) {
    run.engine->request_stop(RunControl::Stop::save);
  }
}

bool SideRuns::uses(const std::string& device) const {
  return std::ranges::any_of(runs_,
                             [&](const Run& run) { return run.engine->job().device == device; });
}

QString SideRuns::progress(int run) const {
  const Run* found = find(run);
  if (found == nullptr) {
    return {};
  }
  const QString device = to_qstring(found->engine->job().device);
  const QString step = step_text(found->step);
  if (found->engine->state() == RunState::paused) {
    return tr("Waiting for disk space, step %1 on %2").arg(step, device);
  }
  if (found->step == 0) {
    return tr("Preparing on %1").arg(device);
  }
  return found->steps > 0 ? tr("Step %1 of %2 on %3").arg(step, step_text(found->steps), device)
                          : tr("Step %1 on %2").arg(step, device);
}

void SideRuns::look() {
  for (Run& run : runs_) {
    drained_.clear();
    if (run.engine->ring().drain(drained_) > 0) {
      run.step = drained_.back().step;
      emit advanced(run.number);
    }
  }
}

void SideRuns::finish(int run, const RunEnd& end) {
  std::erase_if(runs_, [run](const Run& r) { return r.number == run; });
  if (runs_.empty()) {
    timer_.stop();
  }
  emit ended(run, end);
}

}  // namespace mantissa::gui
