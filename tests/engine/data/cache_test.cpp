#include "engine/data/cache.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <set>

#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, HostTensor>;

class Cache : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / "mantissa cache é" /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  TensorCache cache() {
    return TensorCache(folder_, [this](const Message& n) { notices_.push_back(n.text()); });
  }
  static Tensors latents() {
    Tensors t;
    t["mean"] = {Shape{1, 2, 3, 4}, std::vector<float>(24, 0.5F)};
    t["std"] = {Shape{1, 2, 3, 4}, std::vector<float>(24, 0.25F)};
    t["mean"].data[5] = -1.0F / 3;
    return t;
  }
  static std::string key() { return cache_key(TextKey{"a cat", "f"}); }

  fs::path folder_;
  std::vector<std::string> notices_;
};

TEST_F(Cache, RoundTrip) {
  const TensorCache c = cache();
  Tensors got;
  EXPECT_FALSE(c.get(key(), "a.png", got));
  EXPECT_FALSE(c.contains(key()));
  c.put(key(), "a.png", latents());
  EXPECT_TRUE(c.contains(key()));
  ASSERT_TRUE(cache().get(key(), "a.png", got));
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got["mean"].shape, (Shape{1, 2, 3, 4}));
  EXPECT_EQ(got["mean"].data, latents()["mean"].data);
  EXPECT_EQ(got["std"].data, latents()["std"].data);
  EXPECT_EQ(c.path_of(key()).parent_path().filename().string(), key().substr(0, 2));
  EXPECT_TRUE(notices_.empty());
}

TEST_F(Cache, KeysTellEverythingApart) {
  LatentKey base;
  base.content_hash = "abc";
  base.placement = {100, 200, 64, 128, 0, 32, {64, 64}};
  base.fingerprint = "vae";
  std::set<std::string> keys{cache_key(base)};
  EXPECT_EQ(cache_key(base).size(), 64u);
  const auto add = [&](auto&& change) {
    LatentKey k = base;
    change(k);
    keys.insert(cache_key(k));
  };
  add([](LatentKey& k) { k.content_hash = "abd"; });
  add([](LatentKey& k) { k.flipped = true; });
  add([](LatentKey& k) { k.fingerprint = "other"; });
  add([](LatentKey& k) { k.placement.left = 1; });
  add([](LatentKey& k) { k.placement.top = 31; });
  add([](LatentKey& k) { k.placement.bucket = {64, 72}; });
  add([](LatentKey& k) { k.placement.scaled_width = 65; });
  keys.insert(cache_key(TextKey{"abc", "vae"}));
  keys.insert(cache_key(TextKey{"abcv", "ae"}));  // no seam between fields
  keys.insert(cache_key(TextKey{"", "abcvae"}));
  LatentKey seen{"abc", {}, false, {}};
  keys.insert(cache_key(TextKey{"abc", "vae", {seen}}));
  keys.insert(cache_key(TextKey{"abc", "vae", {seen, seen}}));
  seen.flipped = true;
  keys.insert(cache_key(TextKey{"abc", "vae", {seen}}));
  EXPECT_EQ(keys.size(), 14u);
}

TEST_F(Cache, DamageIsNoticedAndMadeAnew) {
  const TensorCache c = cache();
  c.put(key(), "photo.png", latents());
  const fs::path path = c.path_of(key());
  const auto size = fs::file_size(path);
  Tensors got;
  std::size_t tried = 0;
  for (std::uintmax_t at = 0; at < size; at += 7) {  // flipped bits anywhere
    {
      std::fstream f(path, std::ios::in | std::ios::out | std::ios::binary);
      f.seekg(static_cast<std::streamoff>(at));
      const char byte = static_cast<char>(f.get() ^ 0x10);
      f.seekp(static_cast<std::streamoff>(at));
      f.put(byte);
    }
    ASSERT_FALSE(c.get(key(), "photo.png", got)) << at;
    ASSERT_FALSE(c.contains(key()));
    c.put(key(), "photo.png", latents());
    ++tried;
  }
  for (const std::uintmax_t length : {std::uintmax_t{0}, std::uintmax_t{5}, size / 2, size - 1}) {
    fs::resize_file(path, length);
    ASSERT_FALSE(c.get(key(), "photo.png", got)) << length;
    c.put(key(), "photo.png", latents());
    ++tried;
  }
  EXPECT_TRUE(c.get(key(), "photo.png", got));
  ASSERT_EQ(notices_.size(), tried);
  EXPECT_NE(notices_[0].find("photo.png"), std::string::npos);
}

TEST_F(Cache, AnEntryThatIsNotFiniteIsDamaged) {
  const TensorCache c = cache();
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    Tensors t = latents(), got;
    t["std"].data[3] = bad;
    c.put(key(), "photos/black.png", t);
    EXPECT_FALSE(c.get(key(), "photos/black.png", got));
    EXPECT_FALSE(c.contains(key())) << "encoded again, it would be refused";
    ASSERT_FALSE(notices_.empty());
    EXPECT_NE(notices_.back().find("photos/black.png"), std::string::npos);
    EXPECT_NE(notices_.back().find("NaN or infinity"), std::string::npos) << notices_.back();
  }
}

TEST_F(Cache, UnusableFolderIsNamed) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "x";
  try {
    TensorCache c(folder_ / "file" / "cache");
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(path_to_utf8(folder_ / "file")), std::string::npos);
  }
}

}  // namespace
}  // namespace mantissa
