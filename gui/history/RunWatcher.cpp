#include "gui/history/RunWatcher.h"

#include "engine/store/store.h"

namespace mantissa {
namespace {

constexpr int kPollMs = 500;

}  // namespace

RunWatcher::RunWatcher(RunLibrary* library, QObject* parent) : QObject(parent), library_(library) {
  timer_.setInterval(kPollMs);
  connect(&timer_, &QTimer::timeout, this, &RunWatcher::look);
}

void RunWatcher::watch(const QString& id, std::int64_t after_step, std::int64_t after_event) {
  id_ = id;
  step_ = after_step;
  event_ = after_event;
  waiting_ = false;
  timer_.start();
}

void RunWatcher::stop() {
  id_.clear();
  timer_.stop();
}

void RunWatcher::look() {
  if (waiting_) {
    return;
  }
  waiting_ = true;
  library_->load(id_, step_, event_, this, [this](const RunDetail& detail) { take(detail); });
}

void RunWatcher::take(const RunDetail& detail) {
  waiting_ = false;
  if (detail.id != id_ || !detail.found) {
    return;
  }
  if (!detail.steps.empty()) {
    step_ = detail.steps.back().step;
  }
  if (!detail.events.empty()) {
    event_ = detail.events.back().id;
  }
  emit gained(detail);
  if (is_final_state(detail.state.toStdString())) {
    const QString id = id_;
    stop();
    emit ended(id, detail.state);
  }
}

}  // namespace mantissa
