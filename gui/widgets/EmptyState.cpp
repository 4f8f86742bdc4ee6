#include "gui/widgets/EmptyState.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "gui/widgets/Parts.h"

namespace mantissa::gui {

EmptyState::EmptyState(Icon icon, const QString& text, const Theme* theme, QWidget* parent)
    : QWidget(parent) {
  column_ = new QVBoxLayout(this);
  column_->setSpacing(Space::medium);
  auto* icon_label = new QLabel(this);
  bind_icon(
      icon_label, icon, theme, [](const ThemeColors& c) { return c.muted; }, 48);
  words_ = make_label(text, "muted", this);
  words_->setAlignment(Qt::AlignCenter);
  words_->setWordWrap(true);
  words_->setMaximumWidth(520);
  column_->addStretch();
  column_->addWidget(icon_label, 0, Qt::AlignCenter);
  // Between two stretches instead of aligned, so that its height follows from its width.
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  row->addWidget(words_, 100);
  row->addStretch(1);
  column_->addLayout(row);
  column_->addStretch();
}

void EmptyState::set_text(const QString& text) {
  words_->setText(text);
}

QString EmptyState::text() const {
  return words_->text();
}

void EmptyState::add_action(QWidget* button) {
  column_->insertWidget(column_->count() - 1, button, 0, Qt::AlignCenter);
}

}  // namespace mantissa::gui
