#include "gui/widgets/MessageBar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kNoticeMs = 8000, kLetterMs = 80;  ///< at least; and for each letter

}  // namespace

MessageBar::MessageBar(const Theme* theme, QWidget* parent) : QFrame(parent), theme_(theme) {
  auto* row = row_ = new QHBoxLayout(this);
  row->setContentsMargins(Space::medium, Space::small, Space::small, Space::small);
  row->setSpacing(Space::small);
  icon_ = new QLabel(this);
  icon_->setFixedSize(18, 18);
  row->addWidget(icon_, 0, Qt::AlignVCenter);
  text_ = make_label(QString(), "", this);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  text_->setAccessibleDescription(tr("Message"));
  row->addWidget(text_, 1);
  auto* close = new QToolButton(this);
  close->setAccessibleName(tr("Dismiss the message"));
  close->setToolTip(close->accessibleName());
  bind_icon(close, Icon::remove, theme);
  row->addWidget(close, 0, Qt::AlignVCenter);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  connect(theme_, &Theme::changed, this, &MessageBar::dress);
  in_sight_ = [this] { return window()->isActiveWindow() && !window()->isMinimized(); };
  going_.setSingleShot(true);
  connect(&going_, &QTimer::timeout, this, &MessageBar::go);
  setProperty("floating", QStringLiteral("true"));
  hide();
}

void MessageBar::float_over(QWidget* area) {
  area_ = area;
  area_->installEventFilter(this);
}

void MessageBar::place() {
  if (area_ == nullptr || isHidden()) {
    return;
  }
  const int width = area_->width();
  const int height = std::min(layout()->totalHeightForWidth(width), area_->height());
  const QPoint corner = area_->mapTo(parentWidget(), QPoint(0, area_->height() - height));
  setGeometry(QRect(corner, QSize(width, height)));
  raise();
}

void MessageBar::tell_covered() {
  const int height = isHidden() ? 0 : this->height() + Space::small;  // what is above stays apart
  if (height != std::exchange(covered_, height)) {
    emit covers(height);
  }
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == area_ && (event->type() == QEvent::Resize || event->type() == QEvent::Move)) {
    place();
  }
  return QFrame::eventFilter(watched, event);
}

bool MessageBar::event(QEvent* event) {
  const bool done = QFrame::event(event);
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) {
    place();
  }
  if (event->type() == QEvent::Resize || event->type() == QEvent::ShowToParent ||
      event->type() == QEvent::HideToParent) {
    tell_covered();
  }
  return done;
}

void MessageBar::dress() {
  const ThemeColors& c = theme_->colors();
  const bool error = level_ == Level::error;
  set_property(this, "card", error ? QStringLiteral("error") : QStringLiteral("true"));
  icon_->setPixmap(make_icon(error ? Icon::error : Icon::info, error ? c.error : c.accent)
                       .pixmap(QSize(18, 18), devicePixelRatioF()));
}

void MessageBar::clear_offers() {
  for (QPushButton* button : offers_) {
    button->hide();
    button->deleteLater();
  }
  offers_.clear();
}

void MessageBar::offer(const QString& text, std::vector<Offer> offers) {
  show_message(Level::info, text);
  of_page_ = false;
  going_.stop();
  for (const Offer& offer : offers) {
    auto* button = new QPushButton(offer.name, this);
    button->setAccessibleName(offer.name);
    // Before the button that dismisses the message.
    row_->insertWidget(row_->count() - 1, button, 0, Qt::AlignVCenter);
    connect(button, &QPushButton::clicked, this, [this, act = offer.act] {
      hide();
      act();
    });
    offers_.push_back(button);
  }
}

void MessageBar::offer_here(const QString& text, std::vector<Offer> offers) {
  offer(text, std::move(offers));
  of_page_ = true;
}

void MessageBar::leave_page() {
  if (of_page_) {
    hide();
  }
}

void MessageBar::go() {
  if (underMouse() || !in_sight_()) {
    going_.start();
  } else {
    hide();
  }
}

void MessageBar::show_message(Level level, const QString& raw) {
  const QString text = shown(raw);
  clear_offers();
  level_ = level;
  text_->setText(text);
  text_->setAccessibleName(text);
  dress();
  show();
  place();
  of_page_ = level == Level::info;
  going_.stop();
  if (of_page_) {
    going_.start(std::max(kNoticeMs, static_cast<int>(text.size()) * kLetterMs));
  }
}

void MessageBar::show_error(const QString& text) {
  show_message(Level::error, text);
}

void MessageBar::show_exception(const std::exception& e) {
  show_error(plain_text(message_of(e)));
}

QString MessageBar::text() const {
  return isHidden() ? QString() : text_->text();
}

}  // namespace mantissa::gui
