#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/base/Text.h"
#include "gui/plot/PlotExport.h"
#include "gui/plot/PlotWidget.h"

namespace mantissa::gui {

void PlotWidget::zoom_x(double factor, double around) {
  link_->set_view(around + (link_->from() - around) * factor,
                  around + (link_->to() - around) * factor);
}

void PlotWidget::zoom_y(double factor, double around) {
  if (log_y_) {
    if (around > 0) {
      manual_y_ = {around * std::pow(y_low_ / around, factor),
                   around * std::pow(y_high_ / around, factor)};
    }
  } else {
    manual_y_ = {around + (y_low_ - around) * factor, around + (y_high_ - around) * factor};
  }
  update();
}

const PlotMarker* PlotWidget::marker_at(QPointF position) const {
  constexpr double kReach = 9;
  const PlotMarker* found = nullptr;
  double nearest = kReach;
  for (const auto& [at, i] : painted_markers_) {
    const QPointF away = at - position;
    const double distance = std::hypot(away.x(), away.y());
    if (distance < nearest && i < markers_.size()) {
      nearest = distance;
      found = &markers_[i];
    }
  }
  return found;
}

const PlotMarker* PlotWidget::marker_at_hover() const {
  for (const PlotMarker& m : markers_) {
    if (link_->hover() == m.step) {
      return &m;
    }
  }
  return nullptr;
}

QString marker_explanation(PlotMarker::Kind kind) {
  switch (kind) {
    case PlotMarker::Kind::nan:
      return PlotWidget::tr(
          "The loss is NaN or infinite; the optimizer took no step with it.\n"
          "A click names the first tensor and offers a fix.");
    case PlotMarker::Kind::skipped:
      return PlotWidget::tr(
          "NaN or infinite gradients: the step was skipped.\n"
          "A click says whether something has to change.");
    case PlotMarker::Kind::overflow:
      return PlotWidget::tr(
          "A gradient overflowed: the step was skipped and the loss scale "
          "halved.\nNormal now and then; a click says if it isn't.");
    case PlotMarker::Kind::saved:
      return PlotWidget::tr("A checkpoint was saved.\nA click leads to its folder.");
    case PlotMarker::Kind::sample:
      return PlotWidget::tr("Samples were rendered.\nA click shows them.");
    case PlotMarker::Kind::paused:
      return PlotWidget::tr("The run was paused here.\nThat changes nothing in its result.");
    case PlotMarker::Kind::clipped:
      break;
  }
  return {};
}

QString PlotWidget::tip_at(QPointF position) const {
  if (const PlotMarker* marker = marker_at(position)) {
    return marker_explanation(marker->kind);
  }
  return position.y() < area_.top() ? explanation_ : QString();
}

bool PlotWidget::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) {
    return QWidget::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString tip = tip_at(help->pos());
  QToolTip::showText(help->globalPos(), tip.isEmpty() ? tip : wrapped_tip(tip), this);
  return true;
}

void PlotWidget::step_to_marker(int direction) {
  const double span = link_->to() - link_->from();
  const double from = link_->hover()  ? x_of(*link_->hover())
                      : direction > 0 ? link_->from() - span / 1e6
                                      : link_->to() + span / 1e6;
  std::optional<std::int64_t> next;
  for (const PlotMarker& m : markers_) {
    const double ahead = (x_of(m.step) - from) * direction;
    if (ahead > 0 && (!next || (m.step - *next) * direction < 0)) {
      next = m.step;
    }
  }
  if (!next) {
    return;
  }
  const double x = x_of(*next);
  if (x < link_->from() || x > link_->to()) {
    link_->set_view(x - span / 2, x + span / 2);
  }
  link_->set_hover(*next);
}

void PlotWidget::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / 120.0;
  if (notches == 0) {
    event->ignore();
    return;
  }
  const double factor = std::pow(0.8, notches);
  if (event->modifiers() & Qt::ControlModifier) {
    zoom_y(factor, pixel_to_y(event->position().y()));
  } else {
    zoom_x(factor, pixel_to_x(event->position().x()));
  }
  event->accept();
}

void PlotWidget::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    return;
  }
  drag_ = event->modifiers() & Qt::ShiftModifier ? Drag::box : Drag::pan;
  press_ = current_ = event->position();
  press_from_ = link_->from();
  press_to_ = link_->to();
  press_low_ = y_low_;
  press_high_ = y_high_;
}

