#include "gui/widgets/EmptyState.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "gui/widgets/Parts.h"

namespace mantissa::gui {

EmptyState::EmptyState(Icon icon, const QString& text, const Theme* theme, QWidget* parent)
    : QWidget(parent), theme_(theme) {
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
  buttons_ = new QHBoxLayout;
  buttons_->setSpacing(Space::small);
  buttons_->addStretch();
  buttons_->addStretch();
  column_->addLayout(buttons_);
  column_->addStretch();
}

void EmptyState::set_text(const QString& text) {
  words_->setText(text);
}

QString EmptyState::text() const {
  return words_->text();
}

QPushButton* EmptyState::add_button(const QString& text, const QString& accessible_name) {
  auto* button = new QPushButton(text, this);
  button->setAccessibleName(accessible_name.isEmpty() ? text : accessible_name);
  if (!std::exchange(has_button_, true)) {
    button->setProperty("kind", QStringLiteral("primary"));
  }
  buttons_->insertWidget(buttons_->count() - 1, button);
  return button;
}

void EmptyState::set_drop_zone(bool on) {
  drop_zone_ = on;
  update();
}

void EmptyState::set_dragging(bool on) {
  dragging_ = on;
  update();
}

void EmptyState::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  if (!drop_zone_) {
    return;
  }
  const ThemeColors& c = theme_->colors();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QPen(dragging_ ? c.accent : c.strong_border, dragging_ ? 2 : 1.5, Qt::DashLine));
  p.setBrush(dragging_ ? QBrush(c.raised) : QBrush(Qt::NoBrush));
  p.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), 10, 10);
}

}  // namespace mantissa::gui
