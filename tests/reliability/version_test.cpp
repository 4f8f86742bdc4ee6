// Files of older versions are opened, listed and continued. They are written by
// tests/golden/make_version.sh, once per release, and never regenerated.
#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class VersionTest : public testing::Test {
 protected:
  /// Runs a command in a home with a copy of that version's files; returns its output.
  std::string said(const fs::path& version, const std::vector<std::string>& arguments) {
    const Ended ended = Mantissa(root_ / version.filename()).run(arguments, root_ / "log");
    const std::string text = read_text(root_ / "log");
    EXPECT_EQ(ended.status, 0) << text;
    return text;
  }

  const test::TempFolder folder_;
  const fs::path root_ = folder_.path();
};

TEST_F(VersionTest, RunsDatabasesPresetsAndAdaptersOfEveryReleaseOpen) {
  Report report("25 files of older versions");
  for (const auto& entry : fs::directory_iterator(MANTISSA_TEST_DATA "/golden/versions")) {
    const fs::path version = entry.path(), home = root_ / version.filename();
    SCOPED_TRACE(version.filename().string());
    fs::copy(version, home, fs::copy_options::recursive);
    const std::string run = (home / "run").string(), preset = (home / "preset.json").string();
    const std::string id = TinyRun::id_of(run);
    EXPECT_NE(said(version, {"runs", "list"}).find("old"), std::string::npos);
    EXPECT_NE(said(version, {"runs", "show", id}).find("checkpoint"), std::string::npos);
    EXPECT_EQ(RunReader(home / "runs.db").metrics(id).size(), 6u);
    said(version, {"presets", "show", preset});
    said(version, {"check", preset, "--base", "demo"});
    said(version, {"inspect", (home / "run/old.safetensors").string()});
    said(version, {"sample", "--base", "demo", "--lora", (home / "run/old.safetensors").string(),
                   "--prompt", "a zorb", "--width", "64", "--height", "64", "--steps", "1", "--out",
                   (home / "sample.png").string()});
    const std::string resumed =
        said(version, {"train", preset, "--resume", run, "--set", "training.steps=8"});
    EXPECT_NE(resumed.find("resumed at step 6"), std::string::npos) << resumed;
    EXPECT_EQ(verify_checkpoint(home / "run/checkpoints/step-00000008"), Message());
    EXPECT_EQ(RunReader(home / "runs.db").metrics(id).size(), 8u);
    ++report.count;
  }
  EXPECT_GE(report.count, 1);
}

}  // namespace
}  // namespace mantissa
