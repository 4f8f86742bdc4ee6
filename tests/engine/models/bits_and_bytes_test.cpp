// Base models in NF4 as bitsandbytes stores it (tests/golden/make_nf4.py): its codes and scales are
// used as they are, and every value is the one it decodes to.
#include "engine/io/bits_and_bytes.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "engine/core/error.h"
#include "engine/io/block_views.h"
#include "engine/io/file.h"
#include "engine/io/inspect.h"
#include "engine/io/model_writer.h"
#include "engine/io/tensor_file.h"
#include "engine/io/weights.h"
#include "engine/nn/weight_store.h"
#include "kernels/cpu/cpu.h"
#include "kernels/nf4.h"
#include "tests/engine/models/kept_blocks.h"
#include "tests/engine/models/stored_tensors.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using test::expect_error_with;
using testing_support::denoiser_values;
using testing_support::golden_model;
using testing_support::set_text;
using testing_support::StoredChange;
using testing_support::StoredTensor;
using testing_support::StoredTensors;
using testing_support::tensor_of;
using testing_support::to_write;
using testing_support::without;

fs::path nf4_model() {
  return golden_model("nf4.safetensors");
}

std::string hash_of(std::span<const float> values) {
  Sha256 hash;
  hash.update(std::as_bytes(values));
  return hash.hex();
}

TEST(BitsAndBytes, ValuesAreTheOnesItDecodesTo) {
  const auto file = TensorFile::open(nf4_model());
  const auto wanted = nlohmann::json::parse(
      read_text(fs::path(MANTISSA_TEST_DATA) / "golden/reference/nf4_values.json"));
  std::size_t packed = 0;
  for (const TensorInfo& tensor : file.tensors()) {
    if (tensor.block_scales == nullptr) {
      EXPECT_FALSE(wanted.contains(tensor.name)) << tensor.name;
      continue;
    }
    ++packed;
    WeightView view;
    view.dtype = *tensor.type;
    view.shape = tensor.shape();
    view.data = tensor.data;
    view.block_scales = tensor.block_scales;
    EXPECT_EQ(hash_of(decoded(view)), wanted.at(tensor.name).get<std::string>()) << tensor.name;
  }
  EXPECT_EQ(packed, wanted.size());
  EXPECT_GT(packed, 20U);
}

TEST(BitsAndBytes, IsABaseModelLikeItsOriginal) {
  const WeightSource found = WeightSource::open(nf4_model());
  const WeightSource want = WeightSource::open(golden_model("z_image_base.safetensors"));
  EXPECT_EQ(&found.family(), &want.family());
  EXPECT_TRUE(found.unknown().empty()) << found.unknown().front();
  EXPECT_EQ(found.ignored(), want.ignored());
  ASSERT_EQ(found.names(kDenoiser), want.names(kDenoiser));
  std::set<DType> types;
  for (const std::string& name : want.names(kDenoiser)) {
    const WeightView view = found.view(kDenoiser, name);
    EXPECT_EQ(view.shape, want.shape(kDenoiser, name)) << name;
    types.insert(view.dtype);
    const double error =
        testing_support::relative_error(denoiser_values(found, name), denoiser_values(want, name));
    EXPECT_LE(error, view.block_scales != nullptr ? 0.15 : 0) << name;
  }
  EXPECT_TRUE(types.contains(DType::nf4) && types.contains(DType::nf4_fp32)) << "both are tested";
  const ModelSummary told = inspect(nf4_model());
  EXPECT_EQ(told.family, "z_image");
  EXPECT_GT(told.dtypes.at("NF4"), 20);
  EXPECT_FALSE(told.dtypes.contains("U8")) << "codes and their scales are one tensor";
  EXPECT_EQ(told.parameters, inspect(golden_model("z_image_base.safetensors")).parameters);
}

// Q21, of whole tensors and of shares of fused ones.
TEST(BitsAndBytes, CodesAndScalesAreKept) {
  const WeightSource source = WeightSource::open(nf4_model());
  const testing_support::KeptBlocks kept = testing_support::expect_blocks_kept(source, DType::nf4);
  EXPECT_GT(kept.shares, 5);
  EXPECT_GT(kept.wholes, 5);
  const auto kernels = make_cpu_kernels(1);
  WeightStore store(*kernels, source);
  for (const std::string& name : source.names(kDenoiser)) {
    const WeightView view = source.view(kDenoiser, name);
    if (view.block_scales == nullptr || view.stored() != view.block_scales->count) {
      continue;
    }
    const Tensor& t = store.frozen("denoiser." + name, view.shape, DType::nf4);
    const auto* scales =
        static_cast<const std::byte*>(t.data) + nf4_layout(t.dtype, t.shape.count()).scales;
    EXPECT_TRUE(std::ranges::equal(view.block_scales->bytes,
                                   std::span(scales, view.block_scales->bytes.size())));
  }
}

TEST(BitsAndBytes, IsWrittenAsTheValuesItStandsFor) {
  const test::TempFolder folder;
  const WeightSource source = WeightSource::open(nf4_model());
  write_model_file(folder / "out.safetensors", model_contents(source));
  const WeightSource found = WeightSource::open(folder / "out.safetensors");
  const std::string name = "layers.1.attention.to_k.weight";
  const std::vector<float> exact = denoiser_values(source, name),
                           written = denoiser_values(found, name);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_EQ(written[i], static_cast<float>(bfloat16(exact[i])));
  }
}

// -- damaged and foreign files ----------------------------------------------------------------------

