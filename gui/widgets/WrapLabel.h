#pragma once

#include <QLabel>

namespace mantissa::gui {

/// A label that, where it wraps, breaks words too long for a line: a file's name with no space in
/// it must not make a column as wide as itself. What is copied from it has no breaks.
class WrapLabel : public QLabel {
  Q_OBJECT

 public:
  using QLabel::QLabel;

  QSize minimumSizeHint() const override;
  int heightForWidth(int width) const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  /// Whether it wraps and holds a word longer than its least width.
  bool breaks_words() const;
  /// The document of a label whose text can be selected; null for any other.
  QTextDocument* document() const;
  /// Lays the document out with words broken.
  void break_in_document(QTextDocument* document) const;
};

/// The text with places to break, which are not seen, in words of more than a few letters. East
/// Asian writing and emoji stay as they are.
QString with_breaks(const QString& text);

}  // namespace mantissa::gui
