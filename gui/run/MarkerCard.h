#pragma once

#include <QFrame>

#include "engine/run/run.h"
#include "gui/base/Icons.h"
#include "gui/base/Theme.h"
#include "gui/plot/PlotWidget.h"

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace mantissa::gui {

class RunData;
class SampleModel;

/// Details of a marker: what happened at that step, the first non-finite tensor if the engine found
/// one, and what to change, as a finding with its fix.
class MarkerCard : public QFrame {
  Q_OBJECT

 public:
  MarkerCard(const RunData* data, const SampleModel* samples, const Theme* theme,
             QWidget* parent = nullptr);

  void show_marker(const PlotMarker& marker);
  /// The marker before or after the one shown, by step.
  void step(int direction);
  /// Refills the card: a report may arrive after the marker.
  void refresh();
  QString title() const;
  /// Everything on the card, as text.
  QString text() const;

 signals:
  void fix_requested(const QString& patch_json, const QString& id);
  void field_requested(const QString& key);
  void samples_requested(qint64 step);

 private:
  std::vector<PlotMarker> ordered() const;
  void add_text(const QString& text, const char* role = "");
  void add_report(const NonFiniteReport& report);
  void add_finding(const Finding& finding);
  QWidget* add_button(const QString& text);
  void show_head(Icon icon, const QColor& color, const QString& text);
  void fill();
  void fill_nan();
  void fill_skipped();
  void fill_saved();
  void fill_sample();

  const RunData* data_;
  const SampleModel* samples_;
  const Theme* theme_;
  PlotMarker marker_;
  QLabel *icon_, *title_;
  QToolButton *previous_, *next_;
  QWidget* body_ = nullptr;
  QVBoxLayout *column_, *lines_ = nullptr;
};

}  // namespace mantissa::gui
