#pragma once

#include <QHash>
#include <QWidget>

#include "gui/base/Theme.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;

namespace mantissa::gui {

class CaptionBook;
class CaptionPreview;
class ElideLabel;
class NoWheelCombo;

/// The caption of the current image, tools for the tags of all selected ones with a preview, and
/// the tags in use.
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
  QLineEdit* with() const { return with_; }
  QPushButton* apply_button() const { return apply_; }
  CaptionPreview* preview() const { return preview_; }

 signals:
  void tag_chosen(const QString& tag);
  void told(const QString& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void show_caption();
  void update_tools();
  void update_preview();
  void update_apply();
  QVector<int> edited_items() const;
  /// What a tool makes of a caption.
  QString edited(Tool tool, const QString& caption, const QString& text, const QString& with) const;

  CaptionBook* book_;
  QLabel* source_;
  ElideLabel* state_;
  QPlainTextEdit* text_;
  NoWheelCombo* tool_;
  QLineEdit *word_, *with_;
  QPushButton* apply_;
  CaptionPreview* preview_;
  QTableWidget* tags_;
  int current_ = -1;
  QVector<int> chosen_;
  QHash<QString, int> counts_;  ///< of lowercase tags, for sorting
};

}  // namespace mantissa::gui
