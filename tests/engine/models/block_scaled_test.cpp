// Base models in MXFP8 and NVFP4 as ComfyUI saves them (tests/golden/make_block_codes.py): codes
// and scales are used as they are, and every value is the one that comfy-kitchen decodes to.
#include "engine/io/block_scaled.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/io/inspect.h"
#include "engine/io/tensor_file.h"
#include "engine/io/weights.h"
#include "kernels/block_codes.h"
#include "tests/engine/models/kept_blocks.h"
#include "tests/engine/models/stored_tensors.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using test::expect_error_with;
using testing_support::golden_model;
using testing_support::StoredChange;
using testing_support::StoredTensor;
using testing_support::StoredTensors;
using testing_support::tensor_of;
using testing_support::to_write;
using testing_support::without;

fs::path block_scaled_model() {
  return golden_model("block_scaled.safetensors");
}

TEST(BlockScaled, ValuesAreThoseOfComfyKitchen) {
  const auto file = TensorFile::open(block_scaled_model());
  const auto wanted = nlohmann::json::parse(
      read_text(fs::path(MANTISSA_TEST_DATA) / "golden/reference/block_scaled_values.json"));
  std::map<std::string, int> formats;
  for (const TensorInfo& tensor : file.tensors()) {
    if (tensor.block_scales == nullptr) {
      EXPECT_FALSE(wanted.contains(tensor.name)) << tensor.name;
      continue;
    }
    ++formats[tensor.dtype];
    WeightView view;
    view.dtype = *tensor.type;
    view.shape = tensor.shape();
    view.data = tensor.data;
    view.block_scales = tensor.block_scales;
    Sha256 hash;
    const std::vector<float> values = decoded(view);
    hash.update(std::as_bytes(std::span(values)));
    EXPECT_EQ(hash.hex(), wanted.at(tensor.name).get<std::string>()) << tensor.name;
  }
  EXPECT_GE(formats.at("MXFP8"), 15);
  EXPECT_GE(formats.at("NVFP4"), 15);
}

TEST(BlockScaled, CodesAndScalesAreKept) {
  const WeightSource source = WeightSource::open(block_scaled_model());
  EXPECT_TRUE(source.unknown().empty()) << source.unknown().front();
  for (const DType wanted : {DType::mxfp8, DType::nvfp4}) {
    const testing_support::KeptBlocks kept = testing_support::expect_blocks_kept(source, wanted);
    EXPECT_GT(kept.wholes, 10) << dtype_name(wanted);
    EXPECT_GT(kept.shares, 2) << "rows of fused q, k and v, " << dtype_name(wanted);
  }
  const ModelSummary told = inspect(block_scaled_model());
  EXPECT_EQ(told.family, "z_image");
  EXPECT_GE(told.dtypes.at("NVFP4"), 15);
  EXPECT_FALSE(told.dtypes.contains("U8")) << "codes and their scales are one tensor";
}

// q, k and v of one fused tensor are its rows in turn, with their own scales.
TEST(BlockScaled, SharesAreRowsOfTheWhole) {
  const auto file = TensorFile::open(block_scaled_model());
  const WeightSource source = WeightSource::open(block_scaled_model());
  std::set<std::string> formats;
  for (const TensorInfo& tensor : file.tensors()) {
    const std::string_view prefix = "model.diffusion_model.", end = "qkv.weight";
    if (tensor.block_scales == nullptr || !tensor.name.ends_with(end)) {
      continue;
    }
    formats.insert(tensor.dtype);
    WeightView whole;
    whole.dtype = *tensor.type;
    whole.shape = tensor.shape();
    whole.data = tensor.data;
    whole.block_scales = tensor.block_scales;
    const std::string block =
        tensor.name.substr(prefix.size(), tensor.name.size() - prefix.size() - end.size());
    std::vector<float> joined;
    for (const char* share : {"to_q", "to_k", "to_v"}) {
      std::ranges::copy(testing_support::denoiser_values(source, block + share + ".weight"),
                        std::back_inserter(joined));
    }
    EXPECT_EQ(joined, decoded(whole)) << tensor.name;
  }
  EXPECT_EQ(formats, (std::set<std::string>{"MXFP8", "NVFP4"}));
}

