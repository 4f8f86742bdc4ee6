#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/caption/tag_caption.h"
#include "engine/caption/tagger.h"
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
  bool kept = false;    ///< it had one already
  std::string problem;  ///< why it has none: the image can't be read
};

struct CaptionCounts {
  std::int64_t images = 0, written = 0, kept = 0, failed = 0;
};

/// Gives the images of `dataset` captions by a tagger, one after the other, and tells each to
/// `tell`; false from it ends the work, which goes on from there when it is begun again with
/// ExistingCaption::keep. Captions are written as CaptionJournal does.
CaptionCounts caption_images(const Dataset& dataset, Tagger& tagger, const CaptionOptions& options,
                             const std::function<bool(const CaptionedImage&)>& tell);

}  // namespace mantissa
