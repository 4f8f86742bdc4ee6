#include "engine/models/qwen_image21/qwen_image21_sequence.h"

#include <algorithm>

#include "engine/models/qwen3/qwen3_inputs.h"

namespace mantissa {
namespace {

/// Of the rotary frequencies; also of `timestep_embedding`, which gives the image's frame.
constexpr double kQwenImage21Theta = 10000;

void add_latent_places(std::vector<double>& places, LatentSize size, std::int64_t frame) {
  const std::int64_t bottom = size.height / 2, right = size.width / 2;
  for (std::int64_t y = bottom - size.height; y < bottom; ++y) {
    for (std::int64_t x = right - size.width; x < right; ++x) {
      places.insert(places.end(),
                    {static_cast<double>(frame), static_cast<double>(y), static_cast<double>(x)});
    }
  }
}

std::int64_t longer_side(LatentSize size) {
  return std::max(size.height, size.width);
}

}  // namespace

std::int64_t qwen_image21_moved(const ReferenceSequence& sequence) {
  std::int64_t all = 0;
  for (const LatentSize& reference : sequence.references()) {
    all += longer_side(reference);
  }
  return all;
}

std::vector<float> qwen_image21_order(const ReferenceSequence& sequence) {
  std::vector<float> scores;
  for (const ReferenceSequence::Run& run : sequence.runs()) {
    for (std::int64_t i = 0; run.reference < 0 && i < run.count; ++i) {
      const std::int64_t seen = run.begin + i + 1;
      scores.insert(scores.end(), static_cast<std::size_t>(seen), 0.0F);
      scores.insert(scores.end(), static_cast<std::size_t>(sequence.count() - seen), kMaskedKey);
    }
  }
  return scores;
}

RotaryTables qwen_image21_positions(const ReferenceSequence& sequence, LatentSize image,
                                    const QwenImage21Config& config) {
  std::vector<RotaryAxis> axes;
  for (const int channels : config.axes_dims) {
    axes.push_back({.width = channels, .theta = kQwenImage21Theta});
  }
  std::vector<double> places;
  std::int64_t next = 0;
  for (const ReferenceSequence::Run& run : sequence.runs()) {
    if (run.reference >= 0) {
      const LatentSize size = sequence.references()[static_cast<std::size_t>(run.reference)];
      add_latent_places(places, size, next);
      next += longer_side(size);
      continue;
    }
    for (std::int64_t i = 0; i < run.count; ++i, ++next) {
      places.insert(places.end(), 3, static_cast<double>(next));
    }
  }
  add_latent_places(places, image, 0);
  RotaryTables tables = rotary_tables(axes, places);
  const std::int64_t frame = config.axes_dims[0] / 2;
  for (std::int64_t row = sequence.count(); row < tables.tokens; ++row) {
    std::fill_n(tables.cos.begin() + row * tables.pairs, frame, 0.0F);
  }
  return tables;
}

}  // namespace mantissa
