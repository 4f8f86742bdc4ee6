#pragma once

#include <QObject>

#include "gui/base/Theme.h"

class QGridLayout;
class QLabel;
class QWidget;

namespace mantissa::gui {

class PathEdit;

/// A labelled path with a line below it: a check mark, or what is wrong.
class PartRow : public QObject {
  Q_OBJECT

 public:
  enum class State { open, busy, good, bad };

  static constexpr int kRows = 2;
  /// Takes so many rows of `grid` from `at` on. It owns its widgets.
  PartRow(const QString& title, PathEdit* edit, QGridLayout* grid, int at, const Theme* theme,
          QWidget* parent);
  ~PartRow() override;

  PathEdit* edit() const { return edit_; }
  QString path() const;
  QString status() const { return text_; }
  State state() const { return state_; }
  void set_status(State state, const QString& text);
  /// Fills in what was found, unless the user has chosen something else.
  void prefill(const QString& path);
  /// Its path isn't the user's choice.
  bool is_prefilled() const { return path() == prefilled_; }

 private:
  void dress();

  PathEdit* edit_;
  QLabel *title_, *icon_, *status_;
  const Theme* theme_;
  State state_ = State::open;
  QString text_;
  QString prefilled_;  ///< by the program; the user's own paths differ from it
};

}  // namespace mantissa::gui
