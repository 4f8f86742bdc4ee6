#include "gui/history/RunFigures.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/preset/preset.h"
#include "engine/store/checkpoint_choice.h"
#include "engine/store/memorising.h"
#include "engine/store/metrics.h"
#include "engine/store/rows.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/history/RunModel.h"
#include "gui/plot/Axis.h"

namespace mantissa::gui {
namespace {

using RunDetails = std::vector<const RunDetail*>;

struct FigureWords {
  Q_DECLARE_TR_FUNCTIONS(RunFigures)
};

QString images_rate_text(const RunDetail& run) {
  if (run.rates) {
    return format_number(run.rates->images_per_second, 3);
  }
  const double seconds = step_figures(run.steps).seconds;
  return run.preset && seconds > 0
             ? format_number(run.preset->data.batch_size *
                                 run.preset->training.gradient_accumulation / seconds,
                             3)
             : QString();
}

/// "0: 12.3, 1: 9.8 slow"
QString process_rates_text(const RunDetail& run) {
  QStringList parts;
  if (run.rates) {
    for (const ProcessRate& p : run.rates->processes) {
      const QString rate = format_number(p.images_per_second, 3);
      const QString host = to_qstring(p.host);
      if (p.is_card()) {
        parts << (p.slow ? FigureWords::tr("%1: %2/s, slow") : FigureWords::tr("%1: %2/s"))
                     .arg(host, rate);
      } else {
        parts << (p.slow ? FigureWords::tr("%1 on %2: %3/s, slow")
                         : FigureWords::tr("%1 on %2: %3/s"))
                     .arg(p.process)
                     .arg(host, rate);
      }
    }
  }
  return parts.join(QStringLiteral("; "));
}

QString if_known(double value) {
  return std::isnan(value) ? QString() : format_number(value);
}

/// The checkpoint suggested for each run, if any was validated.
FigureRow suggestions(const RunDetails& runs) {
  FigureRow row{.name = FigureWords::tr("Suggested checkpoint")};
  for (const RunDetail* run : runs) {
    const auto choice = choose_checkpoint(run->validation, run->checkpoints);
    row.values << (!choice ? QString()
                   : choice->better_than_untrained()
                       ? FigureWords::tr("Step %1").arg(step_text(choice->step))
                       : FigureWords::tr("None"));
    row.reasons << (choice ? error_text(choice->text()) : QString());
  }
  return row;
}

/// Whether the samples repeat training images: those of the checkpoint that is suggested, if one
/// is.
FigureRow memorising(const RunDetails& runs) {
  FigureRow row{.name = FigureWords::tr("Memorising")};
  for (const RunDetail* run : runs) {
    const auto choice = choose_checkpoint(run->validation, run->checkpoints);
    const auto found = memorising_at(run->samples, choice && choice->better_than_untrained()
                                                       ? choice->step
                                                       : std::numeric_limits<std::int64_t>::max());
    row.values << (!found ? QString()
                   : found->sign()
                       ? FigureWords::tr("A sign at step %1").arg(step_text(found->step))
                       : FigureWords::tr("No sign"));
    row.reasons << (found ? error_text(found->text()) : QString());
  }
  return row;
}

}  // namespace

std::vector<FigureRow> run_figures(const std::vector<const RunDetail*>& runs) {
  std::vector<FigureRow> rows;
  const auto add = [&](const QString& name, auto value) {
    FigureRow& row = rows.emplace_back(FigureRow{.name = name});
    for (const RunDetail* run : runs) {
      row.values << value(*run);
    }
  };
  const auto add_if_any = [&](FigureRow row) {
    if (!row.values.join(QString()).isEmpty()) {
      rows.push_back(std::move(row));
    }
  };
  add(FigureWords::tr("State"),
      [](const RunDetail& r) { return run_state_text(r.state.toStdString()); });
  add(FigureWords::tr("Steps"), [](const RunDetail& r) {
    return r.steps.empty() ? QStringLiteral("0") : step_text(r.steps.back().step);
  });
  add(FigureWords::tr("Loss, mean of the last tenth"),
      [](const RunDetail& r) { return if_known(step_figures(r.steps).last_tenth); });
  add(FigureWords::tr("Seconds per step"),
      [](const RunDetail& r) { return if_known(step_figures(r.steps).seconds); });
  add(FigureWords::tr("Images per second"), images_rate_text);
  if (std::any_of(runs.begin(), runs.end(),
                  [](const RunDetail* r) { return r->rates.has_value(); })) {
    add(FigureWords::tr("Cards or processes"), process_rates_text);
  }
  add_if_any(suggestions(runs));
  add_if_any(memorising(runs));
  add(FigureWords::tr("Clipped steps"),
      [](const RunDetail& r) { return step_text(step_figures(r.steps).clipped); });
  add(FigureWords::tr("Skipped steps"),
      [](const RunDetail& r) { return step_text(step_figures(r.steps).skipped); });
  return rows;
}

}  // namespace mantissa::gui
