// The form of cached entries, what the cache holds, and pruning it.
#include "engine/data/cache_content.h"

#include <chrono>
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/cache.h"
#include "engine/data/cache_use.h"
#include "engine/io/safetensors.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, HostTensor>;

class CacheContent : public testing::Test {
 protected:
  static std::string key(const std::string& caption) { return cache_key(TextKey{caption, "f"}); }
  /// Values beyond FP16's range, and values that need 24 bits.
  static Tensors text() {
    return {{"context", {{2, 2}, {0.5F, -1.0F / 3, 0.0F, 3.0e20F}}},
            {"pooled", {{2}, {1.0F, 1.0F / 7}}}};
  }
  EntryForm form(DType type) const {
    return {{{"context", type}, {"pooled", type}}, "text", "/models/base"};
  }
  std::string put(const std::string& caption, const EntryForm& form) const {
    cache_.put(key(caption), caption, text(), form);
    return key(caption);
  }
  void age(const std::string& key, int days) const {
    fs::last_write_time(cache_.path_of(key),
                        fs::file_time_type::clock::now() - std::chrono::hours(24 * days + 1));
  }
  DType type(const std::string& key, const char* tensor) const {
    return *SafetensorsFile::open(cache_.path_of(key)).find(tensor)->type;
  }
  Tensors read(const std::string& key) const {
    Tensors tensors;
    EXPECT_TRUE(cache_.get(key, "x", tensors));
    return tensors;
  }

  const test::TempFolder home_;
  const TensorCache cache_{home_.path() / "tensors"};
};

TEST_F(CacheContent, TensorsAreStoredInTheTypeThatTheyAreReadIn) {
  const std::string bf16 = put("bf16", form(DType::bf16)), f16 = put("f16", form(DType::f16)),
                    f32 = put("f32", form(DType::f32));
  EXPECT_EQ(type(bf16, "context"), DType::bf16);
  EXPECT_EQ(type(bf16, "pooled"), DType::bf16);
  EXPECT_EQ(type(f16, "context"), DType::f32) << "FP16 would overflow";
  EXPECT_EQ(type(f16, "pooled"), DType::f16);
  EXPECT_EQ(type(f32, "context"), DType::f32);
  const std::vector<float> context = text()["context"].data, pooled = text()["pooled"].data;
  EXPECT_EQ(read(f32)["context"].data, context);
  EXPECT_EQ(read(f16)["context"].data, context);
  for (std::size_t i = 0; i < context.size(); ++i) {
    EXPECT_EQ(read(bf16)["context"].data[i], float(bfloat16(context[i])));
  }
  for (std::size_t i = 0; i < pooled.size(); ++i) {
    EXPECT_EQ(read(bf16)["pooled"].data[i], float(bfloat16(pooled[i])));
    EXPECT_EQ(read(f16)["pooled"].data[i], float(float16(pooled[i])));
  }
}

TEST_F(CacheContent, IsListedByKindAndBase) {
  age(put("a", form(DType::bf16)), 3);
  put("b", form(DType::bf16));
  put("c", {{}, "latents", "/models/other"});
  put("d", {});  // as earlier versions wrote it
  fs::create_directories(home_ / "tensors/00");
  test::write_file(home_ / "tensors/00/damaged.safetensors", "x");
  const std::vector<CacheGroup> groups = list_cache(home_.path());
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].kind, "damaged");
  EXPECT_EQ(groups[1].kind, "latents");
  EXPECT_EQ(groups[1].base, "/models/other");
  EXPECT_EQ(groups[2].kind, "text");
  EXPECT_TRUE(groups[2].older);
  EXPECT_EQ(groups[3].base, "/models/base");
  EXPECT_EQ(groups[3].entries, 2);
  EXPECT_EQ(groups[3].newest_days, 0);
  EXPECT_EQ(groups[3].oldest_days, 3);
  EXPECT_EQ(groups[3].bytes,
            fs::file_size(cache_.path_of(key("a"))) + fs::file_size(cache_.path_of(key("b"))));
  EXPECT_TRUE(list_cache(home_.path() / "none").empty());
}

TEST_F(CacheContent, IsPrunedByAgeFormOrWhole) {
  const auto put_all = [&] {
    age(put("old", form(DType::bf16)), 30);
    put("new", form(DType::bf16));
    put("older form", {});
  };
  const auto left = [&] {
    std::string names;
    for (const char* name : {"old", "new", "older form"}) {
      names += fs::exists(cache_.path_of(key(name))) ? std::string(name) + "," : "";
    }
    return names;
  };
  put_all();
  const std::uint64_t bytes = fs::file_size(cache_.path_of(key("old")));
  EXPECT_EQ(prune_cache(home_.path(), {.unused_days = 31}).entries, 0);
  const PrunedEntries pruned = prune_cache(home_.path(), {.unused_days = 30});
  EXPECT_EQ(pruned.entries, 1);
  EXPECT_EQ(pruned.bytes, bytes);
  EXPECT_EQ(left(), "new,older form,");
  prune_cache(home_.path(), {.older = true});
  EXPECT_EQ(left(), "new,");
  put_all();
  EXPECT_EQ(prune_cache(home_.path(), {.all = true}).entries, 3);
  EXPECT_EQ(left(), "");
}

TEST_F(CacheContent, UsingAnEntryKeepsItFromBeingPruned) {
  const std::string old = put("old", form(DType::bf16));
  age(old, 30);
  read(old);
  EXPECT_EQ(prune_cache(home_.path(), {.unused_days = 1}).entries, 0);
}

TEST_F(CacheContent, IsNotPrunedWhileItIsUsed) {
  put("a", form(DType::bf16));
  {
    const CacheUse first(home_.path()), second(home_.path());
    test::expect_error_with([&] { prune_cache(home_.path(), {.all = true}); },
                            {"a run uses this cache"});
  }
#ifndef _WIN32  // MinGW's library sets no folder's time
  // What a process left that was killed is no use.
  fs::create_directories(home_ / "users/1-0");
  test::write_file(home_ / "users/1-0/lock", "");
  fs::last_write_time(home_ / "users/1-0",
                      fs::file_time_type::clock::now() - std::chrono::minutes(2));
  EXPECT_EQ(prune_cache(home_.path(), {.all = true}).entries, 1);
  EXPECT_FALSE(fs::exists(home_ / "users/1-0"));
#endif
}

TEST_F(CacheContent, IsPrunedByOneAtATime) {
  const CachePruning one(home_.path());
  test::expect_error_with([&] { prune_cache(home_.path(), {.all = true}); },
                          {"another program prunes"});
}

}  // namespace
}  // namespace mantissa
