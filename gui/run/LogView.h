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
  QString text() const;

  static constexpr int kMaxLines = 5000;

 signals:
  /// The latest shown line; empty if there is none.
  void line_added(const QString& text);

 private:
  LogLevel minimum() const;
  bool is_shown(const LogLine& line) const;
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
