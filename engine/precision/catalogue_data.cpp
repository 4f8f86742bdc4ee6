#include "engine/precision/catalogue_rules.h"

namespace mantissa {
namespace {

/// A cached encoding has a fixed order of the tags.
MaybeConflict shuffled_and_cached(const PrecisionFacts& f) {
  const Preset::Data& d = f.preset.data;
  if (!d.shuffle_captions || trains_text(f.preset) || d.cache != CacheMode::all) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.data.cache = CacheMode::latents;
  return adjust(fixed);
}

MaybeConflict kept_without_shuffle(const PrecisionFacts& f) {
  const Preset::Data& d = f.preset.data;
  if (d.keep_tokens == 0 || d.shuffle_captions) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.data.keep_tokens = 0;
  return warn(fixed, {{"tokens", d.keep_tokens}});
}

/// A side that is no longer than the square's leaves no room for another shape of the same area.
MaybeConflict short_buckets(const PrecisionFacts& f) {
  const Preset::Data& d = f.preset.data;
  const int largest = std::ranges::max(resolutions_in_use(d));
  if (d.bucket_rule != BucketRule::kohya || !d.buckets || d.bucket_max >= largest * 3 / 2) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.data.bucket_max = 2 * largest;
  return warn(fixed, {{"max", d.bucket_max}, {"resolution", largest}});
}

MaybeConflict both_lengths(const PrecisionFacts& f) {
  const Preset::Training& t = f.preset.training;
  const std::int64_t usual = Preset{}.training.steps;
  if (t.epochs == 0 || t.steps == usual) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.training.steps = usual;
  return warn(fixed, {{"epochs", t.epochs}, {"steps", t.steps}});
}

MaybeConflict one_version(const PrecisionFacts& f) {
  const Preset::Data& d = f.preset.data;
  if (d.variants > 1 || !augments(d)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.data.variants = 8;
  return warn(fixed);
}

MaybeConflict equal_versions(const PrecisionFacts& f) {
  const Preset::Data& d = f.preset.data;
  if (d.variants == 1 || augments(d)) {
    return {};
  }
  Preset fixed = f.preset;
  fixed.data.variants = 1;
  return warn(fixed, {{"versions", d.variants}});
}

constexpr CatalogueEntry kData[] = {
    {.id = "C1",
     .area = CatalogueArea::data,
     .verdicts = "A",
     .title = "Shuffled captions with cached text encodings: the order never changes, or the "
              "program refuses to start",
     .cause = "An encoding holds one order of the tags; another order must be encoded again.",
     .here = "Captions are encoded as each step needs them, by text encoders that stay in memory.",
     .message = "Captions aren't cached: their tags stand in another order in every epoch, so the "
                "text encoders stay in memory and each step encodes its own captions.",
     .fix = "data.cache latents, or data.shuffle_captions off",
     .fields = {"data.shuffle_captions", "data.cache"},
     .find = shuffled_and_cached},
    {.id = "C2",
     .area = CatalogueArea::data,
     .verdicts = "N",
     .title = "Tags to keep in front, and no shuffling: the setting does nothing",
     .cause = "Only a shuffle could move them.",
     .here = "Captions are read as they stand.",
     .message = "data.keep_tokens is {tokens}, but data.shuffle_captions is off: no tag moves.",
     .fix = "data.keep_tokens 0, or data.shuffle_captions on",
     .fields = {"data.keep_tokens", "data.shuffle_captions"},
     .find = kept_without_shuffle},
    {.id = "C3",
     .area = CatalogueArea::data,
     .verdicts = "N",
     .title = "kohya's buckets with the default largest side: wide and tall images lose pixels",
     .cause = "A bucket of the full area needs a side longer than the square's, which its limit "
              "forbids.",
     .here = "It sorts as asked.",
     .message = "No bucket is longer than {max} px, so images that aren't square are trained on "
                "less than {resolution} x {resolution} px.",
     .fix = "data.bucket_max twice the resolution",
     .fields = {"data.bucket_max", "data.resolution", "data.further_resolutions",
                "data.bucket_rule"},
     .find = short_buckets},
    {.id = "C4",
     .area = CatalogueArea::data,
     .verdicts = "N",
     .title = "Both epochs and steps are set: one of them is silently ignored",
     .cause = "A run has one length, and steps depend on the images.",
     .here = "Epochs count; the plan shows the steps that they make.",
     .message = "training.epochs is {epochs} and training.steps {steps}: the run lasts as long as "
                "the epochs, and the number of steps isn't used.",
     .fix = "training.epochs 0 to train by steps, or training.steps at its default",
     .fields = {"training.epochs", "training.steps"},
     .find = both_lengths},
    {.id = "C5",
     .area = CatalogueArea::data,
     .verdicts = "N",
     .title = "Augmentations with cached latents: they are silently off, or refused",
     .cause = "A cached latent is of one crop, angle and colour; others must be encoded as well.",
     .here = "data.variants versions of each image are drawn, each encoded and cached; training "
             "goes through all of them in turn.",
     .message = "data.variants is 1: each image is cropped, rotated or coloured once, and every "
                "epoch trains on that one version.",
     .fix = "data.variants 8",
     .fields = {"data.variants", "data.crop_jitter", "data.rotation", "data.brightness",
                "data.hue"},
     .find = one_version},
    {.id = "C6",
     .area = CatalogueArea::data,
     .verdicts = "N",
     .title = "Several versions of each image, and nothing that distinguishes them",
     .cause = "Versions differ by crop jitter, rotation and colours only; all of these are 0.",
     .here = "Each image is encoded once.",
     .message = "data.variants is {versions}, but crop jitter, rotation, brightness, contrast, "
                "saturation and hue are all 0: every version would be the same image.",
     .fix = "data.variants 1, or an amount above 0",
     .fields = {"data.variants", "data.crop_jitter", "data.rotation", "data.brightness",
                "data.hue"},
     .find = equal_versions},
};

}  // namespace

std::span<const CatalogueEntry> data_entries() {
  return kData;
}

}  // namespace mantissa
