#include "gui/dataset/CaptionTask.h"

#include <atomic>
#include <mutex>
#include <utility>

#include "engine/core/error.h"
#include "engine/plan/backend.h"

namespace mantissa::gui {

/// Shared with the thread of one start: a cancelled one may outlive the next start.
struct CaptionTask::Done {
  std::mutex mutex;
  std::vector<CaptionedImage> images;
  std::atomic<bool> loading = true;
};

void CaptionTask::start(Wish wish) {
  done_ = std::make_shared<Done>();
  wish.options.dry_run = true;
  run([this, done = done_,
       wish = std::move(wish)](const Progress& progress) -> std::function<void()> {
    const ImageLibrary library;
    std::int64_t count = 0;
    const auto tell = [&] { progress(RunPhase::reading, count, std::ssize(wish.images)); };
    const auto stopped = [&] {
      try {
        tell();
      } catch (const Error&) {
        return true;
      }
      return false;
    };
    const auto take = [&](const CaptionedImage& image) {
      {
        const std::lock_guard lock(done->mutex);
        done->images.push_back(image);
      }
      ++count;
      tell();
      return true;
    };
    Dataset dataset;
    dataset.items = wish.images;
    if (wish.endpoint) {
      done->loading = false;
      caption_images(dataset, describe_by_endpoint(*wish.endpoint, stopped), wish.options, take);
    } else if (!wish.captioner.empty()) {
      const std::unique_ptr<Kernels> kernels = make_backend(wish.device);
      ImageDescriber describer(*kernels, wish.captioner, ComputeType::bf16, progress);
      done->loading = false;
      describer.set_stop(stopped);
      caption_images(dataset, describe_by_model(describer, wish.question), wish.options, take);
    } else {
      const std::unique_ptr<Kernels> kernels = make_backend(wish.device);
      Tagger tagger(*kernels, wish.tagger, progress);
      done->loading = false;
      tagger.set_stop(stopped);
      caption_images(dataset, tagger, wish.options, take);
    }
    return [this] { emit finished(); };
  });
}

bool CaptionTask::is_loading() const {
  return is_busy() && done_->loading;
}

std::vector<CaptionedImage> CaptionTask::take() {
  if (!done_) {
    return {};
  }
  const std::lock_guard lock(done_->mutex);
  return std::exchange(done_->images, {});
}

}  // namespace mantissa::gui
