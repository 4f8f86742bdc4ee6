// Base models in FP8 with scales, as ComfyUI's converters write them: their codes are used as they
// are, and every value is code · scale.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "engine/io/model_writer.h"
#include "engine/io/safetensors.h"
#include "engine/io/weights.h"
#include "engine/nn/weight_store.h"
#include "kernels/cpu/cpu.h"
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

class ScaledFp8 : public ::testing::Test {
 protected:
  enum class Scales { per_tensor, per_row };

  /// The tiny model with its matrices as FP8 codes and scales, under names ending in `ending`;
  /// `change` edits the tensors before they are written. Fills `wanted_`.
  fs::path quantised(const std::string& model, Scales scales, const std::string& ending,
                     const StoredChange& change = {}) {
    const auto file = SafetensorsFile::open(golden_model(model));
    StoredTensors tensors, plain;
    for (const TensorInfo& t : file.tensors()) {
      const Shape shape = t.shape();
      if (shape.rank() != 2 || !t.name.ends_with(".weight")) {
        tensors.push_back({t.name, *t.type, shape, {t.data, t.data + t.bytes}});
        plain.push_back(tensors.back());
        continue;
      }
      add_codes(t, scales, ending, tensors, plain);
    }
    tensors.push_back(stored<std::uint8_t>("scaled_fp8", DType::f8_e4m3, {0}, {}));
    if (change) {
      change(tensors);
    }
    write("wanted.safetensors", plain, file.metadata());
    return write("scaled.safetensors", tensors, file.metadata());
  }

  /// The first tensor with this ending: a part of the first matrix.
  static StoredTensor& first(StoredTensors& tensors, const std::string& ending) {
    return *std::find_if(tensors.begin(), tensors.end(),
                         [&](const StoredTensor& t) { return t.name.ends_with(ending); });
  }
  WeightSource wanted() const { return WeightSource::open(folder_ / "wanted.safetensors"); }

  static std::vector<float> values(const WeightSource& source, const std::string& name) {
    std::vector<float> all(static_cast<std::size_t>(source.shape(kDenoiser, name).count()));
    source.read_f32(kDenoiser, name, all);
    return all;
  }
  void expect_same_values(const fs::path& path) const {
    const WeightSource found = WeightSource::open(path), want = wanted();
    EXPECT_EQ(found.names(kDenoiser), want.names(kDenoiser));
    EXPECT_TRUE(found.unknown().empty()) << found.unknown().front();
    EXPECT_EQ(found.ignored(), want.ignored());
    for (const std::string& name : want.names(kDenoiser)) {
      EXPECT_EQ(values(found, name), values(want, name)) << name;
    }
  }

  test::TempFolder folder_;

 private:
  /// Codes of the values over a scale, and the values that they stand for.
  static void add_codes(const TensorInfo& t, Scales scales, const std::string& ending,
                        StoredTensors& tensors, StoredTensors& plain) {
    const Shape shape = t.shape();
    const auto rows = static_cast<std::size_t>(shape[0]), cols = static_cast<std::size_t>(shape[1]);
    std::vector<float> scale, exact;
    std::vector<float8_e4m3> codes;
    for (std::size_t r = 0; r < rows; ++r) {
      // Any numbers that differ: 0.01, 0.013, …
      const float s = 0.01F + 0.003F * static_cast<float>(scales == Scales::per_row ? r : 0);
      if (scales == Scales::per_row || r == 0) {
        scale.push_back(s);
      }
      for (std::size_t c = 0; c < cols; ++c) {
        float16 value;
        std::memcpy(&value, t.data + (r * cols + c) * sizeof value, sizeof value);
        codes.emplace_back(static_cast<float>(value) / s);
        exact.push_back(static_cast<float>(codes.back()) * s);
      }
    }
    const std::string module = t.name.substr(0, t.name.size() - std::string(".weight").size());
    tensors.push_back(stored(t.name, DType::f8_e4m3, shape, codes));
    const Shape scale_shape = scales == Scales::per_tensor ? Shape{} : Shape{shape[0], 1};
    tensors.push_back(stored(module + ending, DType::f32, scale_shape, scale));
    plain.push_back(stored(t.name, DType::f32, shape, exact));
  }

  fs::path write(const char* name, const StoredTensors& tensors,
                 const std::map<std::string, std::string>& metadata) const {
    write_safetensors(folder_ / name, to_write(tensors), metadata);
    return folder_ / name;
  }
};

TEST_F(ScaledFp8, ValuesAreCodesTimesTheScale) {
  expect_same_values(quantised("z_image_base.safetensors", Scales::per_tensor, ".scale_weight"));
}

TEST_F(ScaledFp8, RowsOfFusedWeightsHaveTheirOwn) {
  expect_same_values(quantised("z_image_base.safetensors", Scales::per_row, ".weight_scale"));
}

