// A run resumes unchanged or not at all: flipped bits in its folder, checkpoints with valid hashes
// but invalid content, replaced files, a deleted lock. The Nightly cases do the same at more
// places: MANTISSA_FLIPS and MANTISSA_HOSTILE set how many.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <unistd.h>

#include "engine/io/file.h"
#include "tests/engine/run/checkpoint_files.h"
#include "tests/reliability/process.h"
#include "tests/reliability/report.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class IdentityTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy_file(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors", base());
    std::ofstream(root_ / "preset.json") << R"({"mantissa_preset": 1, "name": "identity test",
      "adapter": {"rank": 2}, "data": {"resolution": 64, "batch_size": 1},
      "training": {"steps": 2}, "output": {"name": "made", "save_every": 1}})";
    ASSERT_EQ(mantissa({"train", (root_ / "preset.json").string(), "--base", base().string(),
                        "--images", "demo", "--out", run().string()}),
              0)
        << log();
    fs::copy(run(), root_ / "pristine", fs::copy_options::recursive);
    ASSERT_EQ(resume(), 0) << log();
    reference_ = made();
    put_back();
  }

  fs::path base() const { return root_ / "base.safetensors"; }
  fs::path run() const { return root_ / "run"; }
  fs::path newest() const { return run() / "checkpoints/step-00000002"; }
  std::string log() const { return read_text(root_ / "log"); }
  std::string made() const { return sha256_file(run() / "made.safetensors"); }

  int mantissa(const std::vector<std::string>& arguments) const {
    return Mantissa(root_ / "home").run(arguments, root_ / "log").status;
  }
  /// One step more.
  int resume(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"train", "--resume", run().string(), "--set",
                                       "training.steps=3"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return mantissa(arguments);
  }
  /// Restores the folder's state after two steps.
  void put_back() const {
    fs::remove_all(run());
    fs::copy(root_ / "pristine", run(), fs::copy_options::recursive);
  }
  static void flip(const fs::path& file, std::uint64_t bit) {
    std::fstream io(file, std::ios::in | std::ios::out | std::ios::binary);
    io.seekg(static_cast<std::streamoff>(bit / 8));
    const int byte = io.get();
    io.seekp(static_cast<std::streamoff>(bit / 8));
    io.put(static_cast<char>(byte ^ (1 << (bit % 8))));
  }

  /// One bit in each of `regions` equal parts of every file: the run resumes from what is intact.
  void flip_everywhere(long regions) {
    std::mt19937_64 random(test_seed());
    for (const char* file :
         {"job.json", "checkpoints/step-00000002/job.json",
          "checkpoints/step-00000002/manifest.json", "checkpoints/step-00000002/state.json",
          "checkpoints/step-00000002/state.safetensors",
          "checkpoints/step-00000002/made.safetensors"}) {
      const std::uint64_t bits = 8 * fs::file_size(run() / file);
      const auto parts = static_cast<std::uint64_t>(regions);
      for (std::uint64_t i = 0; i < parts; ++i) {
        const std::uint64_t first = bits * i / parts, end = bits * (i + 1) / parts;
        const std::uint64_t bit = first + random() % std::max<std::uint64_t>(end - first, 1);
        flip(run() / file, bit);
        ASSERT_EQ(resume(), 0) << file << " bit " << bit << ": " << log();
        EXPECT_EQ(made(), reference_) << file << " bit " << bit << ": " << log();
        put_back();
      }
    }
  }

  /// States of wrong types, ranges and names with a matching manifest.
  void edit_states(long times) {
    const std::vector<json> values{nullptr,
                                   true,
                                   -1,
                                   1.5,
                                   1e300,
                                   0,
                                   9007199254740993,
                                   "text",
                                   "",
                                   json::array(),
                                   json::object(),
                                   json::array({1, "a", nullptr}),
                                   ~std::uint64_t{0},
                                   std::string(1 << 16, 'x')};
    std::mt19937_64 random(test_seed());
    for (long i = 0; i < times; ++i) {
      std::string edited;
      testing_support::edit_state(newest(), [&](json& state) {
        json* at = &state;
        while (at->is_structured() && !at->empty() && (at == &state || random() % 2 == 0)) {
          auto item = at->begin();
          std::advance(item, static_cast<std::ptrdiff_t>(random() % at->size()));
          edited += "/" + (at->is_object() ? item.key() : std::string("element"));
          at = &*item;
        }
        *at = values[random() % values.size()];
        edited += " = " + at->dump().substr(0, 40);
      });
      const int status = resume();
      EXPECT_TRUE(status == 0 || status == 2) << edited << ": exit " << status << ", " << log();
      EXPECT_EQ(log().find("internal error"), std::string::npos) << edited << ": " << log();
      put_back();
    }
  }

  const test::TempFolder folder_;
  const fs::path root_ = folder_.path();
  std::string reference_;
};

