#include "tests/gui/FakeEngine.h"

#include <QDir>
#include <QImage>
#include <QPainter>
#include <cmath>
#include <limits>
#include <thread>

#include "gui/app/Text.h"

namespace mantissa {
namespace {

/// A believable value that depends on nothing but the step.
double wobble(std::int64_t step) {
  const double x = static_cast<double>(step);
  return std::sin(x * 12.9898) * 0.6 + std::sin(x * 4.1414) * 0.4;
}

}  // namespace

RunResult FakeEngine::operator()(const JobSpec& job, RunControl& control,
                                 RunObserver& observer) const {
  using Clock = std::chrono::steady_clock;
  const auto check_stop = [&](std::int64_t step) {
    if (control.stop_requested() == RunControl::Stop::none) {
      return;
    }
    std::this_thread::sleep_for(slow_stop);
    observer.on_state(RunState::stopping);
    if (control.stop_requested() == RunControl::Stop::save) {
      observer.on_saved("/runs/fake/checkpoints/step-" + std::to_string(step), step);
      throw Error(ErrorKind::interrupted,
                  "interrupted after step " + std::to_string(step) + "; the checkpoint is saved.");
    }
    throw Error(ErrorKind::interrupted, "stopped after step " + std::to_string(step) + ".");
  };
  observer.on_state(RunState::preparing);
  observer.on_log(1, "device cpu: <b>2 threads</b>");
  const auto until = Clock::now() + preparing;
  std::int64_t item = 0;
  do {
    observer.on_progress("caching", item, 100);
    item = std::min<std::int64_t>(item + 1, 100);
    check_stop(0);
    if (preparing.count() > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  } while (Clock::now() < until);
  observer.on_progress("caching", 100, 100);
  observer.on_plan(plan(job));
  observer.on_state(RunState::training);

  const auto sample = [&](std::int64_t step) {
    for (int i = 0; i < 2 && !sample_file.isEmpty(); ++i) {
      observer.on_sample({step, i, i == 0 ? "a red disc on a wall" : "a disc, <i>watercolour</i>",
                          to_path(sample_file)});
    }
  };
  if (sample_every > 0) {
    sample(0);
  }
  auto next = Clock::now();
  double loss = 0;
  for (std::int64_t step = 1; step <= steps; ++step) {
    next += per_step;
    std::this_thread::sleep_until(next);
    StepRecord r;
    r.step = step;
    loss = 0.12 + 0.3 * std::exp(-static_cast<double>(step) / 120.0) +
           0.05 * wobble(step) * std::exp(-static_cast<double>(step) / 900.0);
    r.loss = loss;
    r.grad_norm = 0.5 + 0.35 * wobble(step * 7) + (step % 97 == 0 ? 2.0 : 0.0);
    r.clip_norm = job.preset.training.max_grad_norm;
    r.clipped = r.clip_norm > 0 && r.grad_norm > r.clip_norm;
    r.loss_scale = nan_step && step > *nan_step ? 32768 : 65536;
    r.lost_update = 0.004;
    r.seconds = std::chrono::duration<double>(per_step).count();
    r.lr[0] = job.preset.optimizer.learning_rate;
    if (nan_step && step == *nan_step) {
      r.loss = r.grad_norm = std::numeric_limits<double>::quiet_NaN();
      r.skipped = true;
      observer.on_log(2, "step " + std::to_string(step) + ": gradients were not finite; skipped");
    }
    observer.on_step(r);
    if (fail_step && step == *fail_step) {
      throw failure;
    }
    if (control.take_save_request() || (save_every > 0 && step % save_every == 0)) {
      observer.on_saved("/runs/fake/checkpoints/step-" + std::to_string(step), step);
    }
    if (control.take_sample_request() || (sample_every > 0 && step % sample_every == 0)) {
      sample(step);
    }
    check_stop(step);
    if (control.pause_requested()) {
      std::this_thread::sleep_for(slow_stop);
      if (announces_pausing) {
        observer.on_state(RunState::pausing);
      }
      observer.on_state(RunState::paused);
      while (control.pause_requested() && control.stop_requested() == RunControl::Stop::none) {
        control.wait_while_paused();
        if (control.take_save_request()) {
          observer.on_saved("/runs/fake/checkpoints/step-" + std::to_string(step), step);
        }
        if (control.take_sample_request()) {
          sample(step);
        }
      }
      check_stop(step);
      observer.on_state(RunState::training);
      next = Clock::now();
    }
  }
  observer.on_state(RunState::finished);
  RunResult result;
  result.run_id = "fake";
  result.folder = "/runs/fake";
  result.adapter = "/runs/fake/lora.safetensors";
  result.steps = steps;
  result.final_loss = loss;
  return result;
}

PlanReport FakeEngine::plan(const JobSpec& job) {
  if (job.base == "missing") {
    throw Error("missing: there is no such file; choose a base model.");
  }
  PlanReport report;
  report.precision_json = "{}";
  report.peak_bytes = 9'800'000'000;
  report.arena_bytes = 3'100'000'000;
  report.weight_bytes = 6'200'000'000;
  report.adapter_bytes = 500'000'000;
  report.free_bytes = 12'000'000'000;
  if (job.preset.precision.compute == ComputeType::fp16) {
    report.findings.push_back({"S5",
                               "refused",
                               {"precision.loss_scaling"},
                               "fp16 without loss scaling: gradients underflow to zero.",
                               R"({"precision.loss_scaling":"dynamic"})"});
  }
  report.findings.push_back({"D8",
                             "warning",
                             {"precision.weights.unet"},
                             "0.4 % of the weights become zero in this type.",
                             "{}"});
  return report;
}

QString make_test_picture(const QString& folder, int seed) {
  QImage image(96, 96, QImage::Format_RGB32);
  QPainter p(&image);
  QLinearGradient sky(0, 0, 0, 96);
  sky.setColorAt(0, QColor::fromHsv((200 + 40 * seed) % 360, 120, 230));
  sky.setColorAt(1, QColor::fromHsv((30 + 40 * seed) % 360, 90, 240));
  p.fillRect(image.rect(), sky);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(Qt::NoPen);
  p.setBrush(QColor(190, 40, 30));
  p.drawEllipse(QPointF(48, 50), 24, 24);
  p.end();
  const QString file = QDir(folder).filePath(QStringLiteral("sample-%1.png").arg(seed));
  image.save(file);
  return file;
}

}  // namespace mantissa
