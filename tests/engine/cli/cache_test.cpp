// mantissa cache.
#include "engine/data/cache.h"

#include "engine/data/cache_use.h"
#include "tests/engine/cli/cli_fixture.h"
#include "tests/environment.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class CacheCommand : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    test::set_environment("MANTISSA_HOME", path_to_utf8(folder_));
    const TensorCache cache(cache_dir() / "tensors");
    const std::map<std::string, HostTensor> tensors{{"context", {{2}, {1.0F, 2.0F}}}};
    cache.put(cache_key(TextKey{"a", "x"}), "a", tensors,
              {{{"context", DType::bf16}}, "text", "/models/base"});
    cache.put(cache_key(TextKey{"b", "x"}), "b", tensors);  // as earlier versions did
  }
};

TEST_F(CacheCommand, ListsWhatIsCached) {
  ASSERT_EQ(run({"cache", "list"}), 0) << err();
  for (const char* part : {"text", "/models/base", "(older form)", "today", "2 entries"}) {
    EXPECT_NE(out().find(part), std::string::npos) << part << "\n" << out();
  }
  ASSERT_EQ(run({"cache", "list", "--json"}), 0);
  const auto all = events();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0]["event"], "cache_group");
  EXPECT_EQ(all[0]["form"], "older");
  EXPECT_EQ(all[1]["base"], "/models/base");
  EXPECT_EQ(all[1]["entries"], 1);
  EXPECT_EQ(all[2]["event"], "cache");
  EXPECT_EQ(all[2]["entries"], 2);
}

TEST_F(CacheCommand, PrunesWhatIsChosen) {
  EXPECT_EQ(run({"cache", "prune"}), 2);
  EXPECT_NE(one_error_line().find("--older-form"), std::string::npos);
  EXPECT_EQ(run({"cache", "prune", "--unused-days", "-1"}), 2);
  ASSERT_EQ(run({"cache", "prune", "--unused-days", "1", "--json"}), 0) << err();
  EXPECT_EQ(events()[0]["entries"], 0);
  ASSERT_EQ(run({"cache", "prune", "--older-form"}), 0);
  EXPECT_NE(out().find("Removed 1 entry"), std::string::npos) << out();
  {
    const CacheUse use(cache_dir());
    EXPECT_EQ(run({"cache", "prune", "--all"}), 2);
    EXPECT_NE(one_error_line().find("a run uses this cache"), std::string::npos);
  }
  ASSERT_EQ(run({"cache", "prune", "--all", "--json"}), 0);
  EXPECT_EQ(events()[0]["entries"], 1);
  ASSERT_EQ(run({"cache", "list"}), 0);
  EXPECT_NE(out().find("0 entries"), std::string::npos) << out();
}

}  // namespace
}  // namespace mantissa
