#include "gui/app/FrameTicker.h"

#include <QEvent>
#include <QWidget>
#include <algorithm>

#include "gui/run/RunData.h"

namespace mantissa::gui {

FrameTicker::FrameTicker(EngineClient* engine, RunData* data, QWidget* window, QObject* parent)
    : QObject(parent), engine_(engine), data_(data), window_(window) {
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &FrameTicker::tick);
  connect(engine_, &EngineClient::state_changed, this, &FrameTicker::update_pace);
  window_->installEventFilter(this);
  since_labels_.start();
}

bool FrameTicker::window_seen() const {
  return window_->isVisible() && !window_->isMinimized();
}

bool FrameTicker::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::WindowStateChange:
      // The window's own state is up to date only after it has handled the event.
      QMetaObject::invokeMethod(this, &FrameTicker::update_pace, Qt::QueuedConnection);
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

void FrameTicker::update_pace() {
  if (!engine_->is_running()) {
    timer_.stop();
    return;
  }
  const int wanted = window_seen() ? kFrameMs : kUnseenMs;
  if (!timer_.isActive() || timer_.interval() != wanted) {
    since_tick_.invalidate();
    timer_.start(wanted);
  }
}

void FrameTicker::tick() {
  if (since_tick_.isValid() && timer_.interval() == kFrameMs) {
    longest_gap_ = std::max<std::int64_t>(longest_gap_, since_tick_.nsecsElapsed());
  }
  since_tick_.start();
  drain_now();
  if (since_labels_.elapsed() >= kLabelMs) {
    since_labels_.restart();
    if (window_seen()) {
      emit labels();
    }
  }
  ++ticks_;
  longest_tick_ = std::max<std::int64_t>(longest_tick_, since_tick_.nsecsElapsed());
}

void FrameTicker::drain_now() {
  drained_.clear();
  if (engine_->ring().drain(drained_) > 0) {
    data_->append(drained_);
    emit frame();
  }
}

void FrameTicker::reset_figures() {
  longest_tick_ = 0;
  longest_gap_ = 0;
  ticks_ = 0;
}

}  // namespace mantissa::gui
