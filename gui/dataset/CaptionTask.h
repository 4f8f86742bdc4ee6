#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/caption/caption_endpoint.h"
#include "engine/caption/caption_images.h"
#include "engine/caption/image_describer.h"
#include "gui/engine/ThreadTask.h"

namespace mantissa::gui {

/// Captions images by a tagger or another model; writes nothing.
class CaptionTask : public ThreadTask {
  Q_OBJECT

 public:
  using ThreadTask::ThreadTask;

  struct Wish {
    std::filesystem::path tagger;
    std::string device;  ///< that the tagger or captioner computes on
    CaptionOptions options;
    std::vector<ImageItem> images;
    std::optional<EndpointOptions> endpoint{};  ///< asked in place of the tagger
    std::filesystem::path captioner{};          ///< a Qwen3-VL, in place of both
    QuestionOptions question{};
  };
  /// Cancels work in progress.
  void start(Wish wish);
  /// While weights are loaded, which progress counts then, else images.
  bool is_loading() const;
  /// The images done since the last call, in the order of the wish; after a cancel too.
  std::vector<CaptionedImage> take();

 signals:
  void finished();

 private:
  struct Done;
  std::shared_ptr<Done> done_;
};

}  // namespace mantissa::gui
