#include "gui/preset/PresetTextView.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTextBlock>
#include <QTextEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "engine/core/error.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/preset_text.h"
#include "gui/base/EngineText.h"
#include "gui/base/StudioFont.h"
#include "gui/base/Text.h"
#include "gui/preset/PresetDocument.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kPauseMs = 150;
constexpr const char* kSource = "text";

}  // namespace

/// The line number strip next to the text.
class LineNumbers : public QWidget {
 public:
  explicit LineNumbers(LineEditor* editor) : QWidget(editor), editor_(editor) {}
  QSize sizeHint() const override { return {editor_->number_width(), 0}; }

 protected:
  void paintEvent(QPaintEvent*) override { editor_->paint_numbers(this); }

 private:
  LineEditor* editor_;
};

LineEditor::LineEditor(const Theme* theme, QWidget* parent)
    : QPlainTextEdit(parent), theme_(theme), numbers_(new LineNumbers(this)) {
  setFont(fixed_font());
  setLineWrapMode(QPlainTextEdit::WidgetWidth);
  setTabChangesFocus(true);
  setTabStopDistance(fontMetrics().horizontalAdvance(QLatin1Char(' ')) * 2);
  connect(this, &QPlainTextEdit::blockCountChanged, this, &LineEditor::place_numbers);
  connect(this, &QPlainTextEdit::updateRequest, numbers_,
          [this](const QRect&, int) { numbers_->update(); });
  connect(theme_, &Theme::changed, this, [this] { mark_line(marked_); });
  place_numbers();
}

int LineEditor::number_width() const {
  const int digits = std::max<int>(2, QString::number(blockCount()).size());
  return Space::large + digits * fontMetrics().horizontalAdvance(QLatin1Char('9'));
}

void LineEditor::place_numbers() {
  setViewportMargins(number_width(), 0, 0, 0);
  const QRect inside = contentsRect();
  numbers_->setGeometry(inside.left(), inside.top(), number_width(), inside.height());
}

void LineEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  place_numbers();
}

void LineEditor::paint_numbers(QWidget* area) {
  QPainter painter(area);
  const ThemeColors& c = theme_->colors();
  painter.setFont(font());
  QTextBlock block = firstVisibleBlock();
  double top = blockBoundingGeometry(block).translated(contentOffset()).top();
  while (block.isValid() && top < area->height()) {
    const int number = block.blockNumber() + 1;
    painter.setPen(number == marked_ ? c.error : c.muted);
    painter.drawText(QRectF(0, top, area->width() - Space::small, fontMetrics().height()),
                     Qt::AlignRight, QString::number(number));
    top += blockBoundingRect(block).height();
    block = block.next();
  }
}

void LineEditor::mark_line(int line) {
  marked_ = line;
  QList<QTextEdit::ExtraSelection> marks;
  const QTextBlock block = document()->findBlockByNumber(line - 1);
  if (line > 0 && block.isValid()) {
    QTextEdit::ExtraSelection mark;
    mark.format.setBackground(theme_->colors().error_surface);
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    mark.cursor = QTextCursor(block);
    marks << mark;
  }
  setExtraSelections(marks);
  numbers_->update();
}

