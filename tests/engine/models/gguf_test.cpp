// GGUF files as base models, and their packed types: against the gguf package
// (tests/golden/make_gguf.py).
#include "engine/io/gguf.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/io/block_format.h"
#include "engine/io/file.h"
#include "engine/io/weights.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using test::expect_error_with;
using testing_support::golden_model;
using testing_support::relative_error;

constexpr std::uint32_t kTypes[] = {2, 3, 6, 7, 8, 10, 11, 12, 13, 14};

void expect_values_of(const fs::path& path) {
  const auto file = SafetensorsFile::open(path);
  for (const std::uint32_t ggml : kTypes) {
    const BlockFormat& format = *block_format(ggml);
    const std::string name(format.name);
    const TensorInfo* blocks = file.find(name + ".blocks");
    const TensorInfo* want = file.find(name + ".values");
    ASSERT_NE(blocks, nullptr) << name;
    ASSERT_EQ(blocks->dims[1], format.bytes) << name;
    ASSERT_EQ(want->dims[1], format.values) << name;
    std::vector<float> values(static_cast<std::size_t>(want->count()));
    decode_blocks(format, blocks->data, want->count(), values.data());
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

std::vector<float> values_of(const WeightSource& source, const std::string& name) {
  std::vector<float> values(static_cast<std::size_t>(source.shape(kDenoiser, name).count()));
  source.read_f32(kDenoiser, name, values);
  return values;
}

TEST(Gguf, IsABaseModelLikeItsOriginal) {
  const WeightSource found = WeightSource::open(golden_model("gguf_q.gguf"));
  const WeightSource want = WeightSource::open(golden_model("z_image_base.safetensors"));
  EXPECT_EQ(&found.family(), &want.family());
  ASSERT_EQ(found.names(kDenoiser), want.names(kDenoiser));
  int packed = 0;
  for (const std::string& name : want.names(kDenoiser)) {
    ASSERT_EQ(found.shape(kDenoiser, name), want.shape(kDenoiser, name)) << name;
    const bool blocks = found.view(kDenoiser, name).blocks != nullptr;
    packed += blocks ? 1 : 0;
    EXPECT_LE(relative_error(values_of(found, name), values_of(want, name)), blocks ? 0.005 : 0)
        << name;
  }
  EXPECT_GE(packed, 12) << "q, k and v of flattened matrices too";
  EXPECT_EQ(found.metadata().at("general.architecture"), "lumina2");
  const ModelSummary told = inspect(golden_model("gguf_q.gguf"));
  EXPECT_EQ(told.family, "z_image");
  EXPECT_GT(told.dtypes.at("Q8_0"), 4);
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
