#include "engine/core/paths.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "tests/environment.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

// Sets an environment variable for one scope.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) {
      old_ = old;
    }
    test::set_environment(name, value);
  }
  ~Environment() { test::set_environment(name_, old_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

class PathsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("mantissa_paths_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST(TestFolder, BelongsToThisProcessAlone) {
  // Tests that ctest starts at the same time share nothing below it.
  const auto without_separator = [](const fs::path& folder) {
    return folder.has_filename() ? folder : folder.parent_path();
  };
  const fs::path own = without_separator(fs::temp_directory_path());
  EXPECT_TRUE(own.filename().string().starts_with("mantissa-test-"));
  EXPECT_TRUE(fs::equivalent(own, without_separator(testing::TempDir())));
}

TEST_F(PathsTest, Utf8RoundTrip) {
  const std::string text = "bilder/größe 日本 👍.png";
  EXPECT_EQ(path_to_utf8(path_from_utf8(text)), text);
}

TEST_F(PathsTest, APlaceHasOneForm) {
  const fs::path place = folder_ / "b" / "run";
  EXPECT_EQ(whole_path(folder_ / "a" / ".." / "b" / "." / "run"), place) << "a isn't there";
  EXPECT_EQ(whole_path(place / ""), place);
  EXPECT_EQ(whole_path(fs::path("b") / "run"), fs::current_path() / "b" / "run");
  EXPECT_EQ(whole_path(place.root_path()), place.root_path());
}

#ifndef _WIN32
TEST_F(PathsTest, BehindALinkTheParentIsThatOfItsTarget) {
  fs::create_directories(folder_ / "far" / "deep");
  fs::create_directory_symlink(folder_ / "far" / "deep", folder_ / "link");
  EXPECT_EQ(whole_path(folder_ / "link" / ".." / "run"), fs::canonical(folder_ / "far") / "run");
  EXPECT_EQ(whole_path(folder_ / "link" / "run"), folder_ / "link" / "run") << "kept as named";
}
#endif

TEST_F(PathsTest, HomeOverridesDataAndCache) {
  const Environment home("MANTISSA_HOME", (folder_ / "home").string());
  EXPECT_EQ(data_dir(), folder_ / "home");
  EXPECT_EQ(cache_dir(), folder_ / "home" / "cache");
  EXPECT_TRUE(fs::is_directory(folder_ / "home" / "cache"));
}

#ifdef _WIN32
TEST_F(PathsTest, TheUsersLocalFolder) {
  const Environment none("MANTISSA_HOME", "");
  {
    const Environment local("LOCALAPPDATA", path_to_utf8(folder_ / path_from_utf8("Jürgen 日本")));
    EXPECT_EQ(data_dir(), folder_ / path_from_utf8("Jürgen 日本/Mantissa"));
    EXPECT_EQ(cache_dir(), folder_ / path_from_utf8("Jürgen 日本/Mantissa/cache"));
    EXPECT_TRUE(fs::is_directory(folder_ / path_from_utf8("Jürgen 日本/Mantissa/cache")));
  }
  const Environment local("LOCALAPPDATA", "");
  EXPECT_THROW(data_dir(), Error);
}
#else
TEST_F(PathsTest, XdgFoldersAndRelativeOnesIgnored) {
  const Environment none("MANTISSA_HOME", "");
  const Environment home("HOME", folder_.string());
  {
    const Environment data("XDG_DATA_HOME", (folder_ / "d").string());
    const Environment cache("XDG_CACHE_HOME", (folder_ / "c").string());
    EXPECT_EQ(data_dir(), folder_ / "d" / "mantissa");
    EXPECT_EQ(cache_dir(), folder_ / "c" / "mantissa");
  }
  const Environment data("XDG_DATA_HOME", "relative");
  const Environment cache("XDG_CACHE_HOME", "");
  EXPECT_EQ(data_dir(), folder_ / ".local/share/mantissa");
  EXPECT_EQ(cache_dir(), folder_ / ".cache/mantissa");
}

TEST_F(PathsTest, FromARelativeHomeTheyAreAbsolute) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  {
    const Environment own("MANTISSA_HOME", "here/../own");
    EXPECT_EQ(data_dir(), fs::current_path() / "own");
    EXPECT_EQ(cache_dir(), fs::current_path() / "own/cache");
  }
  const Environment none("MANTISSA_HOME", "");
  const Environment home("HOME", "user");
  const Environment data("XDG_DATA_HOME", "");
  const Environment cache("XDG_CACHE_HOME", "");
  EXPECT_EQ(data_dir(), fs::current_path() / "user/.local/share/mantissa");
  EXPECT_EQ(cache_dir(), fs::current_path() / "user/.cache/mantissa");
  fs::current_path(before);
}
#endif

TEST_F(PathsTest, ResourceFromEnvironmentFirst) {
  std::ofstream(folder_ / "thing.txt") << "x";
  const Environment resources("MANTISSA_RESOURCES", folder_.string());
  EXPECT_EQ(resource_path("thing.txt"), folder_ / "thing.txt");
}

TEST_F(PathsTest, MissingResourceNamesItAndTheFolders) {
  const Environment resources("MANTISSA_RESOURCES", folder_.string());
  EXPECT_FALSE(find_resource("no-such-thing"));
  try {
    resource_path("no-such-thing");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no-such-thing"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find(folder_.string()), std::string::npos);
  }
}

TEST_F(PathsTest, UnwritableHomeIsAnError) {
  std::ofstream(folder_ / "file") << "x";
  const Environment home("MANTISSA_HOME", (folder_ / "file" / "below").string());
  EXPECT_THROW(data_dir(), Error);
}

}  // namespace
}  // namespace mantissa
