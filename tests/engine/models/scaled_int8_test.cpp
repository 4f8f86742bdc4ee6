// Base models in INT8 as ComfyUI's converters write them ("int8_tensorwise"): codes times scales,
// plain ones used as they are, rotated ones (ConvRot) turned back.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "engine/io/safetensors.h"
#include "engine/io/weights.h"
#include "engine/nn/weight_store.h"
#include "kernels/cpu/cpu.h"
#include "kernels/rotation.h"
#include "tests/engine/models/stored_tensors.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using test::expect_error_with;
using testing_support::golden_model;
using testing_support::stored;
using testing_support::StoredChange;
using testing_support::StoredTensor;
using testing_support::StoredTensors;
using testing_support::to_write;

using Matrix = std::vector<std::vector<double>>;

/// The matrix of rotation.h from its definition: a Kronecker power.
Matrix rotation_matrix(int size) {
  const Matrix four{{.5, .5, .5, -.5}, {.5, .5, -.5, .5}, {.5, -.5, .5, .5}, {-.5, .5, .5, .5}};
  Matrix power{{1}};
  while (static_cast<int>(power.size()) < size) {
    const std::size_t n = power.size();
    Matrix next(4 * n, std::vector<double>(4 * n));
    for (std::size_t i = 0; i < 4 * n; ++i) {
      for (std::size_t j = 0; j < 4 * n; ++j) {
        next[i][j] = four[i / n][j / n] * power[i % n][j % n];
      }
    }
    power = next;
  }
  return power;
}

/// `row` by the matrix, in runs of its size.
std::vector<double> rotated(const std::vector<double>& row, const Matrix& by) {
  std::vector<double> result(row.size());
  for (std::size_t begin = 0; begin < row.size(); begin += by.size()) {
    for (std::size_t i = 0; i < by.size(); ++i) {
      for (std::size_t j = 0; j < by.size(); ++j) {
        result[begin + i] += row[begin + j] * by[j][i];
      }
    }
  }
  return result;
}

TEST(Rotation, IsTheKroneckerPowerAndItsOwnInverse) {
  for (const int group : {4, 16, 64, 256}) {
    std::vector<float> values(512);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = std::sin(static_cast<float>(i * i));
    }
    const std::vector<float> before = values;
    const std::vector<double> want =
        rotated({before.begin(), before.end()}, rotation_matrix(group));
    rotate_groups(values.data(), std::ssize(values), group);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(values[i], want[i], 1e-6) << group << " " << i;
    }
    rotate_groups(values.data(), std::ssize(values), group);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(values[i], before[i], 1e-6) << group << " " << i;
    }
  }
}