void PlotWidget::mouseMoveEvent(QMouseEvent* event) {
  const QRectF& area = area_;
  current_ = event->position();
  if (drag_ == Drag::box) {
    update();
    return;
  }
  if (drag_ == Drag::pan) {
    const QPointF moved = current_ - press_;
    if (moved.manhattanLength() < 4) {
      return;
    }
    setCursor(Qt::ClosedHandCursor);
    const double dx = moved.x() / area.width() * (press_to_ - press_from_);
    link_->set_view(press_from_ - dx, press_to_ - dx);
    if (manual_y_) {
      const double share = moved.y() / area.height();
      if (log_y_) {
        const double ratio = std::pow(press_high_ / press_low_, share);
        manual_y_ = {press_low_ * ratio, press_high_ * ratio};
      } else {
        const double dy = share * (press_high_ - press_low_);
        manual_y_ = {press_low_ + dy, press_high_ + dy};
      }
    }
    update();
    return;
  }
  setCursor(marker_at(current_) != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (!area.contains(current_) || series_.empty() || series_[0].raw->empty()) {
    link_->set_hover(std::nullopt);
    return;
  }
  const PlotSeries& first = series_[0];
  const double x = pixel_to_x(current_.x());
  const std::int64_t step = by_time() ? first.clock->nearest(x) : std::llround(x);
  link_->set_hover(first.raw->steps()[first.raw->nearest(step)]);
}

void PlotWidget::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    return;
  }
  unsetCursor();
  if (drag_ == Drag::box) {
    const QRectF box = QRectF(press_, event->position()).normalized() & plot_area();
    if (box.width() > 5 && box.height() > 5) {
      manual_y_ = {pixel_to_y(box.bottom()), pixel_to_y(box.top())};
      link_->set_view(pixel_to_x(box.left()), pixel_to_x(box.right()));
    }
  }
  const bool clicked = drag_ == Drag::pan && (event->position() - press_).manhattanLength() < 4;
  drag_ = Drag::none;
  update();
  if (const PlotMarker* marker = clicked ? marker_at(event->position()) : nullptr) {
    const PlotMarker copy = *marker;
    emit marker_activated(copy);
  }
}

void PlotWidget::mouseDoubleClickEvent(QMouseEvent*) {
  drag_ = Drag::none;
  reset_view();
}

void PlotWidget::leaveEvent(QEvent*) {
  link_->set_hover(std::nullopt);
}

void PlotWidget::keyPressEvent(QKeyEvent* event) {
  const double span = link_->to() - link_->from();
  const double centre = (link_->from() + link_->to()) / 2;
  switch (event->key()) {
    case Qt::Key_Left:
      link_->set_view(link_->from() - span / 10, link_->to() - span / 10);
      break;
    case Qt::Key_Right:
      link_->set_view(link_->from() + span / 10, link_->to() + span / 10);
      break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoom_x(0.8, centre);
      break;
    case Qt::Key_Minus:
      zoom_x(1.25, centre);
      break;
    case Qt::Key_0:
    case Qt::Key_Home:
      reset_view();
      break;
    case Qt::Key_N:
      step_to_marker(1);
      break;
    case Qt::Key_P:
      step_to_marker(-1);
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (const PlotMarker* marker = marker_at_hover()) {
        const PlotMarker copy = *marker;
        emit marker_activated(copy);
      }
      break;
    case Qt::Key_Escape:
      drag_ = Drag::none;
      update();
      break;
    default:
      QWidget::keyPressEvent(event);
  }
}

void PlotWidget::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Show the whole run"), this, &PlotWidget::reset_view);
  if (has_time()) {
    QAction* timed = menu->addAction(tr("Training time instead of steps"));
    timed->setCheckable(true);
    timed->setChecked(link_->by_time());
    connect(timed, &QAction::toggled, link_, &PlotLink::set_by_time);
  }
  menu->addSeparator();
  const auto offer = [&](const QString& text, PlotFormat format) {
    menu->addAction(text, this, [this, format] { emit export_requested(format); });
  };
  offer(tr("Save as image…"), PlotFormat::png);
  if (can_write_svg()) {
    offer(tr("Save as drawing (SVG)…"), PlotFormat::svg);
  }
  offer(tr("Save values as CSV…"), PlotFormat::csv);
  menu->popup(event->globalPos());
}

}  // namespace mantissa::gui
