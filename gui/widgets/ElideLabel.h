#pragma once

#include <QWidget>

namespace mantissa::gui {

/// One line of plain text, elided in the middle to fit; the whole text is the tooltip.
class ElideLabel : public QWidget {
  Q_OBJECT

 public:
  explicit ElideLabel(const QString& text = {}, QWidget* parent = nullptr);
  void set_text(const QString& text);
  QString text() const { return text_; }
  /// Drawn in the palette's muted colour.
  void set_muted(bool muted);
  void set_mode(Qt::TextElideMode mode);
  /// Parts with " · " between: those that fit are shown, whole, and none is cut.
  void set_parts(const QStringList& parts);
  /// A longer text that it may get: its size hint has room for it.
  void set_longest(const QString& text);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString fitting() const;

  QString text_, longest_;
  QStringList parts_;  ///< of the text, if it has any
  bool muted_ = false;
  Qt::TextElideMode mode_ = Qt::ElideMiddle;
};

}  // namespace mantissa::gui
