#include "gui/precision/PlanWatcher.h"

#include <algorithm>
#include <exception>

#include "gui/base/EngineText.h"

namespace mantissa::gui {
namespace {

/// Longer than between two key presses, shorter than a glance at the memory bar.
constexpr int kPauseMs = 120;
/// Scanning images is for a draft that is left as it is, the longer it takes.
constexpr int kLeastWaitMs = 600;

/// Thrown from a plan that a newer edit has superseded.
struct Overtaken {};

}  // namespace

PlanWatcher::PlanWatcher(PlanFunction quick, PlanFunction full, Inspection inspect_images,
                         QObject* parent)
    : QObject(parent),
      quick_plan_(std::move(quick)),
      full_plan_(std::move(full)),
      inspection_(std::move(inspect_images)),
      quick_worker_([this](const JobSpec& job, std::uint64_t generation) {
        try {
          emit relay_planned(generation, quick_plan_(job));
        } catch (const std::exception& e) {
          emit relay_unmeasured(generation, plain_text(message_of(e)));
        }
      }),
      full_worker_(
          [this](const JobSpec& job, std::uint64_t generation) { measure(job, generation); }),
      inspector_(
          [this](const JobSpec& job, std::uint64_t generation) { inspect(job, generation); }) {
  const auto is_new = [this](quint64 generation) { return generation == generation_; };
  connect(
      this, &PlanWatcher::relay_planned, this,
      [this, is_new](quint64 generation, const PlanReport& report) {
        if (is_new(generation)) {
          using Milliseconds = std::chrono::duration<double, std::milli>;
          last_latency_ = Milliseconds(std::chrono::steady_clock::now() - asked_at_).count();
          emit planned(report);
        }
      },
      Qt::QueuedConnection);
  connect(
      this, &PlanWatcher::relay_measured, this,
      [this, is_new](quint64 generation, const PlanReport& report) {
        if (is_new(generation)) {
          told_ = generation;
          blocked_ = std::ranges::find(report.findings, Verdict::refused, &Finding::verdict) !=
                     report.findings.end();
          emit measured(report);
          await_inspection();
        }
      },
      Qt::QueuedConnection);
  connect(
      this, &PlanWatcher::relay_inspected, this,
      [this, is_new](quint64 generation, const PlanReport& report) {
        if (is_new(generation)) {
          inspected_ = generation;
          emit inspected(report);
        }
      },
      Qt::QueuedConnection);
  connect(
      this, &PlanWatcher::relay_unmeasured, this,
      [this, is_new](quint64 generation, const QString& why) {
        if (is_new(generation)) {
          told_ = generation;
          emit unmeasured(why);
        }
      },
      Qt::QueuedConnection);
  connect(
      this, &PlanWatcher::relay_fits, this,
      [this, is_new](quint64 generation, const QVector<FitOption>& options) {
        if (is_new(generation)) {
          emit fits(options);
        }
      },
      Qt::QueuedConnection);
  pause_.setSingleShot(true);
  pause_.setInterval(kPauseMs);
  connect(&pause_, &QTimer::timeout, this, [this] { full_worker_.put(job_, generation_); });
  wait_.setSingleShot(true);
  connect(&wait_, &QTimer::timeout, this, [this] { inspector_.put(job_, generation_); });
}

PlanWatcher::~PlanWatcher() {
  ++generation_;  // a plan in progress stops at its next step
}

void PlanWatcher::set_job(const JobSpec& job) {
  job_ = job;
  asked_at_ = std::chrono::steady_clock::now();
  const std::uint64_t generation = ++generation_;
  blocked_ = true;  // until it is measured
  wait_.stop();
  quick_worker_.put(job_, generation);
  pause_.start();
}

void PlanWatcher::set_inspecting(bool on) {
  if (inspecting_ != on) {
    inspecting_ = on;
    wait_.stop();
    await_inspection();
  }
}

void PlanWatcher::await_inspection() {
  const std::uint64_t now = generation_;
  if (inspection_ && inspecting_ && !blocked_ && inspected_ != now) {
    wait_.start(static_cast<int>(std::max<std::int64_t>(kLeastWaitMs, 2 * took_ms_)));
  }
}

void PlanWatcher::inspect(const JobSpec& job, std::uint64_t generation) {
  const auto began = std::chrono::steady_clock::now();
  const auto took = [&] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 began)
        .count();
  };
  try {
    const PlanReport report = inspection_(job, [&](RunPhase, std::int64_t, std::int64_t) {
      took_ms_ = std::max<std::int64_t>(took_ms_, took());
      if (generation != generation_) {
        throw Overtaken{};
      }
    });
    took_ms_ = took();
    emit relay_inspected(generation, report);
  } catch (const Overtaken&) {
    // The newer draft is inspected later.
  } catch (const std::exception&) {
    // Told by the plan itself, or by the start.
  }
}

void PlanWatcher::measure(const JobSpec& job, std::uint64_t generation) {
  try {
    const PlanReport report = full_plan_(job);
    emit relay_measured(generation, report);
    if (report.fits()) {
      return;
    }
    const std::vector<FitOption> options =
        fit_options(job.preset, report.free_bytes, [&](const Preset& preset) -> RunNeeds {
          if (generation != generation_) {
            throw Overtaken{};
          }
          JobSpec other = job;
          other.preset = preset;
          const PlanReport plan = full_plan_(other);
          return {plan.peak_bytes, plan.step_seconds};
        });
    emit relay_fits(generation, QVector<FitOption>(options.begin(), options.end()));
  } catch (const Overtaken&) {
    // The newer job is waiting already.
  } catch (const std::exception& e) {
    emit relay_unmeasured(generation, plain_text(message_of(e)));
  }
}

}  // namespace mantissa::gui
