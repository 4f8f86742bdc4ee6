#include "gui/dataset/CaptionEditor.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextCursor>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/base/Text.h"
#include "gui/dataset/CaptionBook.h"
#include "gui/dataset/CaptionPreview.h"
#include "gui/dataset/TagTable.h"
#include "gui/preset/SchemaText.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/WrapLabel.h"

namespace mantissa::gui {

namespace {

/// What a tool does, and to how many images.
QString action_text(CaptionEditor::Tool tool, int images) {
  switch (tool) {
    case CaptionEditor::add_last:
    case CaptionEditor::add_first:
      return CaptionEditor::tr("Add tag to %n image(s)", nullptr, images);
    case CaptionEditor::remove:
      return CaptionEditor::tr("Remove tag from %n image(s)", nullptr, images);
    case CaptionEditor::replace:
      return CaptionEditor::tr("Replace tag in %n image(s)", nullptr, images);
    case CaptionEditor::prefix:
    case CaptionEditor::suffix:
      return CaptionEditor::tr("Add text to %n image(s)", nullptr, images);
    case CaptionEditor::sort:
    case CaptionEditor::by_name:
      return CaptionEditor::tr("Sort tags of %n image(s)", nullptr, images);
    case CaptionEditor::pattern:
      return CaptionEditor::tr("Replace in %n image(s)", nullptr, images);
    case CaptionEditor::unique:
      return CaptionEditor::tr("Remove repeated tags from %n image(s)", nullptr, images);
  }
  return {};
}

/// What is wrong with a pattern, with room for two lines, so that what is typed moves nothing. Its
/// height is not the width's: in a column that scrolls, one such label would give everything in it
/// the height that it would like, and push the fields out of sight.
class ProblemLine : public WrapLabel {
 public:
  explicit ProblemLine(QWidget* parent) : WrapLabel(parent) {
    setTextFormat(Qt::PlainText);
    setProperty("role", QStringLiteral("error"));
    setWordWrap(true);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    hide();
  }
  bool hasHeightForWidth() const override { return false; }
  QSize sizeHint() const override { return {WrapLabel::sizeHint().width(), room()}; }
  QSize minimumSizeHint() const override { return {WrapLabel::minimumSizeHint().width(), room()}; }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    WrapLabel::resizeEvent(event);
    if (std::exchange(told_, room()) != room()) {
      updateGeometry();
    }
  }

 private:
  int room() const {
    const int lines = 2 * fontMetrics().lineSpacing();
    return width() > 0 ? std::max(lines, heightForWidth(width())) : lines;
  }
  int told_ = 0;  ///< the room that its width needed
};

/// What is wrong with a pattern or with its new text, in which a \\9 without a group would be
/// written as it is; empty if nothing is.
QString pattern_problem(const QRegularExpression& pattern, const QString& with) {
  if (!pattern.isValid()) {
    return CaptionEditor::tr("Not a valid regular expression: %1 (character %2).")
        .arg(pattern.errorString())
        .arg(pattern.patternErrorOffset() + 1);
  }
  static const QRegularExpression reference(QStringLiteral("\\\\([1-9])"));
  const int groups = pattern.captureCount();
  for (auto it = reference.globalMatch(with); it.hasNext();) {
    const int group = it.next().captured(1).toInt();
    if (group > groups && !pattern.pattern().isEmpty()) {
      return CaptionEditor::tr("\\%1 names no group: the pattern has %n group(s).", nullptr, groups)
          .arg(group);
    }
  }
  return {};
}

}  // namespace

CaptionEditor::CaptionEditor(CaptionBook* book, const Theme* theme, QWidget* parent)
    : QWidget(parent), book_(book), theme_(theme) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  build_caption(column);
  build_tools(column);
  tags_ = new TagTable(book_, this);
  column->addWidget(tags_, 3);
  connect_caption();
  connect_tools();
  show_items(-1, {});
}

void CaptionEditor::build_caption(QVBoxLayout* column) {
  auto* head = new QHBoxLayout;
  source_ = make_heading(tr("Caption"), this);
  state_ = new ElideLabel(QString(), this);
  state_->set_muted(true);
  state_->set_mode(Qt::ElideRight);
  head->addWidget(source_);
  head->addSpacing(Space::small);
  head->addWidget(state_, 1);
  column->addLayout(head);
  text_ = new QPlainTextEdit(this);
  text_->setAccessibleName(tr("Caption of the image"));
  text_->setTabChangesFocus(true);
  text_->setUndoRedoEnabled(false);  // the page's own undo covers every caption
  text_->installEventFilter(this);
  text_->setMinimumHeight(2 * fontMetrics().lineSpacing() + 16);
  column->addWidget(text_, 2);
  tokens_ = new ElideLabel(QString(), this);
  tokens_->set_muted(true);
  tokens_->set_mode(Qt::ElideRight);
  tokens_->hide();
  column->addWidget(tokens_);
}

