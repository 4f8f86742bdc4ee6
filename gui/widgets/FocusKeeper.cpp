#include "gui/widgets/FocusKeeper.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QTimer>
#include <QWidget>

namespace mantissa::gui {
namespace {

bool is_gone(const QWidget* widget) {
  return !widget->isEnabled() || !widget->isVisibleTo(widget->window());
}

/// The nearest widget around `gone` that can have the focus and does nothing with a key.
QWidget* area_around(const QWidget* gone) {
  QWidget* area = gone->parentWidget();
  while (area != nullptr && !area->isWindow()) {
    auto* scrolled = qobject_cast<QAbstractScrollArea*>(area->parentWidget());
    const bool is_viewport = scrolled != nullptr && scrolled->viewport() == area;
    if (!is_gone(area) && area->focusProxy() == nullptr && !is_viewport) {
      break;
    }
    area = area->parentWidget();
  }
  return area;
}

void focus_area(const QWidget* gone) {
  if (QWidget* area = area_around(gone)) {
    area->setFocus(Qt::OtherFocusReason);
  }
}

}  // namespace

FocusKeeper::FocusKeeper(QObject* parent) : QObject(parent) {
  connect(qApp, &QApplication::focusChanged, this, &FocusKeeper::on_moved);
}

void FocusKeeper::on_moved(QWidget* old, QWidget* now) {
  if (now == nullptr) {
    return;
  }
  if (watched_ != now) {
    if (watched_) {
      watched_->removeEventFilter(this);
    }
    watched_ = now;
    now->installEventFilter(this);
  }
  if (old != nullptr && old->window() == now->window() && is_gone(old)) {
    focus_area(old);
  }
}

bool FocusKeeper::eventFilter(QObject* watched, QEvent* event) {
  // A window behind another one moves its focus without a signal.
  const bool may_go = event->type() == QEvent::EnabledChange || event->type() == QEvent::Hide;
  if (may_go && watched == watched_ && !watched_->isActiveWindow()) {
    QTimer::singleShot(0, this, [this, gone = watched_] {
      if (gone && gone == watched_ && is_gone(gone) && !gone->isActiveWindow() &&
          gone->window()->focusWidget() != gone) {
        focus_area(gone);
      }
    });
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace mantissa::gui
