#include "gui/dataset/CaptionPreview.h"

#include <QTextCursor>
#include <QTextEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/base/Icons.h"
#include "gui/base/Text.h"
#include "gui/dataset/CaptionBook.h"
#include "gui/dataset/CaptionDiff.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

CaptionPreview::CaptionPreview(CaptionBook* book, const Theme* theme, QWidget* parent)
    : QWidget(parent), book_(book), theme_(theme) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::tiny);
  header_ = new QToolButton(this);
  header_->setCheckable(true);
  header_->setChecked(true);
  header_->setAutoRaise(true);
  header_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  column->addWidget(header_, 0, Qt::AlignLeft);
  text_ = new QTextEdit(this);
  text_->setReadOnly(true);
  text_->setTabChangesFocus(true);
  text_->setAccessibleName(tr("Captions before and after"));
  text_->setMinimumHeight(2 * fontMetrics().lineSpacing() + 12);
  text_->setMaximumHeight(2 * kShown * fontMetrics().lineSpacing() + 12);
  column->addWidget(text_);
  connect(header_, &QToolButton::toggled, this, [this] {
    show_captions();
    update_header();
  });
  connect(theme_, &Theme::changed, this, &CaptionPreview::fill);
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, [this] {
    count(kSlice);
    if (!is_counted()) {
      timer_.start(0);
    }
  });
  hide();
}

/// Open, they keep their room while no caption changes: what is typed moves nothing.
void CaptionPreview::show_captions() {
  QSizePolicy policy = text_->sizePolicy();
  policy.setRetainSizeWhenHidden(header_->isChecked());
  text_->setSizePolicy(policy);
  text_->setVisible(header_->isChecked() && !first_.empty());
}

void CaptionPreview::show_edit(const QVector<int>& items, const Edit& edit) {
  edit_ = edit;
  items_ = edit ? items : QVector<int>();
  next_ = 0;
  changing_ = 0;
  first_.clear();
  timer_.stop();
  setVisible(static_cast<bool>(edit));
  count(kAtOnce);
  fill();
  if (!is_counted()) {
    timer_.start(kPauseMs);
  }
}

void CaptionPreview::count(qsizetype most) {
  const std::size_t shown_before = first_.size();
  const qsizetype end = std::min(items_.size(), next_ + most);
  for (; next_ < end; ++next_) {
    const int item = items_[next_];
    if (!book_->is_writable(item)) {
      continue;
    }
    const QString caption = book_->caption(item);
    QString after = edit_(caption);
    if (after == caption) {
      continue;
    }
    ++changing_;
    if (first_.size() < kShown) {
      first_.push_back({item, std::move(after)});
    }
  }
  if (is_counted()) {
    timer_.stop();
  }
  if (first_.size() != shown_before) {
    fill();
  }
  update_header();
  emit counted();
}

/// Removed words are struck out and added ones underlined and bold: colours only support that.
void CaptionPreview::fill() {
  text_->clear();
  QTextCursor at(text_->document());
  const ThemeColors& colors = theme_->colors();
  QTextCharFormat plain, removed, added;
  plain.setForeground(colors.text);
  removed.setForeground(colors.error);
  removed.setFontStrikeOut(true);
  added.setForeground(colors.ok);
  added.setFontUnderline(true);
  added.setFontWeight(QFont::Bold);
  bool first = true;
  for (const Change& change : first_) {
    if (!std::exchange(first, false)) {
      at.insertBlock();
    }
    const std::vector<DiffPart> parts = caption_diff(book_->caption(change.item), change.after);
    const auto put = [&](DiffPart::Kind left_out, const QTextCharFormat& marked) {
      for (const DiffPart& part : parts) {
        if (part.kind != left_out) {
          at.insertText(shown(part.text).replace(QLatin1Char('\n'), QLatin1Char(' ')),
                        part.kind == DiffPart::same ? plain : marked);
        }
      }
    };
    if (book_->caption(change.item).isEmpty()) {
      at.insertText(tr("No caption"), plain);
    }
    put(DiffPart::added, removed);
    at.insertText(QStringLiteral("  →  "), plain);
    put(DiffPart::removed, added);
  }
  text_->moveCursor(QTextCursor::Start);
  show_captions();
}

void CaptionPreview::update_header() {
  header_->setIcon(make_icon(header_->isChecked() ? Icon::chevron_down : Icon::chevron_right,
                             theme_->colors().muted));
  const QString many = QLocale::c().toString(changing_);
  header_->setText(is_counted() ? tr("%1 of %2 captions change").arg(many, step_text(total()))
                                : tr("%1 captions change so far").arg(many));
  header_->setAccessibleName(header_->text());
  header_->setToolTip(tr("Show or hide captions before and after"));
}

}  // namespace mantissa::gui
