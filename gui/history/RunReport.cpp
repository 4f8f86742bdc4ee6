#include "gui/history/RunReport.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "engine/preset/preset_io.h"
#include "engine/store/metrics.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/history/RunModel.h"
#include "gui/plot/Axis.h"

namespace mantissa::gui {
namespace {

constexpr std::size_t kCurveRows = 12;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(RunReport)
};

/// A bar or a line end would break the table.
QString in_cell(QString text) {
  return text.replace(QLatin1Char('\\'), QLatin1String("\\\\"))
      .replace(QLatin1Char('|'), QLatin1String("\\|"))
      .replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString row(const QStringList& cells) {
  QString out = QStringLiteral("|");
  for (const QString& cell : cells) {
    out += QLatin1Char(' ') + in_cell(cell) + QStringLiteral(" |");
  }
  return out + QLatin1Char('\n');
}

QString table(const QStringList& head) {
  QStringList rule;
  for (qsizetype i = 0; i < head.size(); ++i) {
    rule << QStringLiteral("---");
  }
  return row(head) + row(rule);
}

QString number(double value) {
  return std::isnan(value) ? QStringLiteral("–") : format_number(value);
}

}  // namespace

QString run_report(const RunSummary& run, const RunDetail& detail) {
  const StepFigures figures = step_figures(detail.steps);
  QString out = QStringLiteral("# %1\n\n").arg(to_qstring(run.name.empty() ? run.id : run.name));
  if (!run.note.empty()) {
    out += to_qstring(run.note) + QStringLiteral("\n\n");
  }
  out += table({Words::tr("Run"), to_qstring(run.id)});
  out += row({Words::tr("State"), run_state_text(detail.state.toStdString())});
  out += row({Words::tr("Started"),
              QDateTime::fromMSecsSinceEpoch(run.created, Qt::UTC).toString(Qt::ISODate)});
  out += row({Words::tr("Base"), QFileInfo(to_qstring(run.base)).fileName()});
  out += row({Words::tr("Adapter"), to_qstring(run.adapter)});
  out += row({Words::tr("Precision"), precision_text(run.precision)});
  out += row({Words::tr("Steps"),
              detail.steps.empty() ? QStringLiteral("0") : step_text(detail.steps.back().step)});
  out += row({Words::tr("Loss, mean of the last tenth"), number(figures.last_tenth)});
  out += row({Words::tr("Seconds per step"), number(figures.seconds)});
  out += row({Words::tr("Clipped steps"), step_text(figures.clipped)});
  out += row({Words::tr("Skipped steps"), step_text(figures.skipped)});
  if (!run.tags.empty()) {
    out += row({Words::tr("Tags"), to_qstring(run.tags)});
  }
  if (detail.preset) {
    out += QStringLiteral("\n## %1\n\n").arg(Words::tr("Settings that differ from their defaults"));
    out += table({Words::tr("Setting"), Words::tr("Value"), Words::tr("Default")});
    for (const PresetChange& c : diff_presets(Preset{}, *detail.preset)) {
      out += row({to_qstring(c.key), to_qstring(c.b.dump()), to_qstring(c.a.dump())});
    }
  }
  if (!detail.steps.empty()) {
    out += QStringLiteral("\n## %1\n\n").arg(Words::tr("Curve"));
    out += table({Words::tr("Step"), Words::tr("Loss"), Words::tr("Gradient norm")});
    const std::size_t stride = (detail.steps.size() + kCurveRows - 1) / kCurveRows;
    for (std::size_t i = 0; i < detail.steps.size(); ++i) {
      if (i % stride == 0 || i + 1 == detail.steps.size()) {
        const StepRow& s = detail.steps[i];
        out += row({step_text(s.step), number(s.loss), number(s.grad_norm)});
      }
    }
  }
  if (!detail.checkpoints.empty()) {
    out += QStringLiteral("\n## %1\n\n").arg(Words::tr("Checkpoints"));
    out += table({Words::tr("Step"), Words::tr("Size")});
    for (const CheckpointRow& c : detail.checkpoints) {
      out += row({step_text(c.step), format_bytes(static_cast<std::uint64_t>(c.bytes))});
    }
  }
  if (!detail.samples.empty()) {
    out += QStringLiteral("\n## %1\n\n").arg(Words::tr("Samples"));
    out += table({Words::tr("Step"), Words::tr("Prompt"), Words::tr("File")});
    for (const SampleRow& s : detail.samples) {
      out +=
          row({step_text(s.step), to_qstring(s.prompt), QFileInfo(to_qstring(s.path)).fileName()});
    }
  }
  const bool troubled = std::any_of(detail.events.begin(), detail.events.end(),
                                    [](const EventRow& e) { return e.level >= LogLevel::warning; });
  if (troubled) {
    out += QStringLiteral("\n## %1\n\n").arg(Words::tr("Warnings and errors"));
    for (const EventRow& e : detail.events) {
      if (e.level >= LogLevel::warning) {
        out += QStringLiteral("- %1\n").arg(in_cell(message_text(e.message)));
      }
    }
  }
  return shown(out);
}

}  // namespace mantissa::gui
