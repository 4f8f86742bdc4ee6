#include "gui/history/RunWatcher.h"

#include "engine/store/store.h"

namespace mantissa::gui {
namespace {

constexpr int kLookMs = 500;

}  // namespace

RunWatcher::RunWatcher(RunLibrary* library, QObject* parent) : QObject(parent), library_(library) {
  timer_.setInterval(kLookMs);
  connect(&timer_, &QTimer::timeout, this, &RunWatcher::look);
}

void RunWatcher::watch(const QString& id, const RunSince& known) {
  id_ = id;
  known_ = known;
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
  library_->load(id_, known_, this, [this](const RunDetail& detail) { take(detail); });
}

void RunWatcher::take(const RunDetail& detail) {
  waiting_ = false;
  if (detail.id != id_ || !detail.found) {
    return;
  }
  if (!detail.steps.empty()) {
    known_.step = detail.steps.back().step;
  }
  if (!detail.events.empty()) {
    known_.event = detail.events.back().id;
  }
  if (!detail.health.empty()) {
    known_.health = detail.health.back().step;
  }
  if (!detail.validation.empty()) {
    known_.validation = detail.validation.back().step;
  }
  emit gained(detail);
  if (is_final_state(detail.state.toStdString())) {
    const QString id = id_;
    stop();
    emit ended(id, detail.state);
  }
}

}  // namespace mantissa::gui
