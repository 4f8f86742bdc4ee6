#pragma once

#include <QWidget>

#include "gui/base/Theme.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;

namespace mantissa::gui {

class CaptionBook;
class NoWheelCombo;

/// The caption of the current image, tools for the tags of all selected ones, and the tags in use.
class CaptionEditor : public QWidget {
  Q_OBJECT

 public:
  enum Tool { add_last, add_first, remove, replace, prefix, suffix, sort };

  CaptionEditor(CaptionBook* book, const Theme* theme, QWidget* parent = nullptr);

  /// -1: none. `chosen` are those the tools change.
  void show_items(int current, const QVector<int>& chosen);
  /// Applies a tool to the selected captions; returns how many changed.
  int apply(Tool tool, const QString& text, const QString& with = {});
  void update_tags();

  QPlainTextEdit* text() const { return text_; }
  QTableWidget* tags() const { return tags_; }
  NoWheelCombo* tool() const { return tool_; }
  QLineEdit* word() const { return word_; }
  QPushButton* apply_button() const { return apply_; }

 signals:
  void tag_chosen(const QString& tag);
  void told(const QString& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void show_caption();
  void update_tools();

  CaptionBook* book_;
  QLabel *source_, *state_;
  QPlainTextEdit* text_;
  NoWheelCombo* tool_;
  QLineEdit *word_, *with_;
  QPushButton* apply_;
  QTableWidget* tags_;
  int current_ = -1;
  QVector<int> chosen_;
};

}  // namespace mantissa::gui