void CaptionEditor::build_tools(QVBoxLayout* column) {
  tool_ = new NoWheelCombo(this);
  tool_->setAccessibleName(tr("What to do with the captions of the selected images"));
  tool_->addItems({tr("Add tag at the end"), tr("Add tag in front"), tr("Remove tag"),
                   tr("Replace tag"), tr("Put text before"), tr("Put text after"),
                   tr("Sort tags by frequency"), tr("Replace by pattern"),
                   tr("Remove repeated tags"), tr("Sort tags by name")});
  tool_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  column->addWidget(tool_, 0, Qt::AlignLeft);
  auto* tools = new QHBoxLayout;
  tools->setSpacing(Space::small);
  word_ = new QLineEdit(this);
  word_->setAccessibleName(tr("Tag or text"));
  word_->setMinimumWidth(60);
  tools->addWidget(word_, 1);
  with_ = new QLineEdit(this);
  with_->setAccessibleName(tr("New tag"));
  with_->setPlaceholderText(tr("New tag"));
  with_->setMinimumWidth(60);
  tools->addWidget(with_, 1);
  column->addLayout(tools);
  problem_ = new ProblemLine(this);
  column->addWidget(problem_);
  apply_ = new QPushButton(this);
  column->addWidget(apply_, 0, Qt::AlignRight);
  preview_ = new CaptionPreview(book_, theme_, this);
  column->addWidget(preview_);
  connect(preview_, &CaptionPreview::counted, this, &CaptionEditor::update_apply);
}

void CaptionEditor::connect_caption() {
  connect(text_, &QPlainTextEdit::textChanged, this, [this] {
    if (current_ >= 0) {
      book_->type(current_, text_->toPlainText());
    }
  });
  connect(book_, &CaptionBook::changed, this, [this](const QVector<int>& items) {
    state_->set_text(tr("Not saved yet"));
    if (items.contains(current_)) {
      show_caption();
    }
    tags_->count_again(items);
    update_preview();
  });
  connect(book_, &CaptionBook::saved, this, [this] { state_->set_text(tr("Saved")); });
  connect(book_, &CaptionBook::problem, this, [this] { state_->set_text(tr("Not saved")); });
}

void CaptionEditor::connect_tools() {
  connect(tool_, &QComboBox::currentIndexChanged, this, &CaptionEditor::update_tools);
  connect(word_, &QLineEdit::textChanged, this, &CaptionEditor::update_preview);
  connect(with_, &QLineEdit::textChanged, this, &CaptionEditor::update_preview);
  const auto go = [this] {
    const int changed =
        apply(static_cast<Tool>(tool_->currentIndex()), word_->text(), with_->text());
    emit told(tr("%n caption(s) changed.", nullptr, changed));
  };
  connect(apply_, &QPushButton::clicked, this, go);
  for (QLineEdit* edit : {word_, with_}) {
    connect(edit, &QLineEdit::returnPressed, this, [this, go] {
      if (apply_->isEnabled()) {
        go();
      }
    });
  }
  // A clicked tag is used by the tools; Enter shows its images.
  connect(tags_, &TagTable::tag_selected, word_, &QLineEdit::setText);
  connect(tags_, &TagTable::tag_activated, this, &CaptionEditor::tag_chosen);
}

QTableWidget* CaptionEditor::tags() const {
  return tags_;
}

bool CaptionEditor::eventFilter(QObject* watched, QEvent* event) {
  if (watched == text_ && event->type() == QEvent::ShortcutOverride) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
      key->ignore();
      return true;  // the text field would consume the key
    }
  }
  return QWidget::eventFilter(watched, event);
}

void CaptionEditor::show_items(int current, const QVector<int>& chosen) {
  current_ = current;
  chosen_ = chosen;
  show_caption();
  update_tools();
}

void CaptionEditor::show_caption() {
  const QString caption = current_ < 0 ? QString() : book_->caption(current_);
  const bool writable = current_ >= 0 && book_->is_writable(current_);
  const QString stand_in = current_ < 0 ? QString() : book_->stand_in(current_);
  text_->setPlaceholderText(
      stand_in.isEmpty()
          ? tr("What the image shows; tags are separated by commas")
          : tr("No caption: trained with the folder's name, “%1”").arg(shown(stand_in)));
  text_->setEnabled(current_ >= 0);
  text_->setReadOnly(!writable);
  if (current_ >= 0 && !writable) {
    state_->set_text(tr("Read-only: comes with Mantissa"));
    state_->setToolTip(tr("To change the captions, copy the folder and choose the copy in Setup."));
  } else if (book_->is_saved()) {
    state_->set_text(QString());
  }
  if (text_->toPlainText() != caption) {
    const QSignalBlocker quiet(text_);
    const int at = text_->textCursor().position();
    text_->setPlainText(caption);
    QTextCursor cursor = text_->textCursor();
    cursor.setPosition(std::min(at, static_cast<int>(caption.size())));
    text_->setTextCursor(cursor);
  }
}

