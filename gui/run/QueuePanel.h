#pragma once

#include <QFrame>
#include <QList>

#include "gui/base/Theme.h"

class QAction;
class QLabel;
class QLayout;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace mantissa::gui {

class RunQueue;

/// The queue of runs as a list: add, reorder, remove, start and hold.
class QueuePanel : public QFrame {
  Q_OBJECT

 public:
  /// `add`: actions that append runs to the queue.
  QueuePanel(RunQueue* queue, const QList<QAction*>& add, const Theme* theme,
             QWidget* parent = nullptr);
  QTableView* table() const { return table_; }
  QPushButton* start_button() const { return start_; }
  QPushButton* up_button() const { return up_; }
  QPushButton* down_button() const { return down_; }
  QPushButton* remove_button() const { return remove_; }
  QPushButton* stop_button() const { return stop_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QPushButton* make_button(const QString& text, const QString& name);
  QTableView* build_table();
  QLayout* build_buttons();
  void connect_buttons();
  void fit_columns();
  void update_buttons();

  RunQueue* queue_;
  QLabel* waiting_;
  QStackedWidget* body_;
  QTableView* table_;
  QPushButton *start_, *up_, *down_, *remove_, *stop_, *clear_;
};

}  // namespace mantissa::gui
