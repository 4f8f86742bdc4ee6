// A checkpoint that changed on disk, anywhere and in any way, is not used to resume: it is
// reported, and the previous one is used.
#include <algorithm>

#include "engine/run/job_file.h"
#include "engine/run/run_folder.h"
#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

constexpr std::size_t kPage = 4096;

class DamageTest : public TinyRun {
 protected:
  void SetUp() override {
    TinyRun::SetUp();
    newest_ = folder("straight") / "checkpoints/step-00000009";
    for (const auto& entry : fs::directory_iterator(newest_)) {
      members_.push_back(entry.path());
    }
    std::sort(members_.begin(), members_.end());
    ASSERT_GE(members_.size(), 3u);
  }

  static std::string damaged(std::string bytes, int kind, std::mt19937& random) {
    const std::size_t at = random() % bytes.size();
    switch (kind) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
        break;
      case 1:
        bytes.resize(at);
        break;
      default: {
        const std::size_t page = at / kPage * kPage;
        std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(page),
                  bytes.begin() + static_cast<std::ptrdiff_t>(std::min(page + kPage, bytes.size())),
                  '\0');
        break;
      }
    }
    return bytes;
  }

  /// Damages the files of the latest checkpoint in turn, `positions` times.
  void damage(long positions, Report& report) {
    std::mt19937 random(test_seed());
    const CheckpointFolder checkpoints(folder("straight") / "checkpoints");
    for (long i = 0; i < positions; ++i) {
      const fs::path& file = members_[static_cast<std::size_t>(i) % members_.size()];
      const std::string good = read_text(file),
                        bad = damaged(good, static_cast<int>(i % 3), random);
      if (bad == good) {
        continue;  // a page that was zero
      }
      std::ofstream(file, std::ios::binary) << bad;
      std::string said;
      const auto valid =
          checkpoints.newest_valid([&](const Message& text) { said += text.text(); });
      EXPECT_TRUE(valid && valid->filename() == "step-00000008")
          << file << " in way " << i % 3 << ": " << (valid ? valid->string() : "none");
      EXPECT_NE(said.find("step-00000009"), std::string::npos) << said;
      std::ofstream(file, std::ios::binary) << good;
      ++report.count;
    }
    ASSERT_EQ(verify_checkpoint(newest_), Message());
    report.lost(1);
    report.notes = std::to_string(members_.size()) + " files";
  }

  /// Damages the run's job.json `positions` times: the checkpoint's copy is used, and without a
  /// checkpoint only the same job is ever read from it.
  void damage_job(long positions, Report& report) {
    std::mt19937 random(test_seed());
    const fs::path run = folder("straight"), file = run / "job.json", aside = root_ / "aside";
    const std::string good = read_text(file);
    const std::string job = to_text(parse_job_file(good, "good"));
    long harmless = 0;
    for (long i = 0; i < positions; ++i) {
      const std::string bad = damaged(good, static_cast<int>(i % 3), random);
      if (bad == good) {
        continue;
      }
      ++report.count;
      std::ofstream(file, std::ios::binary) << bad;
      const RunFolder found = RunFolder::open(run);
      EXPECT_EQ(found.job_text(), good) << bad;
      EXPECT_NE(found.notice(), Message()) << bad;
      fs::rename(run / "checkpoints", aside);
      try {
        const RunFolder alone = RunFolder::open(run);
        EXPECT_EQ(to_text(parse_job_file(alone.job_text(), "alone")), job) << bad;
        ++harmless;
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("job.json"), std::string::npos) << e.what();
      }
      fs::rename(aside, run / "checkpoints");
    }
    std::ofstream(file, std::ios::binary) << good;
    report.notes = std::to_string(harmless) + " change nothing that counts";
  }

  fs::path newest_;
  std::vector<fs::path> members_;
};

TEST_F(DamageTest, ThreeHundredPositions) {
  Report report("9 damaged checkpoint");
  damage(300, report);
}

TEST_F(DamageTest, NightlyTenThousandPositions) {
  Report report("9 damaged checkpoint");
  damage(count_of("MANTISSA_DAMAGES", 10000), report);
}

TEST_F(DamageTest, ThreeHundredPositionsOfTheJobFile) {
  Report report("9 damaged job.json");
  damage_job(300, report);
}

TEST_F(DamageTest, NightlyTenThousandPositionsOfTheJobFile) {
  Report report("9 damaged job.json");
  damage_job(count_of("MANTISSA_DAMAGES", 10000), report);
}

TEST_F(DamageTest, TheRunGoesOnFromTheOneBefore) {
  fs::resize_file(newest_ / "state.safetensors", 1000);
  ASSERT_EQ(run("straight", true), 0) << log("straight");
  EXPECT_NE(log("straight").find("step-00000009 is not used"), std::string::npos);
  EXPECT_NE(log("straight").find("resumed at step 8"), std::string::npos) << log("straight");
  EXPECT_EQ(fingerprint("straight"), reference_);
}

}  // namespace
}  // namespace mantissa