class BadBitsAndBytes : public ::testing::Test {
 protected:
  /// The first with doubly quantised scales, or with plain ones.
  std::string weight(bool nested) const {
    for (const StoredTensor& t : tensors_) {
      const std::size_t at = t.name.rfind(".absmax");
      if (at != std::string::npos && (t.dtype == DType::u8) == nested) {
        return t.name.substr(0, at);
      }
    }
    return {};
  }
  void refused(const StoredChange& change, std::initializer_list<std::string> words) {
    StoredTensors all = tensors_;
    change(all);
    write_safetensors(folder_ / "bad.safetensors", to_write(all));
    expect_error_with([&] { WeightSource::open(folder_ / "bad.safetensors"); }, words);
    expect_error_with([&] { inspect(folder_ / "bad.safetensors"); }, words);
  }
  /// The state's JSON with `key` changed; absent where `value` is null.
  StoredChange state(const std::string& weight, const std::string& key,
                     const nlohmann::json& value) {
    return [=](StoredTensors& all) {
      StoredTensor& t = tensor_of(all, weight + ".quant_state.bitsandbytes__nf4");
      auto json =
          nlohmann::json::parse(reinterpret_cast<const char*>(t.bytes.data()),
                                reinterpret_cast<const char*>(t.bytes.data()) + t.bytes.size());
      if (value.is_null()) {
        json.erase(key);
      } else {
        json[key] = value;
      }
      set_text(t, json.dump());
    };
  }

  test::TempFolder folder_;
  StoredTensors tensors_ = testing_support::stored_tensors(nf4_model());
};

TEST_F(BadBitsAndBytes, WhatIsWrongIsNamed) {
  const std::string nested = weight(true), plain = weight(false);
  ASSERT_FALSE(nested.empty() || plain.empty());
  refused(state(nested, "blocksize", 128), {"bad.safetensors", nested, "blocks of 128 values"});
  refused(state(nested, "blocksize", nullptr), {nested, "blocks of null values"});
  refused(state(nested, "quant_type", "fp4"), {nested, "only nf4"});
  refused(state(nested, "shape", nullptr), {nested, "has no shape"});
  refused(state(nested, "shape", {0, 4}), {nested, "has no shape"});
  refused(state(nested, "shape", {1LL << 40, 1LL << 40}), {nested, "has no shape"});
  refused(state(nested, "shape", {1, 1, 1, 1, 1, 1, 64}), {nested, "has no shape"});
  refused(state(nested, "shape", {2, 64}), {nested, "the codes of 128 values", "64 of U8"});
  refused(state(nested, "nested_blocksize", 64), {nested, "groups of 64"});
  refused(state(nested, "nested_offset", nullptr), {nested, "nested_offset"});
  refused(state(nested, "nested_offset", "x"), {nested, "nested_offset"});
  for (const char* ending : {".nested_absmax", ".nested_quant_map", ".quant_map"}) {
    refused(without(nested + ending), {nested + ending, "lacks"});
  }
  refused(without(plain + ".absmax"), {plain + ".absmax", "lacks"});
  refused(without(plain), {plain, "lacks", "the codes of"});
  refused(
      [&](auto& all) { set_text(tensor_of(all, plain + ".quant_state.bitsandbytes__nf4"), "{"); },
      {plain, "no JSON object"});
  refused(
      [&](auto& all) {
        tensor_of(all, plain + ".quant_state.bitsandbytes__nf4").name =
            plain + ".quant_state.bitsandbytes__fp4";
      },
      {plain, "stored as fp4", "only nf4"});
  refused(
      [&](auto& all) {
        StoredTensor again = tensor_of(all, plain + ".quant_state.bitsandbytes__nf4");
        again.name = plain + ".quant_state.bitsandbytes__fp4";
        all.push_back(again);
      },
      {plain});
  refused(
      [&](auto& all) {
        const float odd = NAN;
        std::memcpy(tensor_of(all, plain + ".absmax").bytes.data(), &odd, sizeof odd);
      },
      {plain + ".absmax", "not finite"});
  refused(
      [&](auto& all) {
        const float other = 0.5F;
        std::memcpy(tensor_of(all, plain + ".quant_map").bytes.data(), &other, sizeof other);
      },
      {plain, "other numbers for its codes than NF4"});
  refused(
      [&](auto& all) {
        StoredTensor& t = tensor_of(all, plain + ".absmax");
        t.bytes.resize(t.bytes.size() - 4);
        t.shape = {t.shape[0] - 1};
      },
      {plain + ".absmax", "expected its scales"});
}

// Bytes of the states' JSON changed: an error of ours, or a model.
TEST_F(BadBitsAndBytes, DamagedStatesAreRefusedOrHarmless) {
  const std::string name = weight(true) + ".quant_state.bitsandbytes__nf4";
  int refusals = 0;
  for (std::uint32_t i = 0; i < 400; ++i) {
    StoredTensors all = tensors_;
    StoredTensor& t = tensor_of(all, name);
    t.bytes[(i * 2654435761U >> 8) % t.bytes.size()] = static_cast<std::byte>(i * 40503U >> 7);
    const std::vector<std::byte> bytes = serialize_safetensors(to_write(all));
    try {
      read_bits_and_bytes(SafetensorsFile::parse(bytes, "x.safetensors"));
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("x.safetensors"), std::string::npos);
      ++refusals;
    }
  }
  EXPECT_GT(refusals, 100);
}

}  // namespace
}  // namespace mantissa
