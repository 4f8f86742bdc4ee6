#include "gui/dataset/DuplicateFinder.h"

#include <chrono>
#include <utility>

#include "engine/core/error.h"
#include "engine/io/image.h"

namespace mantissa::gui {

namespace {

constexpr auto kProgressGap = std::chrono::milliseconds(50);

}  // namespace

DuplicateFinder::DuplicateFinder(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);
}

DuplicateFinder::~DuplicateFinder() {
  if (cancelled_) {
    *cancelled_ = true;
  }
  pool_.waitForDone();
}

void DuplicateFinder::start(std::vector<ImageItem> items) {
  cancel();
  busy_ = true;
  const auto cancelled = cancelled_ = std::make_shared<std::atomic<bool>>(false);
  pool_.start([this, cancelled, items = std::move(items)] {
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
        throw Error(ErrorKind::interrupted, Message::verbatim("the comparison was given up"));
      }
      const auto now = std::chrono::steady_clock::now();
      if (now - told > kProgressGap) {
        told = now;
        tell([this, done, total] { emit progressed(done, total); });
      }
    };
    try {
      const ImageLibrary library;
      tell([this, groups = mantissa::find_duplicates(items, progress)] {
        end();
        emit found(groups);
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

void DuplicateFinder::cancel() {
  if (busy_) {
    *cancelled_ = true;
    end();
  }
}

void DuplicateFinder::end() {
  busy_ = false;
  emit changed();
}

}  // namespace mantissa::gui
