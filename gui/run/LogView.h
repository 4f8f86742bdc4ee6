#pragma once

#include <QVector>
#include <QWidget>
#include <deque>

#include "gui/base/Theme.h"
#include "gui/engine/EngineClient.h"

class QPlainTextEdit;

namespace mantissa::gui {

class NoWheelCombo;

/// The engine's log, newest last, filtered by level. Lines are always plain text.
class LogView : public QWidget {
  Q_OBJECT

 public:
  explicit LogView(const Theme* theme, QWidget* parent = nullptr);

  void append(const QVector<LogLine>& lines);
  void clear();
  /// All of it, whatever the minimum level.
  QVector<LogLine> lines() const { return {lines_.begin(), lines_.end()}; }
  /// Only lines of this level and above.
  void set_level(int level);
  QString text() const;

  static constexpr int kMaxLines = 5000;

 signals:
  /// The latest shown line; empty if there is none.
  void line_added(const QString& text);

 private:
  void write(const LogLine& line);
  void rewrite();

  const Theme* theme_;
  NoWheelCombo* level_;
  QPlainTextEdit* view_;
  std::deque<LogLine> lines_;
};

}  // namespace mantissa::gui
