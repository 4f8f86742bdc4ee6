#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/caption/tag_caption.h"
#include "engine/caption/tagger.h"
#include "engine/core/error.h"
#include "engine/core/message.h"
#include "engine/data/dataset.h"
#include "engine/io/image.h"

namespace mantissa {

struct CaptionOptions {
  TagOptions tags;
  ExistingCaption existing = ExistingCaption::keep;
  std::string trigger;   ///< a word that stands first in every caption
  bool dry_run = false;  ///< nothing is written
};

/// What became of one image.
struct CaptionedImage {
  std::filesystem::path image, file;  ///< the caption's file, .txt
  std::string caption;
  bool kept = false;  ///< it had one already
  Message problem;    ///< why it has none; completes a sentence that begins with the image's name
};

struct CaptionCounts {
  std::int64_t images = 0, written = 0, kept = 0, failed = 0;
};

/// An image for which there is no caption. Its message is the reason.
class CaptionError : public Error {
 public:
  using Error::Error;
};

/// What describes an image: its tags, or a sentence. It may throw CaptionError, and an Error of
/// kind interrupted to stop.
using Describe = std::function<std::vector<std::string>(const Image&)>;

/// Captions the images of `dataset` one by one and reports each to `tell`, which returns false to
/// stop. A later call with ExistingCaption::keep continues where this one stopped. Captions are
/// written through a CaptionJournal. Throws Error after three images in a row without a caption.
CaptionCounts caption_images(const Dataset& dataset, const Describe& describe,
                             const CaptionOptions& options,
                             const std::function<bool(const CaptionedImage&)>& tell);
/// Captions the images by a tagger, otherwise as above.
CaptionCounts caption_images(const Dataset& dataset, Tagger& tagger, const CaptionOptions& options,
                             const std::function<bool(const CaptionedImage&)>& tell);

}  // namespace mantissa