class ScaledInt8 : public ::testing::Test {
 protected:
  /// The tiny model with its matrices as codes of their rows, rotated in groups if `group` is not
  /// 0. `change` edits the tensors before they are written. Fills `wanted_`.
  fs::path quantised(int group, const StoredChange& change = {},
                     const char* file_name = "int8.safetensors") {
    const auto file = SafetensorsFile::open(golden_model(model_));
    StoredTensors tensors;
    for (const TensorInfo& t : file.tensors()) {
      const Shape shape = t.shape();
      if (shape.rank() != 2 || !t.name.ends_with(".weight") || shape[1] % 4 != 0) {
        tensors.push_back({t.name, *t.type, shape, {t.data, t.data + t.bytes}});
      } else {
        add_codes(t, group, tensors);
      }
    }
    if (change) {
      change(tensors);
    }
    write_safetensors(folder_ / file_name, to_write(tensors), file.metadata());
    return folder_ / file_name;
  }
  void add_codes(const TensorInfo& t, int group, StoredTensors& tensors) {
    const Shape shape = t.shape();
    const auto rows = static_cast<std::size_t>(shape[0]), cols = static_cast<std::size_t>(shape[1]);
    const Matrix by = rotation_matrix(group);
    std::vector<float> scales;
    std::vector<std::int8_t> codes;
    std::vector<double> values;
    for (std::size_t r = 0; r < rows; ++r) {
      std::vector<double> row(cols), exact(cols);
      double largest = 0;
      for (std::size_t c = 0; c < cols; ++c) {
        float16 value;
        std::memcpy(&value, t.data + (r * cols + c) * sizeof value, sizeof value);
        row[c] = static_cast<float>(value);
      }
      row = group > 0 ? rotated(row, by) : row;
      for (const double x : row) {
        largest = std::max(largest, std::fabs(x));
      }
      scales.push_back(static_cast<float>(largest / 127));
      for (std::size_t c = 0; c < cols; ++c) {
        codes.push_back(static_cast<std::int8_t>(std::lround(row[c] / scales.back())));
        exact[c] = static_cast<double>(static_cast<float>(codes.back()) * scales.back());
      }
      exact = group > 0 ? rotated(exact, by) : exact;
      values.insert(values.end(), exact.begin(), exact.end());
    }
    const std::string module = t.name.substr(0, t.name.size() - std::string(".weight").size());
    tensors.push_back(stored(t.name, DType::i8, shape, codes));
    tensors.push_back(stored(module + ".weight_scale", DType::f32, {shape[0], 1}, scales));
    tensors.push_back(text(module + ".comfy_quant",
                           group == 0 ? R"({"format": "int8_tensorwise", "per_row": true})"
                                      : R"({"format": "int8_tensorwise", "convrot": true,)"
                                        R"( "convrot_groupsize": )" +
                                            std::to_string(group) + "}"));
    wanted_[t.name] = values;
  }
  static StoredTensor text(const std::string& name, const std::string& json) {
    return stored<char>(name, DType::u8, {static_cast<std::int64_t>(json.size())},
                        {json.begin(), json.end()});
  }
  static StoredTensor& first(StoredTensors& tensors, const std::string& ending) {
    return *std::ranges::find_if(tensors,
                                 [&](const StoredTensor& t) { return t.name.ends_with(ending); });
  }
  static std::vector<float> values(const WeightSource& source, const std::string& name) {
    std::vector<float> all(static_cast<std::size_t>(source.shape(kDenoiser, name).count()));
    source.read_f32(kDenoiser, name, all);
    return all;
  }

  const char* model_ = "z_image_base.safetensors";
  test::TempFolder folder_;
  std::map<std::string, std::vector<double>> wanted_;  ///< values by tensor
};

TEST_F(ScaledInt8, ValuesAreCodesTimesScalesTurnedBack) {
  for (const int group : {0, 4}) {
    const std::string name = std::to_string(group) + ".safetensors";
    const WeightSource source = WeightSource::open(quantised(group, {}, name.c_str()));
    EXPECT_TRUE(source.unknown().empty()) << source.unknown().front();
    // Shares of a fused tensor too.
    const auto& qkv = wanted_.at("model.diffusion_model.layers.1.attention.qkv.weight");
    std::size_t at = 0;
    for (const char* share : {"to_q", "to_k", "to_v"}) {
      const std::vector<float> found =
          values(source, "layers.1.attention." + std::string(share) + ".weight");
      for (const float value : found) {
        ASSERT_NEAR(value, qkv[at], group == 0 ? 0 : 1e-6) << share;
        ++at;
      }
    }
    EXPECT_EQ(at, qkv.size());
  }
}

TEST_F(ScaledInt8, PlainCodesAreKept) {
  const std::string name = "layers.1.attention.to_k.weight";
  const auto kernels = make_cpu_kernels(1);
  const WeightSource plain = WeightSource::open(quantised(0));
  WeightStore store(*kernels, plain);
  const WeightView view = plain.view(kDenoiser, name);
  const Tensor& t = store.frozen("denoiser." + name, view.shape, DType::i8);
  EXPECT_EQ(std::memcmp(t.data, view.data, static_cast<std::size_t>(view.shape.count())), 0);
  EXPECT_TRUE(std::equal(view.scales.begin(), view.scales.end(), t.scale));
}

