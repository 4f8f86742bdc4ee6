#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// A training size in pixels, ordered by width, then height.
struct Bucket {
  int width = 0, height = 0;
  auto operator<=>(const Bucket&) const = default;
};

/// A resolution and the setting that gives it.
struct GivenResolution {
  int pixels = 0;
  std::string_view key;  ///< data.resolution, data.further_resolutions or data.folders
};
/// Resolutions that a preset uses, each once, data.resolution first.
std::vector<GivenResolution> given_resolutions(const Preset::Data& data);

struct BucketOptions {
  /// equal_area: ours, area ≤ resolution², nearest by |ln aspect|, true crop passed to the model.
  /// kohya: sd-scripts' set, nearest by |aspect difference|, letterbox crop numbers.
  /// onetrainer: nine aspects and inverses, equal area rounded to the quantum, true crop.
  BucketRule rule = BucketRule::equal_area;
  int resolution = 1024;                 ///< pixels
  std::vector<GivenResolution> further;  ///< whose sizes are made too
  int quantum = 64;       ///< pixels; divides every side (VAE factor × UNet factor at least)
  bool buckets = true;    ///< false: only the square one
  double max_aspect = 4;  ///< equal_area: longest side / shortest side
  int min_side = 256, max_side = 2048;  ///< kohya only
  std::vector<Bucket> skip;             ///< sizes that are left out
};

/// The bucket rule of a training preset. `quantum`: every side is a multiple of this many pixels.
BucketOptions bucket_options(const Preset& preset, int quantum);

/// All sizes but options.skip, sorted. Throws Error naming the setting of a resolution that is
/// below the quantum, and data.skip_buckets if that leaves no size.
std::vector<Bucket> make_buckets(const BucketOptions& options);

/// Sizes of options.skip that the rule doesn't make, sorted: leaving them out does nothing. Not an
/// error, since the sizes follow resolution, rule and base model: a list made for 1024 pixels must
/// not keep a run at 768 from starting. Throws as make_buckets does.
std::vector<Bucket> unknown_skips(const BucketOptions& options);

/// "768x1344", as in data.skip_buckets.
std::string bucket_text(const Bucket& bucket);

/// A warning about unknown_skips; none if there are none.
std::optional<Message> skip_warning(const BucketOptions& options);

/// Index of the size for an image: its exact size if listed, else the nearest aspect by the rule;
/// ties go to the first in order.
std::size_t choose_bucket(std::span<const Bucket> buckets, BucketRule rule, int width, int height);

/// How a placement may differ from the plain one.
struct Framing {
  int zoom = 0;  ///< enlarged by this many ten-thousandths more than needed
  int angle =
      0;  ///< the image is rotated counter-clockwise, hundredths of a degree, |angle| ≤ 9000
  /// Where the crop lies in what the scaled image leaves free, across and down, in 2⁻³² of it;
  /// unset: in the middle.
  std::optional<std::array<std::uint32_t, 2>> position{};
};

/// How an image becomes `bucket`: scaled to cover it (one side exact, the other rounded half up),
/// then cropped. left and top are pixels of the scaled image. With an angle the crop is turned
/// about its own centre, and the image is scaled to cover the upright box around it, so that the
/// whole crop lies inside; left and top are still those of the crop before it is turned.
struct Placement {
  int original_width = 0, original_height = 0;
  int scaled_width = 0, scaled_height = 0;
  int left = 0, top = 0;  ///< negative where the bucket is larger: its border shows a reflection
  Bucket bucket;
  int angle = 0;        ///< as Framing::angle
  bool pillow = false;  ///< scaled as pipelines do (pillow_resize.h), not in floats
};
Placement place_image(const Bucket& bucket, int width, int height, const Framing& framing = {});

/// Whether two sizes have the same aspect ratio, within 2 %.
bool have_one_shape(int width, int height, int other_width, int other_height);

/// The share of the scaled image that lies outside its crop, 0 to 1.
double cut_share(const Placement& placement);
/// Above this share an image is named: the frame no longer shows what its caption says.
inline constexpr double kMuchCut = 1.0 / 3;
/// "96% of 9600x96 is cut away".
Message cut_text(const Placement& placement);

/// SDXL's six numbers: original (height, width), crop (top, left), target (height, width).
/// The crop is the real one, in pixels of the scaled image; mirrored with `flipped`. Under the
/// kohya rule it is the letterbox offset that sd-scripts passes instead.
std::array<float, 6> time_ids(const Placement& placement, BucketRule rule = BucketRule::equal_area,
                              bool flipped = false);

}  // namespace mantissa
