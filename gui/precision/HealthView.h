#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "gui/base/Theme.h"
#include "gui/engine/HealthData.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace mantissa::gui {

class ExponentHistogram;
class HealthDetails;
class HealthTable;
class HeatMap;
class NoWheelCombo;

/// Layer statistics of a run: layer by step as a heat map of one measure, or the same numbers as a
/// table; below it the selected tensor's exponents against its format's range.
class HealthView : public QWidget {
  Q_OBJECT

 public:
  HealthView(const HealthData* data, const Theme* theme, QWidget* parent = nullptr);

  /// Adds new data; no cost while hidden.
  void refresh();
  /// The latest report of a non-finite tensor; nullopt clears it.
  void show_report(const std::optional<NonFiniteReport>& report);

  void set_measure(HealthMeasure measure);
  HealthMeasure measure() const { return measure_; }
  /// None: the worst tensor of each layer.
  void set_kind(std::optional<HealthKind> kind);
  void set_worst_first(bool on);
  void set_filter(const QString& text);
  void show_table(bool on);
  HeatMap* map() const { return map_; }
  QTableView* table() const { return table_; }
  ExponentHistogram* histogram() const;
  QLabel* report_label() const { return report_text_; }
  QString numbers_text() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* build_tools();
  QWidget* build_report();
  void share_height();
  void rebuild();
  void show_cell();

  const HealthData* data_;
  const Theme* theme_;
  HealthMeasure measure_ = HealthMeasure::underflow;
  std::optional<HealthKind> kind_;
  bool worst_first_ = false;
  std::uint64_t seen_ = 0;
  bool stale_ = true;
  std::vector<std::size_t> order_;  ///< map row to layer

  QButtonGroup* measures_ = nullptr;
  NoWheelCombo *kinds_ = nullptr, *sort_ = nullptr;
  QLineEdit* filter_ = nullptr;
  QStackedWidget* body_ = nullptr;
  HeatMap* map_ = nullptr;
  QTableView* table_ = nullptr;
  HealthTable* table_model_ = nullptr;
  HealthDetails* details_ = nullptr;
  QSplitter* split_ = nullptr;
  bool is_split_by_hand_ = false;
  QLabel* report_text_ = nullptr;
  QWidget* report_box_ = nullptr;
};

}  // namespace mantissa::gui