// As cuBLAS describes it.
TEST(BlockScaled, TilesHoldEveryScaleOnce) {
  EXPECT_EQ(tiled_place(0, 0, 8), 0U);
  EXPECT_EQ(tiled_place(0, 3, 8), 3U);
  EXPECT_EQ(tiled_place(32, 0, 8), 4U);
  EXPECT_EQ(tiled_place(1, 0, 8), 16U);
  EXPECT_EQ(tiled_place(0, 4, 8), 512U);
  EXPECT_EQ(tiled_place(128, 0, 8), 1024U);
  std::set<std::size_t> places;
  for (std::int64_t row = 0; row < 200; ++row) {
    for (std::int64_t block = 0; block < 7; ++block) {
      places.insert(tiled_place(row, block, 7));
    }
  }
  EXPECT_EQ(places.size(), 1400U);
  EXPECT_LT(*places.rbegin(), tiled_bytes(200, 7));
}

// -- damaged and foreign files ----------------------------------------------------------------------

class BadBlockScaled : public ::testing::Test {
 protected:
  static StoredChange cut(const std::string& name) {
    return [=](StoredTensors& all) {
      StoredTensor& t = tensor_of(all, name);
      t.shape = {std::ssize(t.bytes) / 2};
      t.bytes.resize(t.bytes.size() / 2);
    };
  }
  void refused(const StoredChange& change, std::initializer_list<std::string> words) {
    StoredTensors all = tensors_;
    change(all);
    write_safetensors(folder_ / "bad.safetensors", to_write(all));
    expect_error_with([&] { WeightSource::open(folder_ / "bad.safetensors"); }, words);
    expect_error_with([&] { inspect(folder_ / "bad.safetensors"); }, words);
  }
  /// The first module of that format.
  std::string module(std::string_view format) const {
    for (const StoredTensor& t : tensors_) {
      const std::string text(reinterpret_cast<const char*>(t.bytes.data()), t.bytes.size());
      if (t.name.ends_with(".comfy_quant") && text.find(format) != std::string::npos) {
        return t.name.substr(0, t.name.size() - std::string_view(".comfy_quant").size());
      }
    }
    return {};
  }

  test::TempFolder folder_;
  StoredTensors tensors_ = testing_support::stored_tensors(block_scaled_model());
};

TEST_F(BadBlockScaled, WhatIsWrongIsNamed) {
  const std::string mx = module("mxfp8"), nv = module("nvfp4");
  ASSERT_FALSE(mx.empty() || nv.empty());
  refused(without(mx + ".weight_scale"),
          {"bad.safetensors", mx + ".weight", "lacks", "weight_scale"});
  refused(without(nv + ".weight_scale_2"), {nv + ".weight", "lacks", "weight_scale_2"});
  refused(cut(mx + ".weight_scale"), {mx, "in tiles of 128 x 4"});
  refused([&](auto& all) { tensor_of(all, nv + ".weight_scale_2").dtype = DType::i32; },
          {nv + ".weight_scale_2", "I32"});
  refused([&](auto& all) { tensor_of(all, mx + ".weight").dtype = DType::u8; },
          {mx + ".weight", "U8", "F8_E4M3"});
  refused(
      [&](auto& all) {
        const float odd = INFINITY;
        std::memcpy(tensor_of(all, nv + ".weight_scale_2").bytes.data(), &odd, sizeof odd);
      },
      {nv + ".weight_scale_2", "no finite number"});
  refused(
      [&](auto& all) {
        StoredTensor scale = tensor_of(all, nv + ".weight_scale_2");
        scale.name = nv + ".pre_quant_scale";
        all.push_back(scale);
      },
      {nv, "pre_quant_scale"});
  refused(
      [&](auto& all) {
        StoredTensor& t = tensor_of(all, mx + ".weight");
        t.shape = {t.shape[0] * 4, t.shape[1] / 4};
      },
      {mx, "rows of 16 values, which blocks of 32 can't hold"});
}

}  // namespace
}  // namespace mantissa