TEST_F(ScaledInt8, CodesRotatedInOtherGroupsAreTurnedBack) {
  model_ = "a.safetensors";
  const std::string name = "mid_block.attentions.0.transformer_blocks.0.attn1.to_q.weight";
  const WeightSource turned = WeightSource::open(quantised(4));
  const WeightView view = turned.view(kDenoiser, name);
  ASSERT_GT(rotation_group(view.shape[1]), 4);
  EXPECT_EQ(view.rotation, 4);
  EXPECT_EQ(view.dtype, DType::i8);
  EXPECT_FALSE(view.straight()) << "its codes are not the weight's";
  const std::vector<double>& wanted =
      wanted_.at("model.diffusion_model.middle_block.1.transformer_blocks.0.attn1.to_q.weight");
  const std::vector<float> found = values(turned, name);
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], wanted[i], 1e-6);
  }
}

TEST_F(ScaledInt8, CodesRotatedInTheGroupsUsedHereAreKept) {
  const std::string name = "layers.1.attention.to_k.weight";
  const auto kernels = make_cpu_kernels(1);
  const std::int64_t cols = WeightSource::open(quantised(0)).shape(kDenoiser, name)[1];
  const auto group = static_cast<int>(rotation_group(cols));
  ASSERT_GT(group, 1);
  const WeightSource source = WeightSource::open(quantised(group, {}, "kept.safetensors"));
  const WeightView view = source.view(kDenoiser, name);
  EXPECT_EQ(view.dtype, DType::i8_rotated);
  WeightStore store(*kernels, source);
  const Tensor& t = store.frozen("denoiser." + name, view.shape, DType::i8_rotated);
  EXPECT_EQ(std::memcmp(t.data, view.data, static_cast<std::size_t>(view.shape.count())), 0);
  EXPECT_TRUE(std::equal(view.scales.begin(), view.scales.end(), t.scale));
}

TEST_F(ScaledInt8, WhatIsWrongIsNamed) {
  const auto refused = [&](const StoredChange& change, std::initializer_list<std::string> words) {
    const fs::path path = quantised(4, change);
    expect_error_with([&] { WeightSource::open(path); }, words);
  };
  const auto described = [&](const std::string& json) {
    return [json](StoredTensors& all) {
      StoredTensor& t = first(all, ".comfy_quant");
      t = text(t.name, json);
    };
  };
  refused(
      [](auto& all) {
        std::erase_if(all, [](const StoredTensor& t) { return t.name.ends_with(".comfy_quant"); });
      },
      {"int8.safetensors", "INT8 codes", "whether they are rotated"});
  refused(described(R"({"format": "int8_tensorwise", "convrot": true, "convrot_groupsize": 48})"),
          {"rotation of 48 columns"});
  refused(described(R"({"format": "int8_tensorwise", "convrot": true, "convrot_groupsize": "x"})"),
          {"rotation of"});
  refused(described(R"({"format": "int8_tensorwise", "convrot": true, "convrot_groupsize": 1024})"),
          {"rotation of 1024 columns", "don't divide"});
  refused(described(R"({"format": "int8_blockwise"})"), {"quantised as int8_blockwise"});
  refused(described(R"({"format": "float8_e4m3fn"})"), {"under another format's name"});
}

TEST_F(ScaledInt8, CodesWithoutScalesAreNoWeights) {
  const fs::path path = quantised(0, [](auto& all) {
    std::erase_if(all, [](const StoredTensor& t) { return t.name.ends_with(".weight_scale"); });
  });
  const WeightSource source = WeightSource::open(path);
  expect_error_with([&] { source.view(kDenoiser, "layers.1.attention.to_k.weight"); },
                    {"stored as I8", "can't be used"});
}

}  // namespace
}  // namespace mantissa
