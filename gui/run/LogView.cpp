#include "gui/run/LogView.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/base/StudioFont.h"
#include "gui/base/Text.h"
#include "gui/run/LogText.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kLevelWidth = 7;  ///< characters of a level's name

/// What a line says with whole paths.
struct Whole : QTextBlockUserData {
  explicit Whole(QString said) : text(std::move(said)) {}
  QString text;
};

}  // namespace

LogView::LogView(const Theme* theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::tiny);
  auto* top = new QHBoxLayout;
  search_ = new QLineEdit(this);
  search_->setPlaceholderText(tr("Search the log"));
  search_->setAccessibleName(tr("Search the log"));
  add_clear_button(search_, tr("Clear the search"));
  search_->setMinimumWidth(90);
  top->addWidget(search_, 1);
  level_ = new NoWheelCombo(this);
  level_->setAccessibleName(tr("Minimum log level"));
  level_->addItems(
      {tr("Everything"), tr("Info and above"), tr("Warnings and errors"), tr("Errors only")});
  level_->setMinimumContentsLength(16);
  level_->setCurrentIndex(1);
  top->addWidget(level_);
  auto* copy = new QPushButton(tr("Copy"), this);
  copy->setAccessibleName(tr("Copy the log"));
  top->addWidget(copy);
  column->addLayout(top);
  view_ = new QPlainTextEdit(this);
  view_->setReadOnly(true);
  view_->setProperty("log", QStringLiteral("true"));
  view_->setAccessibleName(tr("Log"));
  view_->setMaximumBlockCount(kMaxLines);
  view_->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  view_->viewport()->installEventFilter(this);
  view_->setUndoRedoEnabled(false);
  QFont mono = fixed_font();
  mono.setPointSizeF(QApplication::font().pointSizeF() - 1);
  view_->setFont(mono);
  view_->setPlaceholderText(tr("Engine messages appear here."));
  column->addWidget(view_, 1);
  connect(level_, &QComboBox::currentIndexChanged, this, &LogView::rewrite);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    words_ = text.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    rewrite();
  });
  connect(copy, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(text()); });
  connect(theme_, &Theme::changed, this, &LogView::rewrite);
}

LogLevel LogView::minimum() const {
  return log_level_of(level_->currentIndex());
}

bool LogView::is_shown(const LogLine& line) const {
  if (line.level < minimum()) {
    return false;
  }
  if (words_.isEmpty()) {
    return true;
  }
  const QString text =
      (whole_log_text(line.text) + QLatin1Char('\n') + short_log_text(line.text)).toLower();
  return std::all_of(words_.begin(), words_.end(),
                     [&](const QString& word) { return text.contains(word); });
}

QString LogView::line_text(const LogLine& line, const QString& said) const {
  const QString names[] = {tr("debug"), tr("info"), tr("warning"), tr("error")};
  return QStringLiteral("%1 %2 %3")
      .arg(QDateTime::fromMSecsSinceEpoch(line.time).toString(QStringLiteral("HH:mm:ss")),
           names[static_cast<std::size_t>(line.level)].leftJustified(kLevelWidth), said);
}

void LogView::write(const LogLine& line) {
  const ThemeColors& c = theme_->colors();
  QTextCharFormat format;
  format.setForeground(line.level == LogLevel::error     ? c.error
                       : line.level == LogLevel::warning ? c.warning
                       : line.level == LogLevel::debug   ? c.muted
                                                         : c.text);
  QTextCursor cursor(view_->document());
  cursor.movePosition(QTextCursor::End);
  if (!view_->document()->isEmpty()) {
    cursor.insertBlock();
  }
  const QString said = short_log_text(line.text), whole = whole_log_text(line.text);
  cursor.insertText(line_text(line, said), format);
  cursor.block().setUserData(said == whole ? nullptr : new Whole(whole));
}

/// What a line shortens is whole in its tooltip.
bool LogView::eventFilter(QObject* watched, QEvent* event) {
  if (watched != view_->viewport() || event->type() != QEvent::ToolTip) {
    return QWidget::eventFilter(watched, event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = tip_at(help->pos());
  if (text.isEmpty()) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(help->globalPos(), wrapped_tip(text), view_);
  }
  return true;
}

QString LogView::tip_at(QPoint at) const {
  const auto* whole = static_cast<Whole*>(view_->cursorForPosition(at).block().userData());
  return whole == nullptr ? QString() : whole->text;
}

void LogView::append(const QVector<LogLine>& lines) {
  QScrollBar* bar = view_->verticalScrollBar();
  const bool at_end = bar->value() >= bar->maximum() - 4;
  view_->setUpdatesEnabled(false);
  QTextCursor edit(view_->document());
  edit.beginEditBlock();  // laid out once, not by the line
  for (const LogLine& line : lines) {
    lines_.push_back(line);
    if (line.time == 0) {
      lines_.back().time = QDateTime::currentMSecsSinceEpoch();
    }
    if (is_shown(lines_.back())) {
      write(lines_.back());
    }
    if (lines_.size() > kMaxLines) {
      lines_.pop_front();
    }
  }
  edit.endEditBlock();
  view_->setUpdatesEnabled(true);
  for (qsizetype i = lines.size(); i-- > 0;) {
    if (lines[i].level >= minimum()) {
      emit line_added(short_log_text(lines[i].text), whole_log_text(lines[i].text));
      break;
    }
  }
  if (at_end) {
    bar->setValue(bar->maximum());
  }
}

void LogView::rewrite() {
  view_->clear();
  QTextCursor edit(view_->document());
  edit.beginEditBlock();
  for (const LogLine& line : lines_) {
    if (is_shown(line)) {
      write(line);
    }
  }
  edit.endEditBlock();
  view_->verticalScrollBar()->setValue(view_->verticalScrollBar()->maximum());
}

void LogView::clear() {
  lines_.clear();
  view_->clear();
  emit line_added(QString(), QString());
}

void LogView::set_search(const QString& words) {
  search_->setText(words);
}

QString LogView::text() const {
  QStringList shown_lines;
  for (const LogLine& line : lines_) {
    if (is_shown(line)) {
      shown_lines << line_text(line, whole_log_text(line.text));
    }
  }
  return shown_lines.join(QLatin1Char('\n'));
}

}  // namespace mantissa::gui
