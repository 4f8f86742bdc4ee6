#pragma once

#include <QStringList>
#include <QVector>
#include <QWidget>
#include <deque>

#include "gui/base/Theme.h"
#include "gui/engine/EngineClient.h"

class QLineEdit;
class QPlainTextEdit;

namespace mantissa::gui {

class NoWheelCombo;

/// The engine's log, newest last, filtered by level and words. Lines are always plain text.
class LogView : public QWidget {
  Q_OBJECT

 public:
  explicit LogView(const Theme* theme, QWidget* parent = nullptr);

  void append(const QVector<LogLine>& lines);
  void clear();
  /// All of it, whatever is filtered out.
  QVector<LogLine> lines() const { return {lines_.begin(), lines_.end()}; }
  /// Only lines with every word of it, in any case; all if it is empty.
  void set_search(const QString& words);
  /// The lines that are shown, with whole paths.
  QString text() const;
  /// What the tooltip of a place in the text says; empty if nothing is left out there.
  QString tip_at(QPoint at) const;
  QPlainTextEdit* view() const { return view_; }

  static constexpr int kMaxLines = 5000;

 signals:
  /// The latest shown line, and the same with whole paths; empty if there is none.
  void line_added(const QString& text, const QString& whole);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  LogLevel minimum() const;
  bool is_shown(const LogLine& line) const;
  QString line_text(const LogLine& line, const QString& said) const;
  void write(const LogLine& line);
  void rewrite();

  const Theme* theme_;
  NoWheelCombo* level_;
  QLineEdit* search_;
  QStringList words_;
  QPlainTextEdit* view_;
  std::deque<LogLine> lines_;
};

}  // namespace mantissa::gui
