#include "gui/engine/ThreadTask.h"

#include <chrono>
#include <utility>

#include "engine/core/error.h"

namespace mantissa::gui {
namespace {

constexpr std::chrono::milliseconds kLeastGap{50};

}  // namespace

ThreadTask::ThreadTask(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);
}

ThreadTask::~ThreadTask() {
  if (cancelled_) {
    *cancelled_ = true;
  }
  pool_.waitForDone();
}

void ThreadTask::run(Work work) {
  cancel();
  busy_ = true;
  const auto cancelled = cancelled_ = std::make_shared<std::atomic<bool>>(false);
  pool_.start([this, cancelled, work = std::move(work)] {
    const auto tell = [this, cancelled](auto what) {
      QMetaObject::invokeMethod(
          this,
          [cancelled, what = std::move(what)] {
            if (!*cancelled) {
              what();
            }
          },
          Qt::QueuedConnection);
    };
    auto told = std::chrono::steady_clock::now();
    const auto progress = [&](RunPhase, std::int64_t done, std::int64_t total) {
      if (*cancelled) {
        throw Error(ErrorKind::interrupted, Message::verbatim("the work was given up"));
      }
      const auto now = std::chrono::steady_clock::now();
      if (now - told > kLeastGap) {
        told = now;
        tell([this, done, total] { emit progressed(done, total); });
      }
    };
    try {
      tell([this, finish = work(progress)] {
        end();
        finish();
      });
    } catch (const std::exception& e) {
      tell([this, message = message_of(e)] {
        end();
        emit failed(message);
      });
    }
  });
  emit changed();
}

void ThreadTask::cancel() {
  if (busy_) {
    *cancelled_ = true;
    end();
  }
}

void ThreadTask::end() {
  busy_ = false;
  emit changed();
}

}  // namespace mantissa::gui
