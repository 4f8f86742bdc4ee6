#pragma once

#include <QPlainTextEdit>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "gui/base/Theme.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace mantissa::gui {

class PresetDocument;

/// A plain editor with line numbers that marks one line as wrong.
class LineEditor : public QPlainTextEdit {
  Q_OBJECT

 public:
  LineEditor(const Theme* theme, QWidget* parent = nullptr);
  /// 0 marks none.
  void mark_line(int line);
  int marked_line() const { return marked_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  friend class LineNumbers;
  int number_width() const;
  void place_numbers();
  void paint_numbers(QWidget* area);

  const Theme* theme_;
  QWidget* numbers_;
  int marked_ = 0;
};

/// The preset as text: to read, copy, paste and edit. Edits take effect when applied, as one step
/// of undo; errors are shown with their line while typing.
class PresetTextView : public QWidget {
  Q_OBJECT

 public:
  PresetTextView(PresetDocument* document, const Theme* theme, QWidget* parent = nullptr);

  LineEditor* editor() const { return editor_; }
  QString problem() const;
  bool is_edited() const { return edited_; }
  void apply();
  void revert();
  /// Applies the edited text, if there is any, for what reads the preset. Returns why it can't be
  /// applied, with the text as it is and its line marked; else empty.
  QString settle();
  /// The edited text that is not applied yet.
  std::optional<QString> unapplied() const;
  /// Edits the text to this, as typing would.
  void set_unapplied(const QString& text);

 signals:
  /// The text was edited, applied or reverted.
  void edited();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  /// Marks the problems of the text. Returns the first as a sentence, or empty.
  QString check();

  PresetDocument* document_;
  LineEditor* editor_;
  QLabel *state_, *problem_;
  QPushButton *apply_, *revert_;
  QToolButton* full_;
  QTimer pause_;
  bool edited_ = false, stale_ = true, loading_ = false;
  bool both_edited_ = false;  ///< the form was edited after the text was
};

}  // namespace mantissa::gui
