#pragma once

#include <QAbstractButton>

namespace mantissa::gui {

/// The newest line of the log, over the whole width: in a narrow window in two lines. What still
/// doesn't fit is in the tooltip, and a click opens the log.
class NewestLine : public QAbstractButton {
  Q_OBJECT

 public:
  explicit NewestLine(QWidget* parent = nullptr);
  /// `whole`: with the paths that `line` shortens.
  void show_line(const QString& line, const QString& whole);
  QString line() const { return line_; }
  /// Whether all of it can be read.
  bool is_whole() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// By the width alone, so that no other text moves what is above.
  int lines() const;
  /// The line in at most as many, the last one elided.
  QStringList broken() const;

  QString line_;
};

}  // namespace mantissa::gui
