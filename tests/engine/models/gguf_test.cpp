// GGUF files as base models, and their packed types: against the gguf package
// (tests/golden/make_gguf.py).
#include "engine/io/gguf.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/io/base_files.h"
#include "engine/io/block_views.h"
#include "engine/io/file.h"
#include "engine/io/inspect.h"
#include "engine/io/weights.h"
#include "kernels/block_codes.h"
#include "tests/engine/models/kept_blocks.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using test::expect_error_with;
using testing_support::denoiser_values;
using testing_support::golden_model;
using testing_support::relative_error;

constexpr DType kTypes[] = {DType::q4_0, DType::q4_1, DType::q5_0, DType::q5_1, DType::q8_0,
                            DType::q2_k, DType::q3_k, DType::q4_k, DType::q5_k, DType::q6_k};

void expect_values_of(const fs::path& path) {
  const auto file = SafetensorsFile::open(path);
  for (const DType type : kTypes) {
    const BlockLayout layout = block_layout(type, 0);
    const std::string name = gguf_name(type);
    const TensorInfo* blocks = file.find(name + ".blocks");
    const TensorInfo* want = file.find(name + ".values");
    ASSERT_NE(blocks, nullptr) << name;
    ASSERT_EQ(blocks->dims[1], layout.codes) << name;
    ASSERT_EQ(want->dims[1], layout.values) << name;
    WeightView view;
    view.dtype = type;
    view.shape = want->shape();
    view.data = blocks->data;
    const std::vector<float> values = decoded(view);
    EXPECT_EQ(std::memcmp(values.data(), want->data, want->bytes), 0) << name;
  }
}

TEST(BlockFormats, DecodeToTheBitsOfTheGgufPackage) {
  expect_values_of(fs::path(MANTISSA_TEST_DATA) / "golden/reference/gguf_blocks.safetensors");
}

TEST(BlockFormats, NightlyRandomBlocks) {
  const char* path = std::getenv("MANTISSA_GGUF_BLOCKS");
  if (path == nullptr) {
    GTEST_SKIP() << "tests/interop/gguf_blocks.py makes the blocks";
  }
  expect_values_of(path);
}

TEST(Gguf, IsABaseModelLikeItsOriginal) {
  const WeightSource found = WeightSource::open(golden_model("gguf_q.gguf"));
  const WeightSource want = WeightSource::open(golden_model("z_image_base.safetensors"));
  EXPECT_EQ(&found.family(), &want.family());
  ASSERT_EQ(found.names(kDenoiser), want.names(kDenoiser));
  int packed = 0;
  for (const std::string& name : want.names(kDenoiser)) {
    ASSERT_EQ(found.shape(kDenoiser, name), want.shape(kDenoiser, name)) << name;
    const bool blocks = is_gguf(found.view(kDenoiser, name).dtype);
    packed += blocks ? 1 : 0;
    EXPECT_LE(relative_error(denoiser_values(found, name), denoiser_values(want, name)),
              blocks ? 0.005 : 0)
        << name;
  }
  EXPECT_GE(packed, 12) << "q, k and v of flattened matrices too";
  EXPECT_EQ(found.metadata().at("general.architecture"), "lumina2");
  const ModelSummary told = inspect(golden_model("gguf_q.gguf"));
  EXPECT_EQ(told.family, "z_image");
  EXPECT_GT(told.dtypes.at("Q8_0"), 4);
}

// SDXL's converters leave the prefix out of a UNet's names.
TEST(Gguf, OfSdxlIsAUNetBesideOtherFiles) {
  const WeightSource found = WeightSource::open(golden_model("gguf_b.json"));
  const WeightSource want = WeightSource::open(golden_model("b"));
  EXPECT_EQ(&found.family(), &want.family());
  EXPECT_TRUE(found.unknown().empty()) << found.unknown().front();
  ASSERT_EQ(found.names(kDenoiser), want.names(kDenoiser));
  std::set<DType> types;
  for (const std::string& name : want.names(kDenoiser)) {
    types.insert(found.view(kDenoiser, name).dtype);
    EXPECT_LE(relative_error(denoiser_values(found, name), denoiser_values(want, name)), 0.05)
        << name;
  }
  EXPECT_TRUE(types.contains(DType::q8_0) && types.contains(DType::q5_1));
  for (const Part part : {kTe1, kTe2, kVae}) {
    EXPECT_EQ(found.names(part), want.names(part)) << part.name();
  }
  EXPECT_EQ(inspect(golden_model("gguf_b.gguf")).family, "sdxl");
}

/// The denoiser of a tiny model beside a text encoder under llama.cpp's names, against the model's.
void expect_encoder_of(const fs::path& model, Part part, const std::string& file) {
  const WeightSource want = WeightSource::open(golden_model(model.string()));
  BaseFiles files;
  files.parts[kDenoiser] =
      golden_model((model / "transformer/diffusion_pytorch_model.safetensors").string());
  files.parts[part] = golden_model(file);
  const WeightSource found = WeightSource::open(files);
  EXPECT_TRUE(found.unknown().empty()) << found.unknown().front();
  ASSERT_EQ(found.names(part), want.names(part));
  int packed = 0;
  for (const std::string& name : want.names(part)) {
    ASSERT_EQ(found.shape(part, name), want.shape(part, name)) << name;
    std::vector<float> a(static_cast<std::size_t>(want.shape(part, name).count())), b(a.size());
    found.read_f32(part, name, a);
    want.read_f32(part, name, b);
    const bool blocks = is_gguf(found.view(part, name).dtype);
    packed += blocks ? 1 : 0;
    EXPECT_LE(relative_error(a, b), blocks ? 0.006 : 0) << name;
  }
  EXPECT_GT(packed, 0);
}

