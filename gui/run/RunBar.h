#pragma once

#include <QFrame>
#include <vector>

#include "engine/run/run.h"
#include "gui/base/Icons.h"
#include "gui/base/Theme.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace mantissa::gui {

class ElideLabel;
class RunActions;

/// The display name of a state.
QString run_state_text(RunState state);

/// Always at the bottom of the window: the run's state, progress and commands.
class RunBar : public QFrame {
  Q_OBJECT

 public:
  RunBar(RunActions* actions, const Theme* theme, QWidget* parent = nullptr);

  void set_state(RunState shown, const QString& state_text);
  /// Whether the run that ended was stopped before its last step.
  void set_stopped(bool stopped);
  /// "1240 / 3000 · 3.1 it/s · ETA 9:27"
  /// While idle, shows what blocks Start instead of "Ready".
  void set_blocked(bool blocked);
  void set_details(const QString& text);
  void set_memory(std::uint64_t need, std::uint64_t available);
  /// total 0: a busy bar; done < 0: none.
  void set_progress(qint64 done, qint64 total);
  QString state_text() const;
  QString details() const;
  QPushButton* button(const QAction* action) const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QPushButton* add_button(QAction* action, Icon icon, const char* kind);
  void style_state();
  /// As wide as the longest text that a button has at times: its neighbours never move.
  void keep_widths();
  void share_room();

  const Theme* theme_;
  RunActions* actions_;
  QLabel *lamp_, *state_;
  ElideLabel* details_;
  QLabel* memory_;
  QProgressBar* progress_;
  RunState shown_ = RunState::idle;
  QString given_text_;
  bool stopped_ = false;
  bool blocked_ = false;
  struct Button {
    const QAction* action;
    QPushButton* widget;
    Icon icon;
  };
  std::vector<Button> buttons_;
};

}  // namespace mantissa::gui
