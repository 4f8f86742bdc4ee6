#include "engine/data/encoding_store.h"

#include <fstream>
#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using Named = std::map<std::string, HostTensor>;

class Encodings : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / "mantissa encodings" /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  EncodingStore on_disk() const { return EncodingStore(TensorCache(folder_)); }

  fs::path folder_;
  const Named tensors_{{"mean", {{2}, {1, 2}}}};
  const EncodingEntry shared_{cache_key(TextKey{"shared", "x"}), "a.png"};
  const EncodingEntry own_{cache_key(TextKey{"own", "x"}), "b.png", false};
};

TEST_F(Encodings, OutliveTheRunOnDiskAlone) {
  EncodingStore first = on_disk();
  EXPECT_FALSE(first.has(shared_) || first.lists(shared_));
  first.keep(shared_, tensors_);
  first.keep(own_, tensors_);
  EXPECT_TRUE(first.has(shared_) && first.lists(shared_));
  EXPECT_TRUE(first.has(own_) && first.lists(own_));
  EXPECT_EQ(first.load(own_).at("mean").data, tensors_.at("mean").data);
  EncodingStore second = on_disk();
  EXPECT_TRUE(second.has(shared_));
  EXPECT_EQ(second.load(shared_).at("mean").data, tensors_.at("mean").data);
  EXPECT_FALSE(second.has(own_) || second.lists(own_));
}

TEST_F(Encodings, WithoutADiskStayInMemory) {
  EncodingStore store{std::nullopt};
  store.keep(shared_, tensors_);
  EXPECT_TRUE(store.has(shared_));
  EXPECT_EQ(store.load(shared_).at("mean").data, tensors_.at("mean").data);
  EXPECT_FALSE(store.has_disk());
}

TEST_F(Encodings, OneThatIsGoneIsNamed) {
  EncodingStore store = on_disk();
  store.keep(shared_, tensors_);
  fs::remove_all(folder_);
  try {
    store.load(shared_);
    FAIL() << "it was there";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("a.png"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace mantissa
