#include "gui/precision/PlanWatcher.h"

#include <exception>

#include "gui/base/EngineText.h"

namespace mantissa::gui {
namespace {

/// Longer than between two key presses, shorter than a glance at the memory bar.
constexpr int kPauseMs = 120;

/// Thrown from a plan that a newer edit has superseded.
struct Overtaken {};

}  // namespace

PlanWatcher::PlanWatcher(PlanFunction quick, PlanFunction full, QObject* parent)
    : QObject(parent),
      quick_plan_(std::move(quick)),
      full_plan_(std::move(full)),
      quick_worker_([this](const JobSpec& job, std::uint64_t generation) {
        try {
          emit relay_planned(generation, quick_plan_(job));
        } catch (const std::exception& e) {
          emit relay_unmeasured(generation, plain_text(message_of(e)));
        }
      }),
      full_worker_(
          [this](const JobSpec& job, std::uint64_t generation) { measure(job, generation); }) {
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
          emit measured(report);
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
}

PlanWatcher::~PlanWatcher() {
  ++generation_;  // a plan in progress stops at its next step
}

void PlanWatcher::set_job(const JobSpec& job) {
  job_ = job;
  asked_at_ = std::chrono::steady_clock::now();
  const std::uint64_t generation = ++generation_;
  quick_worker_.put(job_, generation);
  pause_.start();
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
