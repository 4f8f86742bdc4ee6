#pragma once
// Small adapters of the tests' base models, as Mantissa writes them, for readers.

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>

#include "engine/adapters/adapter_file.h"
#include "engine/adapters/export.h"
#include "engine/adapters/module_weight.h"
#include "engine/io/weights.h"
#include "engine/readers/read_as.h"
#include "tests/test_util.h"

namespace mantissa::test {

/// The base model of a family's name, as small as there is.
inline std::filesystem::path small_base(const std::string& family) {
  namespace fs = std::filesystem;
  if (family == "sdxl") {
    return fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/mini-sdxl.safetensors";
  }
  const fs::path models = fs::path(MANTISSA_TEST_DATA) / "golden/models";
  return family == "sd15" ? models / "sd15.safetensors" : models / family;
}

/// A LoRA of rank 2 on `path`, with a DoRA's magnitudes if `axis`.
inline AdapterModule small_module(const WeightSource& base, const std::string& path,
                                  std::optional<DoraAxis> axis = {}, unsigned seed = 1) {
  const auto [part, name] = weight_of_module(path);
  const Shape w = base.shape(part, name);
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 0.1F);
  AdapterModule m{.path = path, .rank = 2, .alpha = 1};
  m.down_shape = w;
  m.down_shape[0] = 2;
  m.up_shape = w.rank() == 4 ? Shape{w[0], 2, 1, 1} : Shape{w[0], 2};
  const auto fill = [&](std::vector<float>& values, const Shape& shape) {
    values.resize(static_cast<std::size_t>(shape.count()));
    for (float& x : values) {
      x = normal(random);
    }
  };
  fill(m.down, m.down_shape);
  fill(m.up, m.up_shape);
  if (axis) {
    m.dora_axis = axis;
    const auto channels = static_cast<std::size_t>(*axis == DoraAxis::output ? w[0] : w[1]);
    m.magnitude.assign(channels, 1.0F);
    for (float& x : m.magnitude) {
      x += normal(random);
    }
  }
  return m;
}

/// Adapters of every module of the denoiser's first blocks that a LoRA may name.
inline std::vector<AdapterModule> small_adapter(const WeightSource& base, std::size_t most,
                                                std::optional<DoraAxis> axis = {}) {
  std::vector<AdapterModule> list;
  unsigned seed = 1;
  for (const std::string& path : adaptable_modules(base)) {
    const bool attention =
        path.find(".to_") != std::string::npos || path.find(".attn.add_") != std::string::npos;
    if (attention && path.starts_with("denoiser.") && list.size() < most) {
      list.push_back(small_module(base, path, axis, seed++));
    }
  }
  return list;
}

inline ReaderVerdict read_file_as(std::string_view reader, const std::filesystem::path& file,
                                  const WeightSource& base, std::span<const AdapterModule> meant) {
  const SafetensorsFile open = SafetensorsFile::open(file);
  return read_as(*reader_called(reader), open.tensors(),
                 PeftConfig::of_metadata(open.metadata(), open.label()), base, meaning_of(meant));
}

}  // namespace mantissa::test