void CaptionEditor::update_tools() {
  const auto tool = static_cast<Tool>(tool_->currentIndex());
  word_->setVisible(takes_word(tool));
  with_->setVisible(tool == replace || tool == pattern);
  word_->setPlaceholderText(tool == prefix || tool == suffix ? tr("Text")
                            : tool == pattern                ? tr("Regular expression")
                                                             : tr("Tag"));
  with_->setPlaceholderText(tool == pattern ? tr("New text; \\1 is the first group")
                                            : tr("New tag"));
  with_->setAccessibleName(tool == pattern ? tr("New text") : tr("New tag"));
  update_preview();
}

bool CaptionEditor::takes_word(Tool tool) const {
  return tool != sort && tool != unique && tool != by_name;
}

QString CaptionEditor::token_text() const {
  return tokens_->isVisibleTo(this) ? tokens_->text() : QString();
}

QString CaptionEditor::problem_text() const {
  return problem_->isVisibleTo(this) ? problem_->text() : QString();
}

/// The rest that a tokenizer doesn't read is struck through by a wave: colours only support that.
void CaptionEditor::show_tokens(const TokenCounts& counts) {
  QStringList parts;
  qsizetype read = text_->toPlainText().size();
  const qsizetype whole = read;
  for (const TokenCount& count : counts) {
    parts << tr("%1: %2 of %3 tokens")
                 .arg(choice_text(QString(), count.part), step_text(count.tokens),
                      step_text(count.most));
    read = count.is_cut() ? std::min(read, count.read) : read;
  }
  QList<QTextEdit::ExtraSelection> marks;
  if (read < whole) {
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(text_->document());
    mark.cursor.setPosition(static_cast<int>(read));
    mark.cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
    mark.format.setForeground(theme_->colors().muted);
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(theme_->colors().warning);
    marks << mark;
    parts.prepend(tr("The marked end isn't read"));
  }
  text_->setExtraSelections(marks);
  tokens_->set_text(parts.join(QStringLiteral(" · ")));
  tokens_->setVisible(!parts.isEmpty());
}

void CaptionEditor::set_shown(const QVector<int>& items) {
  shown_ = items;
  if (chosen_.isEmpty()) {
    update_preview();
  }
}

void CaptionEditor::update_preview() {
  const auto tool = static_cast<Tool>(tool_->currentIndex());
  const QRegularExpression tried(tool == pattern ? word_->text() : QString());
  problem_->setVisible(tool == pattern);
  problem_->setText(shown(tool == pattern ? pattern_problem(tried, with_->text()) : QString()));
  const bool blank = tool == pattern ? word_->text().isEmpty() : word_->text().trimmed().isEmpty();
  if (takes_word(tool) && blank) {
    preview_->show_edit({}, {});
    return;
  }
  if (!problem_->text().isEmpty()) {
    // Nothing changes, and the preview keeps its room.
    preview_->show_edit(edited_items(), [](const QString& caption) { return caption; });
    return;
  }
  preview_->show_edit(edited_items(),
                      [this, tool, text = word_->text(), with = with_->text()](
                          const QString& caption) { return edited(tool, caption, text, with); });
}

void CaptionEditor::update_apply() {
  const int count = static_cast<int>(edited_items().size());
  const bool counted = preview_->total() > 0 && preview_->is_counted();
  const int changing = counted ? static_cast<int>(preview_->changing()) : count;
  apply_->setText(action_text(static_cast<Tool>(tool_->currentIndex()), changing));
  apply_->setAccessibleName(apply_->text());
  apply_->setToolTip(
      !chosen_.isEmpty() ? tr("Of the %n selected image(s)", nullptr, count)
      : count == book_->size()
          ? tr("Of all %n image(s)", nullptr, count)
          : tr("Of the %n image(s) shown; the others stay as they are", nullptr, count));
  apply_->setEnabled(problem_->text().isEmpty() &&
                     (preview_->changing() > 0 || !preview_->is_counted()));
}

QString CaptionEditor::edited(Tool tool, const QString& caption, const QString& text,
                              const QString& with) const {
  switch (tool) {
    case add_last:
      return add_tag(caption, text, false);
    case add_first:
      return add_tag(caption, text, true);
    case remove:
      return remove_tag(caption, text);
    case replace:
      return replace_tag(caption, text, with);
    case prefix:
      return text + caption;
    case suffix:
      return caption + text;
    case sort:
      return sort_tags(caption, tags_->counts().by_tag());
    case pattern:
      return QString(caption).replace(QRegularExpression(text), with);
    case unique:
      return unique_tags(caption);
    case by_name:
      return sort_tags_by_name(caption);
  }
  return caption;
}

int CaptionEditor::apply(Tool tool, const QString& text, const QString& with) {
  std::vector<CaptionBook::Change> changes;
  for (const int item : edited_items()) {
    changes.emplace_back(item, edited(tool, book_->caption(item), text, with));
  }
  return book_->change(changes, tool_->itemText(tool).toLower());
}

void CaptionEditor::reset(TagCounts tags) {
  // Items of the data set before mean nothing now.
  shown_.clear();
  show_items(-1, {});
  tags_->reset(std::move(tags));
}

}  // namespace mantissa::gui
