#pragma once

#include <QString>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "engine/precision/health.h"
#include "engine/run/run.h"
#include "engine/store/rows.h"
#include "gui/engine/HealthData.h"
#include "gui/plot/PlotWidget.h"
#include "gui/plot/SeriesStore.h"
#include "gui/plot/StepClock.h"

namespace mantissa::gui {

/// The window's data of one run: series for the plots, markers, and the figures of the run bar.
class RunData {
 public:
  /// Total 0: not known yet.
  void begin(std::int64_t total_steps);
  /// As planned; a resumed run may have another one, and live settings change it.
  void set_length(const RunLength& length) { length_ = length; }
  void append(std::span<const StepRecord> records);
  /// The validation loss after a step.
  void add_validation(const ValidationRecord& record) {
    validation.append(record.step, record.loss);
  }
  /// The samples of a step share one marker.
  void add_marker(PlotMarker::Kind kind, std::int64_t step, const QString& text,
                  const QString& path = {});
  /// Adds a marker for a pause, unless its step has one.
  void add_pause(const PauseRecord& pause);
  void set_process_rates(const RunRates& rates) { process_rates_ = rates; }
  /// The first non-finite tensor of a step, found by the engine.
  void add_report(const NonFiniteReport& report);

  /// How often `begin` was called: data read meanwhile may be another run's.
  int begun() const { return begun_; }
  std::int64_t total_steps() const { return length_.steps; }
  const RunLength& length() const { return length_; }
  std::int64_t step() const { return last_.step; }
  const StepRecord& last() const { return last_; }
  bool has_steps() const { return !loss.empty(); }
  /// Steps per second over the last minute of training, also that before a pause or a resume; 0
  /// while unknown.
  double rate() const;
  /// Images per second of all processes together, by that rate.
  double images_rate() const;
  /// The last known rates of a run's processes; none of a run by one.
  const std::optional<RunRates>& process_rates() const { return process_rates_; }
  /// Seconds; negative while unknown.
  double remaining_seconds() const;
  const std::vector<PlotMarker>& markers() const { return markers_; }
  /// The report of a step; null if there is none.
  const NonFiniteReport* report(std::int64_t step) const;
  /// The latest one.
  const NonFiniteReport* last_report() const {
    return reports_.empty() ? nullptr : &reports_.back();
  }
  /// Consecutive skipped steps up to `step`.
  std::int64_t skips_in_row(std::int64_t step) const;
  std::uint64_t markers_version() const { return markers_version_; }

  /// The preset that this run was started with.
  Preset preset;

  HealthData health;
  StepClock clock;
  SeriesStore loss, grad_norm, clip_norm, loss_scale;
  SeriesStore validation;    ///< validation loss; empty if there is none
  SeriesStore update_ratio;  ///< RMS(Δw)/RMS(w)
  SeriesStore lost_update;   ///< per cent
  /// Learning rates of trained parts, in order of first appearance. Plots point into it: an entry
  /// unused by the current run stays, empty.
  struct Rate {
    explicit Rate(Part of) : part(of) {}
    Part part;
    SeriesStore series;
  };
  std::deque<Rate> learning_rates;
  /// Entries that aren't empty.
  std::size_t trained_parts() const;
  SmoothedSeries loss_smooth, grad_smooth, update_smooth, lost_smooth;

 private:
  SeriesStore& rate_of(Part part);

  int begun_ = 0;
  RunLength length_;
  StepRecord last_;
  std::deque<double> seconds_;
  double seconds_sum_ = 0;
  std::optional<RunRates> process_rates_;
  std::vector<PlotMarker> markers_;
  std::uint64_t markers_version_ = 0;
  std::vector<NonFiniteReport> reports_;
};

}  // namespace mantissa::gui
