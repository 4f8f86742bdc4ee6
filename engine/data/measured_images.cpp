#include "engine/data/measured_images.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace mantissa {
namespace {

/// Forward passes: four levels, before and after with its own caption, and after with others.
constexpr double kPassesOfAnImage = 4 * (2 + kOtherCaptions);
/// Forward passes that take as long as a step with one image.
constexpr double kPassesOfAStep = 3;

}  // namespace

std::vector<std::size_t> measured_images(const Preset& preset, const std::vector<ImageItem>& items,
                                         std::int64_t steps) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < items.size() && !trains_vae(preset); ++i) {
    if (!items[i].prior) {
      all.push_back(i);
    }
  }
  const double trained =
      static_cast<double>(steps) * preset.training.gradient_accumulation * preset.data.batch_size;
  const double room =
      preset.training.image_loss_share * trained * kPassesOfAStep / kPassesOfAnImage;
  const auto count = static_cast<std::size_t>(std::min(room, static_cast<double>(all.size())));
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < count; ++i) {
    some.push_back(all[i * all.size() / count]);
  }
  return some;
}

std::vector<std::size_t> other_captions(const std::vector<ImageItem>& items, std::size_t image) {
  std::map<std::string_view, std::size_t> others;  // by caption: its first image
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].prior && items[i].caption != items[image].caption) {
      others.try_emplace(items[i].caption, i);
    }
  }
  std::vector<std::size_t> all;
  for (const auto& [caption, index] : others) {
    all.push_back(index);
  }
  const std::size_t count = std::min(all.size(), kOtherCaptions);
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < count; ++i) {
    // From another place for each image, so that no caption is left out.
    some.push_back(all[(image + i * all.size() / count) % all.size()]);
  }
  return some;
}

}  // namespace mantissa
