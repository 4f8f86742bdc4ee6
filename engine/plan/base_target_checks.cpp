#include "engine/plan/base_target_checks.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/data/own_prompts.h"
#include "engine/data/preserved_caption.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

/// Without its adapter the model must be the base model, and its texts those of the base.
void require_base(const Preset& preset, const char* setting) {
  if (preset.training.method == TrainingMethod::full) {
    throw Error(message<"{setting} compares with the base model, and training.method full changes "
                        "its weights: none is left to compare with. Set training.method to "
                        "adapter">(setting));
  }
  if (preset.adapter.init == AdapterInit::pissa) {
    throw Error(
        message<"{setting} compares with the base model, and adapter.init pissa moves a "
                "part of its weights into the adapter. Set adapter.init to standard">(setting));
  }
  if (trains_text(preset)) {
    throw Error(message<"{setting} compares with the base model, whose captions are encoded before "
                        "the steps. Set training.parts to [\"denoiser\"]">(setting));
  }
}

void require_class(const Preset::Training& training) {
  const char* const missing = training.trigger_word.empty() ? "training.trigger_word"
                              : training.class_word.empty() ? "training.class_word"
                                                            : nullptr;
  if (missing != nullptr) {
    throw Error(message<"training.preservation is class, and {setting} is empty. Set it, or set "
                        "training.preservation to empty">(missing));
  }
  if (preserved_caption(training, training.trigger_word) == training.trigger_word) {
    throw Error(message<"training.class_word is the same as training.trigger_word; it should be "
                        "what that is an example of, such as person or dog">());
  }
}

/// `prompts`: the setting of those of which the base model makes the images.
void refuse_images(const JobSpec& job, const char* prompts) {
  const Preset& preset = job.preset;
  const char* const unused = !job.images.empty()                  ? "--images"
                             : !job.prior.empty()                 ? "--prior"
                             : !job.validation.empty()            ? "--validation"
                             : !job.references.empty()            ? "--references"
                             : preset.training.epochs > 0         ? "training.epochs"
                             : preset.data.masks != MaskMode::off ? "data.masks"
                                                                  : nullptr;
  if (unused != nullptr) {
    throw Error(
        message<"{option} is for training on images, and training.purpose is {purpose}: the "
                "base model makes its images of {prompts}. Leave it out">(
            unused, enum_name(preset.training.purpose), prompts));
  }
}

/// A training adapter learns images that the base model itself makes of prompts that are encoded
/// before the steps.
void check_training_adapter(const JobSpec& job) {
  const Preset& preset = job.preset;
  const char* const other = preset.training.method == TrainingMethod::full ? "training.method full"
                            : preset.adapter.init == AdapterInit::pissa    ? "adapter.init pissa"
                            : trains_text(preset)            ? "training.parts with text encoders"
                            : !job.training_adapters.empty() ? "--training-adapter"
                                                             : nullptr;
  if (other != nullptr) {
    throw Error(message<"training.purpose is adapter, which trains an adapter of the denoiser on "
                        "images that the base model makes, as it is: {setting} doesn't go with it. "
                        "Leave it out">(other));
  }
  if (own_prompts(preset).empty()) {
    throw Error(message<"training.purpose is adapter, and distilled.prompts is empty: the base "
                        "model makes its images of these. Write one on each line">());
  }
  refuse_images(job, "distilled.prompts");
}

void check_slider(const JobSpec& job) {
  const Preset& preset = job.preset;
  require_base(preset, "training.purpose slider");
  require_opposite(preset);
  if (preset.slider.positive == preset.slider.negative) {
    throw Error(message<"training.purpose is slider, and slider.positive is the same as "
                        "slider.negative. Set them to the two ends of the attribute">());
  }
  if (!job.references.empty()) {
    throw Error(message<"training.purpose is slider, which learns from prompts, and --references "
                        "gives images. Leave them out, or set training.purpose to pair_slider, "
                        "which learns from pairs of images">());
  }
  refuse_images(job, "slider.target");
}

}  // namespace

void require_opposite(const Preset& preset) {
  if (has_magnitudes(preset.adapter)) {
    throw Error(message<"training.purpose is {purpose}, whose adapter is used at negative weights "
                        "too, and one with DoRA's magnitudes isn't the opposite there. Set "
                        "adapter.type to lora and adapter.decompose to false">(
        enum_name(preset.training.purpose)));
  }
}

void check_base_targets(const JobSpec& job) {
  const Preset& preset = job.preset;
  if (trains_slider(preset)) {
    check_slider(job);
  }
  if (trains_training_adapter(preset)) {
    check_training_adapter(job);
  }
  if (!preserves(preset)) {
    return;
  }
  require_base(preset, "training.preservation");
  if (preset.training.preservation == Preservation::class_word) {
    require_class(preset.training);
  }
}

void require_preserved_captions(const Preset& preset, const Dataset& dataset) {
  if (!preserves(preset) || std::ranges::any_of(dataset.items, [&](const ImageItem& item) {
        return preserved_caption(preset.training, item.caption) != item.caption;
      })) {
    return;
  }
  throw Error(preset.training.preservation == Preservation::empty
                  ? message<"training.preservation is empty, and every caption is empty: nothing "
                            "is left to preserve. Set it to off, or write captions">()
                  : message<"training.preservation: no caption contains training.trigger_word, "
                            "{word}. Write it into the captions, or correct the setting">(
                        preset.training.trigger_word));
}

}  // namespace mantissa
