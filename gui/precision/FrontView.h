#pragma once

#include <QWidget>

#include "engine/probe/precision_front.h"
#include "gui/base/Theme.h"

class QPushButton;
class QTableView;

namespace mantissa::gui {

class FrontPlot;
class FrontTable;

/// The choices of types that no other one beats, drawn and listed; one of them becomes the
/// preset's.
class FrontView : public QWidget {
  Q_OBJECT

 public:
  explicit FrontView(const Theme* theme, QWidget* parent = nullptr);
  void show_front(const PrecisionFront& front);

  FrontPlot* plot() const { return plot_; }
  QTableView* table() const { return table_; }
  FrontTable* model() const { return model_; }
  QPushButton* use_button() const { return use_; }

 signals:
  /// The user wants a choice's types: its preset patch.
  void chosen(const QString& patch);

 private:
  void build_table();
  int row() const;
  void use_selected();
  void update_state();

  FrontPlot* plot_ = nullptr;
  FrontTable* model_ = nullptr;
  QTableView* table_ = nullptr;
  QPushButton* use_ = nullptr;
};

}  // namespace mantissa::gui