TEST_F(IdentityTest, FlippedBitsNeverGiveAnotherAdapter) {
  flip_everywhere(2);
}

TEST_F(IdentityTest, NightlyFlippedBitsNeverGiveAnotherAdapter) {
  flip_everywhere(count_of("MANTISSA_FLIPS", 10000) / 6);
}

TEST_F(IdentityTest, RehashedStatesAreErrorsNotCrashes) {
  edit_states(10);
}

TEST_F(IdentityTest, NightlyRehashedStatesAreErrorsNotCrashes) {
  edit_states(count_of("MANTISSA_HOSTILE", 2000));
}

TEST_F(IdentityTest, WrongTypesInJobFilesAreInputErrors) {
  fs::remove_all(run() / "checkpoints");  // or their copy would be used
  for (const char* text : {R"({"mantissa_job": "1"})", R"({"mantissa_job": 1, "id": 4})", "[]",
                           R"({"mantissa_job": 1, "id": "a", "base": 3})",
                           R"({"mantissa_job": 1, "id": "a", "base": "b", "device": [],
                               "preset": {}})"}) {
    std::ofstream(run() / "job.json") << text;
    EXPECT_EQ(resume(), 2) << text << ": " << log();
    EXPECT_NE(log().find("job.json"), std::string::npos) << log();
  }
}

TEST_F(IdentityTest, AReplacedBaseModelNeedsConsent) {
  flip(base(), 8 * fs::file_size(base()) - 40);
  EXPECT_EQ(resume(), 2);
  EXPECT_NE(log().find("base: " + base().string() + " (SHA-256"), std::string::npos) << log();
  EXPECT_NE(log().find("the present ones: --accept-changed base"), std::string::npos) << log();
  EXPECT_EQ(resume({"--accept-changed", "images"}), 2);
  EXPECT_EQ(resume({"--accept-changed", "sources"}), 2) << "no part of a run";
  EXPECT_EQ(resume({"--accept-changed", "images,base"}), 0) << log();
  EXPECT_NE(made(), reference_);
}

TEST_F(IdentityTest, NoIntactCheckpointIsNoNewBeginning) {
  for (const auto& entry : fs::directory_iterator(run() / "checkpoints")) {
    flip(entry.path() / "state.safetensors", 4000);
  }
  EXPECT_EQ(resume(), 2);
  EXPECT_NE(log().find("no checkpoint is intact"), std::string::npos) << log();
  EXPECT_NE(log().find("sets the damaged ones aside: --start-over"), std::string::npos) << log();
  EXPECT_EQ(resume({"--start-over"}), 0) << log();
  EXPECT_EQ(made(), reference_) << "from step 0 to the same end";
  EXPECT_TRUE(fs::exists(run() / "damaged-checkpoints/step-00000002/state.safetensors"));
}

TEST_F(IdentityTest, ADeletedLockLetsNobodyIn) {
  const pid_t owner = Mantissa(root_ / "home")
                          .start({"train", "--resume", run().string(), "--set",
                                  "training.steps=100000", "--set", "output.save_every=0"},
                                 root_ / "owner.log");
  const fs::path told = run() / "log.txt";
  for (int i = 0; i < 600; ++i) {
    usleep(50000);
    if (read_text(told).find("resumed at step 2") != std::string::npos) {
      break;
    }
  }
  ASSERT_TRUE(fs::remove(run() / "run.lock"));
  EXPECT_EQ(resume(), 2);
  EXPECT_NE(log().find("another program holds the lock"), std::string::npos) << log();
  kill(owner, SIGINT);
  EXPECT_EQ(Mantissa::wait(owner).status, 130) << read_text(root_ / "owner.log");
  EXPECT_NE(read_text(told).find("was deleted: it is made and locked again"), std::string::npos);
  EXPECT_TRUE(fs::exists(run() / "run.lock"));
}

}  // namespace
}  // namespace mantissa
