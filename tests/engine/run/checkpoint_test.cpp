// Checkpoints: nothing without a valid manifest exists, old ones survive failed saves.
#include "engine/run/checkpoint.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "engine/core/error.h"
#include "engine/io/file.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class CheckpointTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("checkpoint-") +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = static_cast<float>(i) * 0.5F;
    }
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::vector<NamedBuffer> buffers() {
    return {{"denoiser.parameters", View(values_.data(), DType::f32, {100})}};
  }
  fs::path save(std::int64_t step) {
    CheckpointState s;
    s.step = step;
    s.updates = step - 1;
    s.optimizer_updates["denoiser"] = step - 1;
    s.loss_scale = 512;
    s.dataset = "abc";
    s.plan = "{}";
    s.preset = "{}";
    return CheckpointFolder(folder_).save(s, buffers(), [](const fs::path& f) {
      atomic_write(f / "adapter.txt", std::string_view("adapter"));
    });
  }
  std::optional<fs::path> newest() {
    notices_.clear();
    return CheckpointFolder(folder_).newest_valid(
        [this](const Message& n) { notices_.push_back(n.text()); });
  }
  fs::path folder_;
  std::vector<float> values_ = std::vector<float>(100);
  std::vector<std::string> notices_;
};

TEST_F(CheckpointTest, RoundTrip) {
  const fs::path saved = save(7);
  const std::vector<float> before = values_;
  std::fill(values_.begin(), values_.end(), -1.0F);
  ASSERT_EQ(newest(), saved);
  const CheckpointState s = CheckpointFolder::load(saved, buffers());
  EXPECT_EQ(values_, before);
  EXPECT_EQ(s.step, 7);
  EXPECT_EQ(s.updates, 6);
  EXPECT_EQ(s.optimizer_updates.at("denoiser"), 6);
  EXPECT_EQ(s.loss_scale, 512);
  EXPECT_EQ(s.dataset, "abc");
}

TEST_F(CheckpointTest, OlderVersionsHadOtherHeads) {
  std::vector<float> text(8, 0.25F), scales(3, 2.0F);
  const auto named = [&](const char* denoiser, const char* encoder) {
    const std::string head = denoiser, te = encoder;
    return std::vector<NamedBuffer>{
        {head + ".parameters", View(values_.data(), DType::f32, {100}), nullptr, {}},
        {te + ".magnitudes.exp_avg", View(text.data(), DType::f32, {8}), nullptr, {}},
        {head + ".conv_in.fp8_input", View(scales.data(), DType::f32, {3}), nullptr, {}}};
  };
  CheckpointState old;
  old.step = 7;
  old.optimizer_updates = {{"unet", 6}, {"text_encoder", 5}, {"text_encoder_2.magnitudes", 4}};
  old.plan = old.preset = "{}";
  const fs::path saved =
      CheckpointFolder(folder_).save(old, named("unet", "text_encoder"), [](const fs::path&) {});
  const std::vector<float> before = values_;
  std::fill(values_.begin(), values_.end(), -1.0F);
  std::fill(text.begin(), text.end(), -1.0F);
  std::fill(scales.begin(), scales.end(), -1.0F);
  const CheckpointState read = CheckpointFolder::load(saved, named("denoiser", "te1"));
  EXPECT_EQ(values_, before);
  EXPECT_EQ(text, std::vector<float>(8, 0.25F));
  EXPECT_EQ(scales, std::vector<float>(3, 2.0F));
  EXPECT_EQ(read.optimizer_updates, (std::map<std::string, std::int64_t>{
                                        {"denoiser", 6}, {"te1", 5}, {"te2.magnitudes", 4}}));
}

TEST_F(CheckpointTest, TheFormatRecordsTheLayoutOfAdapters) {
  CheckpointState s;
  s.plan = s.preset = "{}";
  for (const bool stacked : {true, false}) {
    s.stacked_adapters = stacked;
    const std::string text = to_text(s);
    EXPECT_NE(text.find(stacked ? "\"mantissa_checkpoint\": 2" : "\"mantissa_checkpoint\": 1"),
              std::string::npos)
        << text;
    EXPECT_EQ(parse_checkpoint_state(text, "state").stacked_adapters, stacked);
  }
}

TEST_F(CheckpointTest, EveryDamagedByteIsFoundAndTheOlderOneIsUsed) {
  const fs::path old = save(5);
  const fs::path fresh = save(10);
  std::mt19937 random(3);
  for (const char* name : {"state.safetensors", "state.json", "adapter.txt", "manifest.json"}) {
    const fs::path file = fresh / name;
    const std::string good = read_text(file);
    for (int trial = 0; trial < 40; ++trial) {
      std::string bad = good;
      const std::size_t at = random() % bad.size();
      bad[at] = static_cast<char>(bad[at] ^ (1 << (random() % 8)));
      if (name == std::string("manifest.json") && verify_checkpoint(fresh).empty() && bad == good) {
        continue;
      }
      std::ofstream(file, std::ios::binary) << bad;
      const auto found = newest();
      // A flipped bit in the manifest's white space or step can leave it valid.
      if (found == fresh && name == std::string("manifest.json")) {
        continue;
      }
      ASSERT_EQ(found, old) << name << " byte " << at;
      ASSERT_EQ(notices_.size(), 1U);
    }
    std::ofstream(file, std::ios::binary) << good.substr(0, good.size() / 2);
    EXPECT_EQ(newest(), old) << name << " cut";
    std::ofstream(file, std::ios::binary) << good;
    EXPECT_EQ(newest(), fresh);
  }
  fs::remove(fresh / "manifest.json");
  EXPECT_EQ(newest(), old);
}

TEST_F(CheckpointTest, NonFiniteStateIsNeverSaved) {
  const fs::path good = save(1);
  values_[42] = std::numeric_limits<float>::quiet_NaN();
  try {
    save(2);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::non_finite);
    EXPECT_NE(std::string(e.what()).find("denoiser.parameters"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("42"), std::string::npos);
  }
  EXPECT_EQ(newest(), good);
}

TEST_F(CheckpointTest, PruneKeepsTwoValidOnesAndRemovesLeftovers) {
  for (int step = 1; step <= 4; ++step) {
    save(step);
  }
  std::ofstream(folder_ / "step-00000004" / "state.json") << "broken";
  fs::create_directories(folder_ / ".tmp-step-00000009");
  EXPECT_EQ(CheckpointFolder(folder_).prune(1), std::vector<std::int64_t>{1});
  EXPECT_FALSE(fs::exists(folder_ / "step-00000001"));
  EXPECT_TRUE(fs::exists(folder_ / "step-00000002"));
  EXPECT_TRUE(fs::exists(folder_ / "step-00000003"));
  EXPECT_FALSE(fs::exists(folder_ / ".tmp-step-00000009"));
}

TEST_F(CheckpointTest, OtherLayoutIsRefused) {
  const fs::path saved = save(1);
  std::vector<NamedBuffer> other{{"denoiser.parameters", View(values_.data(), DType::f32, {50})}};
  EXPECT_THROW(CheckpointFolder::load(saved, other), Error);
  other[0] = {"te1.parameters", View(values_.data(), DType::f32, {100})};
  EXPECT_THROW(CheckpointFolder::load(saved, other), Error);
}

}  // namespace
}  // namespace mantissa