TEST_F(ScaledFp8, ExchangedHalvesKeepTheirScales) {
  expect_same_values(quantised("flux2_base.safetensors", Scales::per_row, ".weight_scale"));
}

TEST_F(ScaledFp8, WhatElseTheFormatStoresIsNoWeight) {
  expect_same_values(
      quantised("z_image_base.safetensors", Scales::per_tensor, ".weight_scale", [](auto& tensors) {
        const std::string name = first(tensors, ".weight_scale").name;
        const std::string module = name.substr(0, name.rfind('.'));
        const std::string json = R"({"format": "float8_e4m3fn", "convrot": false})";
        tensors.push_back(stored<float>(module + ".input_scale", DType::f32, {1}, {0.5F}));
        tensors.push_back(stored<char>(module + ".comfy_quant", DType::u8,
                                       {static_cast<std::int64_t>(json.size())},
                                       {json.begin(), json.end()}));
      }));
}

TEST_F(ScaledFp8, CodesAreKeptWhereTheyStayFp8) {
  for (const Scales scales : {Scales::per_tensor, Scales::per_row}) {
    const fs::path path = quantised("z_image_base.safetensors", scales, ".scale_weight");
    const WeightSource source = WeightSource::open(path);
    const auto kernels = make_cpu_kernels(1);
    for (const bool streamed : {false, true}) {
      WeightStore store(*kernels, source);
      const std::string name = "layers.1.attention.to_k.weight";
      if (streamed) {
        store.stream({"denoiser." + name});
      }
      const WeightView view = source.view(kDenoiser, name);
      const Tensor& t = store.frozen("denoiser." + name, view.shape, DType::f8_e4m3);
      const void* codes = streamed ? t.host : t.data;
      EXPECT_EQ(std::memcmp(codes, view.data, static_cast<std::size_t>(view.shape.count())), 0);
      const auto* scale =
          reinterpret_cast<const float*>(static_cast<const std::byte*>(codes) + t.scale_offset());
      for (std::int64_t row = 0; row < view.shape[0]; ++row) {
        EXPECT_EQ(scale[row],
                  view.scales[static_cast<std::size_t>(scales == Scales::per_row ? row : 0)]);
      }
    }
  }
}

TEST_F(ScaledFp8, IsWrittenAsTheValuesItStandsFor) {
  const fs::path path = quantised("z_image_base.safetensors", Scales::per_row, ".scale_weight");
  write_model_file(folder_ / "out.safetensors", model_contents(WeightSource::open(path)));
  const auto out = SafetensorsFile::open(folder_ / "out.safetensors");
  EXPECT_EQ(out.find("model.diffusion_model.layers.1.attention.qkv.scale_weight"), nullptr);
  const WeightSource found = WeightSource::open(out.path()), want = wanted();
  const std::string name = "layers.1.attention.to_k.weight";
  const std::vector<float> exact = values(want, name), written = values(found, name);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_EQ(written[i], static_cast<float>(bfloat16(exact[i])));
  }
}

TEST_F(ScaledFp8, OtherQuantisationsAreRefusedByName) {
  const auto refused = [&](const StoredChange& change, std::initializer_list<std::string> words) {
    const fs::path path =
        quantised("z_image_base.safetensors", Scales::per_tensor, ".weight_scale", change);
    expect_error_with([&] { WeightSource::open(path); }, words);
  };
  const auto format = [](const std::string& json) {
    return [json](StoredTensors& tensors) {
      const std::string name = first(tensors, ".weight_scale").name;
      tensors.push_back(stored<char>(name.substr(0, name.rfind('.')) + ".comfy_quant", DType::u8,
                                     {static_cast<std::int64_t>(json.size())},
                                     {json.begin(), json.end()}));
    };
  };
  refused(format(R"({"format": "convrot_w4a4"})"),
          {"scaled.safetensors", "quantised as convrot_w4a4"});
  refused(format(R"({"format": "float8_e4m3fn", "convrot": true})"), {"a rotation (convrot)"});
  refused(format("no JSON"), {"quantised as"});
  refused([](auto& t) { first(t, ".weight_scale").dtype = DType::i32; },
          {".weight_scale is I32", "scales must be F32"});
  refused(
      [](auto& t) {
        StoredTensor& s = first(t, ".weight_scale");
        s = stored<float>(s.name, DType::f32, {2, 3}, std::vector<float>(6, 1.0F));
      },
      {".weight_scale is F32 [2, 3]", "one for each of its"});
  refused(
      [](auto& t) {
        StoredTensor& s = first(t, ".weight_scale");
        s = stored<float>(s.name, DType::f32, {}, {NAN});
      },
      {".weight_scale has a scale that is not finite"});
  refused(
      [](auto& t) {
        StoredTensor again = first(t, ".weight_scale");
        again.name = again.name.substr(0, again.name.rfind('.')) + ".scale_weight";
        t.push_back(again);
      },
      {"two tensors of scales"});
}

}  // namespace
}  // namespace mantissa
