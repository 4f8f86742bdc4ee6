#pragma once

#include <QString>

#include "gui/history/RunLibrary.h"
#include "gui/plot/SeriesStore.h"
#include "gui/plot/StepClock.h"
#include "gui/result/EndedRun.h"

namespace mantissa::gui {

/// A run among those that are compared: what is read of it so far, and its curves.
struct ComparedRun {
  ComparedRun(const QString& id, double smoothing);

  /// What was new in a reading.
  struct Change {
    bool first = false;  ///< nothing was known of the run before
    bool curves = false, figures = false, samples = false, result = false;
  };
  /// Adds a reading to what is known, or begins anew with it if the run was `awaited`.
  Change take(const RunDetail& reading);
  void set_smoothing(double beta);
  /// What its result shows; without the reason of a failure, which the list knows.
  EndedRun ended() const;

  RunDetail detail;
  QString label;
  SeriesStore loss, grad_norm;
  SmoothedSeries loss_smooth, grad_smooth;
  StepClock clock;
  bool here = false;
  bool awaited = false;  ///< is being read again

 private:
  void add(const RunDetail& reading);
};

}  // namespace mantissa::gui
