#include "engine/models/qwen_image21/qwen_image21_sequence.h"

#include <algorithm>

#include "engine/models/qwen3/qwen3_inputs.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

/// Of the rotary frequencies; also of `timestep_embedding`, which gives the image's frame.
constexpr double kQwenImage21Theta = 10000;

/// `part` behind `all`, which may be absent.
void join_onto(Value& all, Value part) {
  all = all ? join_tokens(all, part) : part;
}

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

QwenImage21Sequence::QwenImage21Sequence(std::int64_t tokens,
                                         std::span<const LatentSize> references,
                                         std::span<const std::int64_t> places)
    : tokens_(tokens), references_(references.begin(), references.end()) {
  std::int64_t text = 0;
  const auto add = [&](std::int64_t count, int reference) {
    if (count > 0) {
      runs_.push_back({count, count_, text, reference});
      count_ += count;
      text += reference < 0 ? count : 0;
    }
  };
  for (std::size_t i = 0; i < references.size(); ++i) {
    add(places[i] - text, -1);
    add(references[i].positions(), static_cast<int>(i));
  }
  add(tokens - text, -1);
}

std::int64_t QwenImage21Sequence::moved() const {
  std::int64_t all = 0;
  for (const LatentSize& reference : references_) {
    all += longer_side(reference);
  }
  return all;
}

Value QwenImage21Sequence::joined(Value text, std::span<const Value> references) const {
  if (plain()) {
    return text;
  }
  Value all;
  for (const Run& run : runs_) {
    join_onto(all, run.reference < 0 ? take_tokens(text, run.text, run.count)
                                     : references[static_cast<std::size_t>(run.reference)]);
  }
  return all;
}

Value QwenImage21Sequence::text_of(Value sequence) const {
  Value all;
  for (const Run& run : runs_) {
    if (run.reference < 0) {
      join_onto(all, take_tokens(sequence, run.begin, run.count));
    }
  }
  return all;
}

std::vector<float> QwenImage21Sequence::order() const {
  std::vector<float> scores;
  for (const Run& run : runs_) {
    for (std::int64_t i = 0; run.reference < 0 && i < run.count; ++i) {
      const std::int64_t seen = run.begin + i + 1;
      scores.insert(scores.end(), static_cast<std::size_t>(seen), 0.0F);
      scores.insert(scores.end(), static_cast<std::size_t>(count_ - seen), kMaskedKey);
    }
  }
  return scores;
}

RotaryTables qwen_image21_positions(const QwenImage21Sequence& sequence, LatentSize image,
                                    const QwenImage21Config& config) {
  std::vector<RotaryAxis> axes;
  for (const int channels : config.axes_dims) {
    axes.push_back({.width = channels, .theta = kQwenImage21Theta});
  }
  std::vector<double> places;
  std::int64_t next = 0;
  for (const QwenImage21Sequence::Run& run : sequence.runs()) {
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
