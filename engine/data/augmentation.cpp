#include "engine/data/augmentation.h"

#include <cmath>

#include "engine/core/random.h"

namespace mantissa {
namespace {

constexpr double kParts = 10'000;  ///< of a share, factor or turn
constexpr double kDegreeParts = 100;

/// The draws of a version. The numbers are part of every cache: never renumber, and at most kDraws.
enum class DrawnAmount : std::uint32_t {
  zoom,
  across,
  down,
  angle,
  brightness,
  contrast,
  saturation,
  hue
};
constexpr std::uint32_t kDraws = 8;

/// The random numbers of one version.
class Draws {
 public:
  Draws(std::uint64_t seed, const std::string& content_hash, int variant)
      : variant_(static_cast<std::uint32_t>(variant)) {
    const std::uint64_t content = std::stoull(content_hash.substr(0, 16), nullptr, 16);
    key_ = random_key(seed, RandomStream::augmentation, content, content >> 32);
  }
  /// 0 … `most`.
  int up_to(double most, double parts, DrawnAmount draw) const {
    const auto steps = static_cast<std::uint64_t>(std::lround(most * parts));
    return static_cast<int>(random_below(key_, steps + 1, block(draw)));
  }
  /// -most … `most`.
  int to_either_side(double most, double parts, DrawnAmount draw) const {
    const auto steps = std::lround(most * parts);
    return static_cast<int>(static_cast<std::int64_t>(random_below(
                                key_, 2 * static_cast<std::uint64_t>(steps) + 1, block(draw))) -
                            steps);
  }
  std::uint32_t word(DrawnAmount draw) const { return random_block(key_, block(draw))[0]; }

 private:
  std::uint32_t block(DrawnAmount draw) const {
    return variant_ * kDraws + static_cast<std::uint32_t>(draw);
  }

  RandomKey key_;
  std::uint32_t variant_;
};

}  // namespace

int variant_count(const Preset::Data& data) {
  return augments(data) ? data.variants : 1;
}

Augmentation draw_augmentation(const Preset& preset, const std::string& content_hash, int variant) {
  const Preset::Data& d = preset.data;
  Augmentation drawn;
  if (!augments(d)) {
    return drawn;
  }
  const Draws draws(static_cast<std::uint64_t>(preset.training.seed), content_hash, variant);
  if (d.crop_jitter > 0) {
    drawn.framing.zoom = draws.up_to(d.crop_jitter, kParts, DrawnAmount::zoom);
    drawn.framing.position = {draws.word(DrawnAmount::across), draws.word(DrawnAmount::down)};
  }
  drawn.framing.angle = draws.to_either_side(d.rotation, kDegreeParts, DrawnAmount::angle);
  drawn.color = {draws.to_either_side(d.brightness, kParts, DrawnAmount::brightness),
                 draws.to_either_side(d.contrast, kParts, DrawnAmount::contrast),
                 draws.to_either_side(d.saturation, kParts, DrawnAmount::saturation),
                 draws.to_either_side(d.hue, kParts, DrawnAmount::hue)};
  return drawn;
}

ImageVersion image_version(const Preset& preset, const Bucket& bucket, const ImageItem& item,
                           int variant) {
  const Augmentation drawn = draw_augmentation(preset, item.content_hash, variant);
  return {place_image(bucket, item.width, item.height, drawn.framing), drawn.color};
}

}  // namespace mantissa
