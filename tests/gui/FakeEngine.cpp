#include "tests/gui/FakeEngine.h"

#include <QDir>
#include <QImage>
#include <QPainter>
#include <cmath>
#include <limits>
#include <thread>

#include "engine/run/run_notes.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

/// A plausible value that depends only on the step.
double wobble(std::int64_t step) {
  const double x = static_cast<double>(step);
  return std::sin(x * 12.9898) * 0.6 + std::sin(x * 4.1414) * 0.4;
}

}  // namespace

FakeEngine endless_engine() {
  FakeEngine fake;
  fake.steps = 1000000;
  return fake;
}

RunResult FakeEngine::operator()(const JobSpec& job, RunControl& control,
                                 RunObserver& observer) const {
  using Clock = std::chrono::steady_clock;
  const QString run = (job.out.empty() ? QStringLiteral("/runs/fake") : path_text(job.out)) +
                      QString::fromStdString(hostile);
  const auto save = [&](std::int64_t step) {
    const QString own = QStringLiteral("%1/checkpoints/step-%2").arg(run).arg(step);
    observer.on_saved(checkpoint.empty() ? to_path(own) : checkpoint, step);
  };
  const auto check_stop = [&](std::int64_t step) {
    if (control.stop_requested() == RunControl::Stop::none) {
      return;
    }
    std::this_thread::sleep_for(slow_stop);
    observer.on_state(RunState::stopping);
    if (control.stop_requested() == RunControl::Stop::save) {
      save(step);
      throw Error(ErrorKind::interrupted,
                  Message::verbatim("interrupted after step " + std::to_string(step) +
                                    "; the checkpoint is saved."));
    }
    throw Error(ErrorKind::interrupted,
                Message::verbatim("stopped after step " + std::to_string(step) + "."));
  };
  observer.on_state(RunState::preparing);
  observer.on_log(LogLevel::info, Message::verbatim("device cpu: <b>2 threads</b>" + hostile));
  const auto until = Clock::now() + preparing;
  std::int64_t item = 0;
  do {
    observer.on_progress(RunPhase::caching, item, 100);
    item = std::min<std::int64_t>(item + 1, 100);
    check_stop(0);
    if (preparing.count() > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  } while (Clock::now() < until);
  observer.on_progress(RunPhase::caching, 100, 100);
  observer.on_plan(plan(job));
  observer.on_state(RunState::training);

  const auto sample = [&](std::int64_t step) {
    for (int i = 0; i < 2 && !sample_file.isEmpty(); ++i) {
      observer.on_sample(
          {step, i, (i == 0 ? "a red disc on a wall" : "a disc, <i>watercolour</i>") + hostile,
           to_path(sample_file)});
    }
  };
  if (sample_every > 0) {
    sample(0);
  }
  if (health_every > 0) {
    observer.on_health(fake_health(0));
  }
  auto next = Clock::now();
  double loss = 0;
  std::int64_t total = steps;
  for (std::int64_t step = 1; step <= total; ++step) {
    if (const std::optional<Preset> changed = control.take_settings()) {
      total = changed->training.steps;
      observer.on_settings(*changed);
    }
    next += per_step;
    std::this_thread::sleep_until(next);
    if (stall_step == step) {
      std::this_thread::sleep_for(stall);
    }
    StepRecord r;
    r.step = step;
    loss = 0.12 + 0.3 * std::exp(-static_cast<double>(step) / 120.0) +
           0.05 * wobble(step) * std::exp(-static_cast<double>(step) / 900.0);
    r.loss = loss;
    r.grad_norm = 0.5 + 0.35 * wobble(step * 7) + (step % 97 == 0 ? 2.0 : 0.0);
    r.clip_norm = job.preset.training.max_grad_norm;
    r.clipped = r.clip_norm > 0 && r.grad_norm > r.clip_norm;
    r.loss_scale = nan_step && step > *nan_step ? 32768 : 65536;
    r.lost_update = 0.004 + 0.002 * wobble(step * 3);
    r.update_ratio = 2e-3 * std::exp(-static_cast<double>(step) / 400.0) * (1.2 + wobble(step * 5));
    r.seconds = std::chrono::duration<double>(per_step).count();
    r.parts[Part("unet")].lr =
        job.preset.optimizer.learning_rate * std::min(1.0, static_cast<double>(step) / 60);
    if (nan_step && step == *nan_step) {
      r.loss = r.grad_norm = std::numeric_limits<double>::quiet_NaN();
      r.skipped = true;
      observer.on_non_finite(fake_report(step));
      observer.on_log(LogLevel::warning, Message::verbatim("step " + std::to_string(step) +
                                                           ": gradients were not finite; skipped"));
    }
    if (overflow_step && step >= *overflow_step && step < *overflow_step + overflows) {
      r.skipped = true;
      r.grad_norm = std::numeric_limits<double>::infinity();
      observer.on_non_finite(fake_report(step));
    }
    observer.on_step(r);
    if (validate_every > 0 && step % validate_every == 0) {
      observer.on_validation({step, 1.1 * loss, 5, 0.01});
    }
    if (health_every > 0 && step % health_every == 0) {
      observer.on_health(fake_health(step));
    }
    if (fail_step && step == *fail_step) {
      throw failure;
    }
    if (full_disk_step == step) {
      const int stops = control.stop_requests();
      observer.on_state(RunState::paused);
      const FullDisk full{
          to_path(run), step, 3'000'000, 1'000, Message::verbatim("the disk is full"), true};
      observer.on_disk_full(full);
      RunControl::RoomAnswer answer;
      while (!answer.retry && !answer.stop && !answer.folder) {
        answer = control.wait_for_room(std::chrono::milliseconds(20), stops);
      }
      observer.on_log(LogLevel::info,
                      disk_wait_note(step, std::chrono::seconds(12), full.folder.string()));
      observer.on_pause({step, true});
      check_stop(step);
      if (answer.folder) {
        observer.on_log(LogLevel::info, Message::verbatim("the run continues in " +
                                                          path_text(*answer.folder).toStdString()));
      }
      save(step);
      observer.on_state(RunState::training);
    }
    if (control.take_save_request() || (save_every > 0 && step % save_every == 0)) {
      save(step);
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
      observer.on_log(LogLevel::info, pause_note(step));
      observer.on_pause({step, false});
      while (control.pause_requested() && control.stop_requested() == RunControl::Stop::none) {
        control.wait_while_paused();
        if (control.take_save_request()) {
          save(step);
        }
        if (control.take_sample_request()) {
          sample(step);
        }
      }
      check_stop(step);
      observer.on_log(LogLevel::info, message<"Resumed">());
      observer.on_state(RunState::training);
      next = Clock::now();
    }
  }
  observer.on_state(RunState::finished);
  RunResult result;
  result.run_id = "fake";
  result.folder = folder;
  result.adapter = to_path(run + QStringLiteral("/lora.safetensors"));
  result.steps = total;
  result.final_loss = loss;
  return result;
}

PlanReport FakeEngine::plan(const JobSpec& job) {
  if (job.base == "missing") {
    throw Error(Message::verbatim("missing: there is no such file; choose a base model."));
  }
  PlanReport report;
  report.precision_json = "{}";
  if (job.base.empty() && !job.resume) {
    report.findings.push_back({"base",
                               Verdict::refused,
                               {"--base"},
                               Message::verbatim("no base model given (--base). Choose one"),
                               "{}"});
    return report;
  }
  report.peak_bytes = 9'800'000'000;
  report.arena_bytes = 3'100'000'000;
  report.weight_bytes = 6'200'000'000;
  report.adapter_bytes = 500'000'000;
  report.free_bytes = 12'000'000'000;
  const Preset::Precision& precision = job.preset.precision;
  if (precision.compute == ComputeType::fp16 &&
      precision.loss_scaling.mode == LossScaling::Mode::off) {
    report.findings.push_back(
        {"S5",
         Verdict::refused,
         {"precision.loss_scaling"},
         Message::verbatim("fp16 without loss scaling: gradients underflow to zero."),
         R"({"precision.loss_scaling":"dynamic"})"});
  }
  report.findings.push_back({"D8",
                             Verdict::warning,
                             {"precision.weights.denoiser"},
                             Message::verbatim("0.4% of the weights become zero in this type."),
                             "{}"});
  return report;
}

void fake_sample(const SampleRequest& request, RunObserver& observer) {
  if (!request.negative.empty() && request.guidance == 1) {
    observer.on_log(LogLevel::warning,
                    Message::verbatim("the negative prompt has no effect: guidance is 1"));
  }
  for (int i = 0; i < request.steps; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    observer.on_progress(RunPhase::sampling, i + 1, request.steps);
  }
  QImage image(64, 64, QImage::Format_RGB32);
  const auto& loras = request.columns.empty() ? request.loras : request.columns.front().loras;
  image.fill(QColor::fromRgbF(0.1F, 0.3F, static_cast<float>(loras.at(0).weight / 2)));
  if (!image.save(path_text(request.out))) {
    throw Error(Message::verbatim("can't write " + request.out.string()));
  }
}

RateTest fake_rate_test(const JobSpec& job, const RateTestOptions& options, RunControl& control,
                        RunObserver& observer) {
  fake_probe(job, {.steps = options.steps}, control, observer);
  RateTest test;
  test.start_loss = 0.4;
  for (std::int64_t i = 0; i < options.steps && !test.diverged; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(options.steps - 1);
    const double rate = options.from * std::pow(options.to / options.from, share);
    const double decades = std::log10(rate / 3e-3);
    const double loss =
        0.4 - 0.1 * std::exp(-decades * decades) + (decades > 0 ? 0.2 * decades * decades : 0);
    const double spread = 0.2 * std::sin(7.0 * static_cast<double>(i));
    test.points.push_back({rate, loss + spread, 0.4 + 1.05 * spread, loss});
    if (loss > 0.6) {
      test.diverged = rate;
    }
  }
  test.lowest = 3e-3;
  test.steepest = 1e-3;
  test.verdict = Message::verbatim("It is flat.");
  if (job.preset.optimizer.type != OptimizerType::sgd) {
    test.suggestion = 3e-4;
    test.verdict = Message::verbatim("Suggested learning rate: 0.0003.");
    test.fix_json = R"({"optimizer.learning_rate":0.0003})";
  }
  return test;
}

VerifyReport fake_verify(const std::filesystem::path& run, RunControl&, RunObserver& observer) {
  observer.on_progress(RunPhase::training, 0, 2);
  if (run.filename() == "changed") {
    throw Error(Message::verbatim("the image a.png has changed since the run; put it back."));
  }
  VerifyReport report{.run_id = run.filename().string(), .folder = run};
  report.then.version = "0.0.9";
  report.then.device = "a processor";
  report.then.peak_bytes = 3'000'000'000;
  report.then.compute = "bf16";
  report.then.steps = {{.loss = 0.5, .grad_norm = 2, .seconds = 0.25},
                       {.loss = 0.25, .grad_norm = 1, .seconds = 0.125}};
  report.now = report.then;
  report.now.version = "0.1.0";
  report.comparison.steps.resize(report.then.steps.size());
  report.comparison.verdict = Message::verbatim("the same to the bit");
  return report;
}

ProbeReport fake_probe(const JobSpec& job, const ProbeOptions& options, RunControl& control,
                       RunObserver& observer) {
  for (std::int64_t i = 0; i < 2 * options.steps; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    observer.on_progress(RunPhase::probing, i + 1, 2 * options.steps);
    if (control.stop_requested() != RunControl::Stop::none) {
      throw Error(ErrorKind::interrupted, Message::verbatim("stopped"));
    }
  }
  if (job.base == "missing") {
    throw Error(Message::verbatim("missing: there is no such file; choose a base model."));
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const bool pinned = job.preset.precision.pins.contains("denoiser.worst");
  ProbeReport r;
  r.plan = "W fp8_e4m3";
  r.steps = options.steps;
  r.gradient_error = pinned ? 0.01 : 0.2;
  r.modules = {
      {"denoiser.conv_in", 60, 40, nan, nan, nan, StorageType::fp32},
      {"denoiser.mild", 45, 31, 0.99990, 0.01, 0.002, StorageType::bf16},
      {"denoiser.worst", 12, pinned ? 50.0 : 9.0, 0.7, pinned ? 0.005 : 0.6, 0.4,
       StorageType::bf16},
      {"denoiser.middle" + std::string(40, 'x') + ".to_q", 30, 30, 0.998, 0.05, 0,
       StorageType::bf16},
      {"denoiser.exact", std::numeric_limits<double>::infinity(), nan, 1, 0, 0, std::nullopt}};
  if (!pinned) {
    r.pins = {{"denoiser.worst", StorageType::bf16, 4096, 0.2}};
    r.pinned_error = 0.01;
    r.fix_json = R"({"precision.pins":{"denoiser.worst":"bf16"}})";
  }
  r.verdict = Message::verbatim(pinned ? "The plan follows FP32." : "It loses denoiser.worst.");
  return r;
}

PrecisionFront fake_solve(const JobSpec& job, std::int64_t steps, RunControl& control,
                          RunObserver& observer) {
  fake_probe(job, {.steps = steps}, control, observer);
  const auto point = [](std::uint64_t bytes, double seconds, double error, const char* patch) {
    PrecisionPoint p;
    p.peak_bytes = bytes;
    p.step_seconds = seconds;
    p.gradient_error = error;
    p.patch_json = patch;
    p.layers = {{"bf16", 10}, {"nf4", 50}};
    return p;
  };
  PrecisionFront front;
  front.now = point(9'000'000'000, 0.9, 0.02, "{}");
  front.points = {
      point(4'000'000'000, 1.1, 0.09, R"({"precision.weights.denoiser":"nf4"})"),
      point(6'000'000'000, 1, 0.03,
            R"({"precision.pins":{"denoiser.worst":"bf16"},"precision.weights.denoiser":"nf4"})"),
      point(12'000'000'000, 0.8, 0.001, R"({"precision.weights.denoiser":"fp32"})")};
  front.tried = 14;
  front.refused = {
      {ComputeType::fp8, StorageType::bf16, Message::verbatim("this card has no FP8.")}};
  return front;
}

HealthRecord fake_health(std::int64_t step) {
  HealthRecord record;
  record.step = step;
  record.seconds = 0.004;
  const auto add = [&](const std::string& layer, HealthKind kind, DType format, double centre,
                       double amax, double scale) {
    HealthRow row{layer, kind, format, {}, std::numeric_limits<double>::quiet_NaN()};
    TensorStatistics& s = row.statistics;
    const FloatFormat f = float_format(format);
    for (int bin = 0; bin < TensorStatistics::kBins; ++bin) {
      const double exponent = TensorStatistics::kFirstExponent + bin;
      const auto n = static_cast<std::int64_t>(
          40000 * std::exp(-0.5 * std::pow((exponent - centre) / 2.2, 2)));
      if (std::exp2(exponent) > amax) {
        break;
      }
      s.histogram[static_cast<std::size_t>(bin)] = n;
      s.count += n;
      const double stored = std::exp2(exponent + 0.5) / scale;
      s.underflow += stored < f.min_subnormal / 2 ? n : 0;
      s.subnormal += stored >= f.min_subnormal / 2 && stored < f.min_normal ? n : 0;
      s.overflow += stored > f.max ? n : 0;
      s.signal += static_cast<double>(n) * std::exp2(2 * exponent);
    }
    s.zeros = 120;
    s.count += s.zeros;
    s.amax = amax;
    s.scaled_amax = amax / scale;
    s.noise =
        s.signal / std::pow(10, (f.mantissa_bits * 6.02 + 12 - 40 * s.share(s.underflow)) / 10);
    record.rows.push_back(row);
  };
  if (step == 0) {
    for (int block = 0; block < 6; ++block) {
      add("denoiser.down_blocks." + std::to_string(block / 2) + ".attentions." +
              std::to_string(block % 2) + ".transformer_blocks.0.attn1.to_q.weight",
          HealthKind::weight, DType::f8_e4m3, -5, 1.6, 1.6 / 448);
    }
    return record;
  }
  const double t = static_cast<double>(step);
  for (int block = 0; block < 12; ++block) {
    const std::string layer = "denoiser.down_blocks." + std::to_string(block / 4) + ".attentions." +
                              std::to_string(block / 2 % 2) + ".transformer_blocks.0." +
                              (block % 2 == 0 ? "attn1.to_q" : "ff.net.2");
    // The seventh grows until fp16 can't hold it, the third fades below its smallest number.
    const double grow = block == 7 ? std::min(t / 25, 13.0) : 0.4 * wobble(block + step);
    add(layer, HealthKind::output, DType::f16, -1 + grow, std::exp2(4 + grow), 1);
    const double fade = block == 3 ? std::min(t / 30, 14.0) : 0;
    add(layer, HealthKind::gradient, DType::f16, -11 - fade, std::exp2(-6 - fade), 1);
  }
  return record;
}

NonFiniteReport fake_report(std::int64_t step) {
  NonFiniteReport report;
  report.step = step;
  report.layer = "denoiser.down_blocks.1.attentions.1.transformer_blocks.0.ff.net.2";
  report.op = "matmul";
  report.tensor = message<"output">();
  report.phase = "forward";
  report.format = DType::f16;
  report.non_finite = 3;
  report.count = 4096;
  report.last_amax = 51200;
  report.format_max = 65504;
  return report;
}

QString make_test_image(const QString& folder, int seed) {
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

}  // namespace mantissa::gui
