#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/caption/tag_caption.h"
#include "engine/caption/tagger.h"
#include "engine/core/message.h"
#include "engine/data/dataset.h"

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
  Message problem;    ///< why it has none: the image can't be read
};

struct CaptionCounts {
  std::int64_t images = 0, written = 0, kept = 0, failed = 0;
};

/// Captions the images of `dataset` one by one and reports each to `tell`, which returns false to
/// stop. A later call with ExistingCaption::keep continues where this one stopped. Captions are
/// written through a CaptionJournal.
CaptionCounts caption_images(const Dataset& dataset, Tagger& tagger, const CaptionOptions& options,
                             const std::function<bool(const CaptionedImage&)>& tell);

}  // namespace mantissa