PresetTextView::PresetTextView(PresetDocument* document, const Theme* theme, QWidget* parent)
    : QWidget(parent), document_(document) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  auto* top = new QHBoxLayout;
  top->setSpacing(Space::small);
  top->addStretch();
  full_ = new QToolButton(this);
  full_->setText(tr("All settings"));
  full_->setCheckable(true);
  full_->setProperty("kind", QStringLiteral("chip"));
  full_->setAccessibleName(tr("Show settings with their default values too"));
  top->addWidget(full_);
  auto* copy = new QPushButton(tr("Copy"), this);
  copy->setAccessibleName(tr("Copy the text"));
  top->addWidget(copy);
  auto* paste = new QPushButton(tr("Paste"), this);
  paste->setAccessibleName(tr("Replace the text with the clipboard"));
  top->addWidget(paste);
  revert_ = new QPushButton(tr("Revert"), this);
  revert_->setAccessibleName(tr("Discard the edited text"));
  top->addWidget(revert_);
  apply_ = new QPushButton(tr("Apply"), this);
  apply_->setAccessibleName(tr("Apply the edited text"));
  apply_->setToolTip(tr("Apply (Ctrl+Return)"));
  apply_->setProperty("kind", QStringLiteral("primary"));
  top->addWidget(apply_);
  column->addLayout(top);
  state_ = make_label(QString(), "muted", this);
  state_->setWordWrap(true);
  column->addWidget(state_);
  editor_ = new LineEditor(theme, this);
  editor_->setAccessibleName(tr("Preset as text"));
  column->addWidget(editor_, 1);
  problem_ = make_label(QString(), "error", this);
  problem_->setWordWrap(true);
  problem_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  problem_->hide();
  column->addWidget(problem_);

  auto* accept = new QAction(tr("Apply the edited text"), this);
  accept->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));
  accept->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addAction(accept);
  connect(accept, &QAction::triggered, this, &PresetTextView::apply);
  connect(apply_, &QPushButton::clicked, this, &PresetTextView::apply);
  connect(revert_, &QPushButton::clicked, this, &PresetTextView::revert);
  connect(full_, &QToolButton::toggled, this, &PresetTextView::revert);
  connect(copy, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(editor_->toPlainText()); });
  connect(paste, &QPushButton::clicked, this, [this] {
    // As an edit, so that the editor's own undo reverts it.
    editor_->selectAll();
    editor_->insertPlainText(QApplication::clipboard()->text());
  });
  pause_.setSingleShot(true);
  pause_.setInterval(kPauseMs);
  connect(&pause_, &QTimer::timeout, this, &PresetTextView::check);
  connect(editor_, &QPlainTextEdit::textChanged, this, [this] {
    if (loading_) {
      return;
    }
    edited_ = true;
    pause_.start();
    apply_->setEnabled(true);
    revert_->setEnabled(true);
    state_->setText(tr("Edited, not applied yet"));
    emit edited();
  });
  connect(document_, &PresetDocument::changed, this, [this] {
    both_edited_ = edited_;
    refresh();
  });
  revert();
}

QString PresetTextView::problem() const {
  return problem_->isHidden() ? QString() : problem_->text();
}

std::optional<QString> PresetTextView::unapplied() const {
  return edited_ ? std::optional(editor_->toPlainText()) : std::nullopt;
}

void PresetTextView::set_unapplied(const QString& text) {
  editor_->setPlainText(text);
}

void PresetTextView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) {
    refresh();
  }
}

void PresetTextView::refresh() {
  stale_ = !isVisible();
  if (stale_ && !edited_) {
    return;
  }
  if (edited_) {
    state_->setText(tr("Edited here; the form has changed too. Apply replaces the form's values."));
    return;
  }
  revert();
}

void PresetTextView::revert() {
  const QString text = to_qstring(
      to_json(document_->preset(), full_->isChecked() ? WriteMode::full : WriteMode::changed));
  if (editor_->toPlainText() != text) {
    loading_ = true;
    editor_->setPlainText(text);
    loading_ = false;
  }
  editor_->document()->setModified(false);
  both_edited_ = false;
  if (std::exchange(edited_, false)) {
    emit edited();
  }
  pause_.stop();
  problem_->hide();
  editor_->mark_line(0);
  apply_->setEnabled(false);
  revert_->setEnabled(false);
  state_->setText(full_->isChecked() ? tr("Every setting") : tr("What differs from the defaults"));
}

QString PresetTextView::check() {
  try {
    parse_preset(editor_->toPlainText().toStdString(), kSource);
    problem_->hide();
    editor_->mark_line(0);
    return {};
  } catch (const ProblemList& e) {
    QStringList lines;
    for (const LineProblem& p : e.problems()) {
      const QString said = message_text(p.message);
      lines << (p.line == 0 ? said : tr("Line %1: %2").arg(p.line).arg(said));
    }
    const LineProblem& first = e.problems().front();
    editor_->mark_line(first.line);
    problem_->setText(lines.join(QLatin1Char('\n')));
    problem_->show();
    const QString said = message_text(first.message);
    return first.line == 0 ? tr("The text has an error: %1").arg(said)
                           : tr("The text has an error in line %1: %2").arg(first.line).arg(said);
  }
}

void PresetTextView::apply() {
  both_edited_ = false;  // its values replace those of the form, as the state says
  settle();
}

QString PresetTextView::settle() {
  if (!edited_) {
    return {};
  }
  if (both_edited_) {
    return tr("The preset was edited as text and in the form: apply or revert the text first.");
  }
  pause_.stop();
  if (const QString wrong = check(); !wrong.isEmpty()) {
    const QTextBlock block = editor_->document()->findBlockByNumber(editor_->marked_line() - 1);
    if (block.isValid()) {
      editor_->setTextCursor(QTextCursor(block));
    }
    return wrong;
  }
  const Preset preset = parse_preset(editor_->toPlainText().toStdString(), "");
  edited_ = false;
  if (!diff_presets(document_->preset(), preset).empty()) {
    document_->replace(preset, tr("editing as text"));
  }
  revert();
  emit edited();
  return {};
}

}  // namespace mantissa::gui
