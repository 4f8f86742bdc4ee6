#pragma once

#include <QVector>
#include <QWidget>

#include "gui/base/Theme.h"
#include "gui/dataset/CaptionTokens.h"
#include "gui/dataset/Tags.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;
class QVBoxLayout;

namespace mantissa::gui {

class CaptionBook;
class CaptionPreview;
class ElideLabel;
class NoWheelCombo;
class TagTable;

/// The caption of the current image, tools for the tags of all selected ones with a preview, and
/// the tags in use.
class CaptionEditor : public QWidget {
  Q_OBJECT

 public:
  enum Tool {
    add_last,
    add_first,
    remove,
    replace,
    prefix,
    suffix,
    sort,
    pattern,
    unique,
    by_name
  };

  CaptionEditor(CaptionBook* book, const Theme* theme, QWidget* parent = nullptr);

  /// -1: none. `chosen` are the selected ones, which the tools change.
  void show_items(int current, const QVector<int>& chosen);
  /// The tokens of the current caption; what a tokenizer cuts is marked.
  void show_tokens(const TokenCounts& counts);
  /// The images that the page's filter shows: the tools change these if none is selected. Images
  /// that are hidden are never changed.
  void set_shown(const QVector<int>& items);
  /// Applies a tool to the selected captions, or to those shown; returns how many changed.
  int apply(Tool tool, const QString& text, const QString& with = {});
  /// Another data set was opened; `tags` are those of its captions.
  void reset(TagCounts tags);

  QPlainTextEdit* text() const { return text_; }
  QTableWidget* tags() const;
  NoWheelCombo* tool() const { return tool_; }
  QLineEdit* word() const { return word_; }
  QLineEdit* with() const { return with_; }
  QPushButton* apply_button() const { return apply_; }
  CaptionPreview* preview() const { return preview_; }
  QString token_text() const;
  QString problem_text() const;

 signals:
  void tag_chosen(const QString& tag);
  void told(const QString& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build_caption(QVBoxLayout* column);
  void build_tools(QVBoxLayout* column);
  void connect_caption();
  void connect_tools();
  void show_caption();
  void update_tools();
  void update_preview();
  bool takes_word(Tool tool) const;
  void update_apply();
  const QVector<int>& edited_items() const { return chosen_.isEmpty() ? shown_ : chosen_; }
  /// What a tool makes of a caption.
  QString edited(Tool tool, const QString& caption, const QString& text, const QString& with) const;

  CaptionBook* book_;
  QLabel* source_;
  ElideLabel *state_, *tokens_;
  QPlainTextEdit* text_;
  NoWheelCombo* tool_;
  QLineEdit *word_, *with_;
  QLabel* problem_;  ///< of the pattern
  QPushButton* apply_;
  CaptionPreview* preview_;
  TagTable* tags_;
  const Theme* theme_;
  int current_ = -1;
  QVector<int> chosen_, shown_;
};

}  // namespace mantissa::gui