TEST(Gguf, TextEncodersHaveTheNamesOfLlamaCpp) {
  expect_encoder_of("flux1", kTe2, "gguf_t5.gguf");
  expect_encoder_of("z_image", kTe1, "gguf_qwen3.gguf");
}

TEST(Gguf, AFewNamesOfAUNetMakeNone) {
  const test::TempFolder folder;
  const std::vector<float> values(4);
  const std::vector<TensorToWrite> tensors{
      {"time_embed.0.weight", DType::f32, {2, 2}, values.data(), {}},
      {"out.0.weight", DType::f32, {4}, values.data(), {}}};
  write_safetensors(folder / "other.safetensors", tensors);
  expect_error_with([&] { WeightSource::open(folder / "other.safetensors"); },
                    {"other.safetensors", "is not a base model"});
}

// Q24: each in its own type; what the file has in 16 or 32 bits stays so.
TEST(Gguf, BlocksAreKeptAsTheFileHasThem) {
  const WeightSource source = WeightSource::open(golden_model("gguf_q.gguf"));
  EXPECT_GT(testing_support::expect_blocks_kept(source, DType::gguf).wholes, 10);
  const auto kernels = make_cpu_kernels(1);
  WeightStore store(*kernels, source), without = WeightStore::planning();
  for (const std::string& name : source.names(kDenoiser)) {
    const WeightView view = source.view(kDenoiser, name);
    const Tensor& t = store.frozen("denoiser." + name, view.shape, DType::gguf);
    EXPECT_EQ(t.dtype, view.dtype) << name;
    if (is_gguf(view.dtype)) {
      const std::vector<float> values(static_cast<std::size_t>(view.shape.count()), 1.0F);
      expect_error_with([&] { store.replace(t, values); }, {name, "pin it to bf16"});
    }
  }
  EXPECT_EQ(without.frozen("denoiser.x.weight", {64, 64}, DType::gguf).dtype, DType::q8_0)
      << "without a file the largest counts";
}

class BadGguf : public ::testing::Test {
 protected:
  BadGguf() {
    const std::string text = read_text(golden_model("gguf_q.gguf"));
    bytes_.resize(text.size());
    std::memcpy(bytes_.data(), text.data(), text.size());
  }
  /// What opening says; empty if it opens.
  std::string told(std::span<const std::byte> bytes) const {
    try {
      GgufFile::parse(bytes, "x.gguf");
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  }
  std::vector<std::byte> bytes_;
};

TEST_F(BadGguf, EveryShorterFileIsRefused) {
  for (std::size_t size = 0; size < bytes_.size(); size += size < 6000 ? 1 : 4999) {
    const std::string said = told(std::span(bytes_).first(size));
    EXPECT_NE(said.find("x.gguf"), std::string::npos) << size;
  }
  // Within the last tensor, all others whole.
  EXPECT_NE(told(std::span(bytes_).first(bytes_.size() - 64)).find("lies outside"),
            std::string::npos);
}

TEST_F(BadGguf, DamageIsRefusedOrHarmless) {
  ASSERT_EQ(told(bytes_), "");
  int refused = 0;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    const std::size_t at = (i * 2654435761U >> 8) % 8000;
    const std::byte before = bytes_[at];
    bytes_[at] = static_cast<std::byte>(i * 40503U >> 7);
    refused += told(bytes_).empty() ? 0 : 1;
    bytes_[at] = before;
  }
  EXPECT_GT(refused, 1000);
}

TEST_F(BadGguf, WhatIsWrongIsNamed) {
  const auto with = [&](std::size_t at, std::uint32_t value) {
    std::vector<std::byte> changed = bytes_;
    std::memcpy(changed.data() + at, &value, sizeof value);
    return told(changed);
  };
  EXPECT_NE(with(0, 1).find("is no GGUF file"), std::string::npos);
  EXPECT_NE(with(4, 9).find("GGUF version 9"), std::string::npos);
  EXPECT_NE(with(12, 1).find("claims"), std::string::npos) << "tensors";
  // The type behind a vector's name, its one dimension and its extent.
  const std::string name = "cap_embedder.0.weight";
  const auto found =
      std::search(bytes_.begin(), bytes_.end(), reinterpret_cast<const std::byte*>(name.data()),
                  reinterpret_cast<const std::byte*>(name.data() + name.size()));
  const auto at = static_cast<std::size_t>(found - bytes_.begin()) + name.size();
  EXPECT_NE(with(at, 7).find(name + "' has 7 dimensions"), std::string::npos);
  EXPECT_NE(with(at + 12, 16).find(name + "' has the type 16"), std::string::npos);
  EXPECT_NE(with(at + 12, 8).find("rows of 24 values"), std::string::npos);
  EXPECT_NE(with(at + 4, 1U << 30).find("larger than the file"), std::string::npos);
}

TEST(Gguf, IsNoAdapter) {
  expect_error_with([] { SafetensorsFile::open(golden_model("gguf_q.gguf")); },
                    {"is a GGUF file", "only base models"});
}

}  // namespace
}  // namespace mantissa
