#pragma once
// A separate runs database, and rows to put into it.

#include <filesystem>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <string>
#include <vector>

#include "engine/core/paths.h"
#include "engine/store/reader.h"
#include "engine/store/store.h"

namespace mantissa::testing_support {

/// A separate database in a folder with a non-ASCII name.
class StoreFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / "mantissa store é" /
              (std::string(info->test_suite_name()) + "-" + info->name());
    std::filesystem::remove_all(folder_);
    file_ = folder_ / "runs.db";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static RunRow run(const std::string& id, const std::string& state = "training") {
    RunRow r;
    r.id = id;
    r.name = "portrait";
    r.state = state;
    r.base = "/models/base.safetensors";
    r.preset_json = "{\"a\": 1}";
    r.seed = -3;
    r.host = "here";
    r.process = 12;
    r.lock = "/runs/" + id + "/lock";
    return r;
  }

  static StepRow step(std::int64_t n) {
    StepRow s;
    s.step = n;
    s.loss = 1.0 / static_cast<double>(n + 1);
    s.grad_norm = 0.5;
    s.clip_norm = 1;
    s.loss_scale = 65536;
    s.lost_update = 0.01;
    s.update_ratio = 1e-3;
    s.seconds = 0.005;
    s.parts[Part("unet")] = {Part("unet"), 1e-4, 0.4};
    s.parts[Part("te2")] = {Part("te2"), 2e-5, 7};
    s.clipped = n % 2 == 0;
    s.skipped = n % 3 == 0;
    return s;
  }

  /// Runs SQL behind the store's back, waiting while the store's thread tries a failed batch again.
  void raw(const std::string& sql) const {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path_to_utf8(file_).c_str(), &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 10'000);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
    sqlite3_close(db);
  }

  std::vector<std::filesystem::path> set_aside() const { return files_with(".corrupt-"); }
  std::vector<std::filesystem::path> files_with(const char* part) const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path().filename().string().find(part) != std::string::npos) {
        found.push_back(entry.path());
      }
    }
    return found;
  }

  std::filesystem::path folder_, file_;
};

/// A record with numbers in every place.
inline HealthRecord health_record(std::int64_t n) {
  HealthRow row;
  row.layer = "denoiser.mid_block.attentions.0";
  row.kind = HealthKind::gradient;
  row.format = DType::bf16;
  TensorStatistics& s = row.statistics;
  s.count = 1000 + n;
  s.zeros = 1;
  s.non_finite = 2;
  s.underflow = 3;
  s.subnormal = 4;
  s.overflow = 5;
  s.amax = 6.5;
  s.scaled_amax = 7.5;
  s.signal = 8.5;
  s.noise = 9.5;
  s.histogram[3] = 70000;
  s.histogram[63] = 1;
  HealthRow drift = row;
  drift.kind = HealthKind::magnitude;
  drift.drift = 0.25;
  drift.statistics = {};
  return {n, 0.5, {row, drift}};
}

}  // namespace mantissa::testing_support
