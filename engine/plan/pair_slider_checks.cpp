#include "engine/plan/pair_slider_checks.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/plan/base_target_checks.h"

namespace mantissa {
namespace {

void require_pair(const ImageItem& item) {
  const std::string path = path_to_utf8(item.path);
  if (item.references.size() != 1) {
    throw Error(message<"{path} has {count} negative images, and a pair has one. Give one folder "
                        "of them (--references)">(path, item.references.size()));
  }
  const ReferenceImage& negative = item.references.front();
  if (negative.width != item.width || negative.height != item.height) {
    throw Error(message<"{path} is {width}x{height} pixels and its negative image {file} "
                        "{other_width}x{other_height}: the images of a pair have one size. Crop or "
                        "resize one of them">(path, item.width, item.height,
                                              path_to_utf8(negative.path), negative.width,
                                              negative.height));
  }
}

}  // namespace

void check_pair_slider(const JobSpec& job) {
  const Preset& preset = job.preset;
  if (!trains_pair_slider(preset)) {
    return;
  }
  require_opposite(preset);
  const Preset::Slider& slider = preset.slider;
  const bool shows_references = std::ranges::any_of(
      preset.samples.prompts, [](const SamplePrompt& p) { return !p.references.empty(); });
  const char* const other = preset.training.method == TrainingMethod::full ? "training.method full"
                            : preset.adapter.init == AdapterInit::pissa    ? "adapter.init pissa"
                            : trains_embeddings(preset) ? "training.parts with embeddings"
                            : !slider.positive.empty()  ? "slider.positive"
                            : !slider.negative.empty()  ? "slider.negative"
                            : !slider.target.empty()    ? "slider.target"
                            : !job.prior.empty()        ? "--prior"
                            : shows_references          ? "references in samples.prompts"
                                                        : nullptr;
  if (other != nullptr) {
    throw Error(message<"training.purpose is pair_slider, which trains an adapter and its opposite "
                        "on pairs of images (--images, --references): {setting} doesn't go with "
                        "it. Leave it out">(other));
  }
  if (!job.images.empty() && job.references.empty()) {
    throw Error(message<"training.purpose is pair_slider, and no negative images are given. Put "
                        "one of the name of each image into a folder (--references)">());
  }
}

void require_pairs(const BucketedImages& images) {
  if (!trains_pair_slider(images.preset())) {
    return;
  }
  for (const SkippedFile& file : images.dataset().report.skipped) {
    if (file.kind == SkipKind::reference || file.kind == SkipKind::lone_reference) {
      throw Error(message<"training.purpose is pair_slider, and {path} has no partner: {reason}. "
                          "Each image needs a negative one of its name, or a line of a list "
                          "(--references)">(path_to_utf8(file.path), file.reason));
    }
  }
  for (std::size_t i = 0; i < images.count(); ++i) {
    require_pair(images.item(i));
  }
}

}  // namespace mantissa
