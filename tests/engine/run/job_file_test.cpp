// job.json: any damage is detected, and an intact checkpoint restores it.
#include "engine/run/job_file.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/preset/preset_io.h"
#include "engine/run/checkpoint.h"
#include "engine/run/run_folder.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class JobFileTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.prior = {"/prior"};
    job_.continue_from = "/adapter.safetensors";
    job_.training_adapters = {{"/turbo.safetensors", 0.7}, {"/b.safetensors", -1}};
    job_.dora_axis = DoraAxis::input;
    job_.memory_budget = 12345;
    folder_ = RunFolder::create(job_).path();
    good_ = read_text(folder_ / "job.json");
  }
  void write(const std::string& text) {
    std::ofstream(folder_ / "job.json", std::ios::binary) << text;
  }
  /// A checkpoint with a copy of job.json, as a run saves it.
  fs::path save(std::int64_t step) {
    CheckpointState state;
    state.step = step;
    state.plan = state.preset = "{}";
    float value = 1;
    const std::vector<NamedBuffer> buffers{{"value", View(&value, DType::f32, {1})}};
    return CheckpointFolder(folder_ / "checkpoints")
        .save(state, buffers, [this](const fs::path& f) { atomic_write(f / "job.json", good_); });
  }
  /// Empty if the run opens, else the problem.
  std::string problem() {
    try {
      RunFolder::open(folder_);
      return {};
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::input);
      return e.what();
    }
  }

  fs::path folder_;
  std::string good_;
};

TEST_F(JobFileTest, RoundTrip) {
  const JobFile file = parse_job_file(good_, "job");
  EXPECT_EQ(file.job.base, "demo");
  EXPECT_EQ(file.job.images, std::vector<fs::path>{"demo"});
  // On Windows with the drive.
  EXPECT_EQ(file.job.prior, std::vector<fs::path>{fs::absolute("/prior")});
  EXPECT_EQ(file.job.continue_from, fs::absolute("/adapter.safetensors"));
  ASSERT_EQ(file.job.training_adapters.size(), 2U);
  EXPECT_EQ(file.job.training_adapters[0].file, fs::absolute("/turbo.safetensors"));
  EXPECT_EQ(file.job.training_adapters[0].weight, 0.7);
  EXPECT_EQ(file.job.training_adapters[1].weight, -1);
  EXPECT_EQ(file.job.dora_axis, DoraAxis::input);
  EXPECT_EQ(file.job.memory_budget, 12345U);
  EXPECT_TRUE(file.job.preset == job_.preset);
  EXPECT_EQ(to_text(file), good_);
}

TEST_F(JobFileTest, PathsAreStoredWhole) {
  JobFile file = parse_job_file(good_, "job");
  file.job.images = {fs::path("photos/../a/./b/")};
  EXPECT_EQ(parse_job_file(to_text(file), "job").job.images,
            std::vector<fs::path>{fs::absolute("a/b").lexically_normal()});
}

TEST_F(JobFileTest, EveryFlippedBitIsFound) {
  int alike = 0;
  for (std::size_t bit = 0; bit < good_.size() * 8; ++bit) {
    std::string bad = good_;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    try {
      EXPECT_EQ(to_text(parse_job_file(bad, "job")), good_) << "bit " << bit;  // 1e-08 and 1E-08
      ++alike;
    } catch (const Error&) {  // as expected
    }
  }
  EXPECT_LE(alike, 4);
}

TEST_F(JobFileTest, WrongTypesNameFileAndField) {
  // With a valid checksum, as a program would write it, and as version 1 without one.
  for (const int version : {1, 2}) {
    for (const auto& [key, value] :
         std::vector<std::pair<const char*, json>>{{"id", 3},
                                                   {"base", json::array()},
                                                   {"base", nullptr},
                                                   {"device", 1.5},
                                                   {"deterministic", "yes"},
                                                   {"memory_budget", -1},
                                                   {"memory_budget", 1e300},
                                                   {"images", "demo"},
                                                   {"images", {1, 2}},
                                                   {"prior", json::object()},
                                                   {"validation", {nullptr}},
                                                   {"continue_from", 7},
                                                   {"training_adapters", "x"},
                                                   {"training_adapters", {{{"file", 1}}}},
                                                   {"dora_axis", "diagonal"},
                                                   {"replay", false},
                                                   {"preset", "none"},
                                                   {"mantissa_job", "2"}}) {
      json object = json::parse(good_);
      object["mantissa_job"] = version;
      object[key] = value;
      object.erase("checksum");
      if (version == 2) {
        object["checksum"] = sha256_hex(object.dump());
      }
      write(object.dump());
      const std::string found = problem();
      EXPECT_NE(found.find("job.json"), std::string::npos) << key << ": " << found;
      EXPECT_NE(found.find(std::string("'") + key + "'"), std::string::npos)
          << key << ": " << found;
    }
  }
  for (const char* text :
       {"", "[]", "null", "{", "{\"mantissa_job\": 99}", "{\"a\": 1, \"a\": 2}"}) {
    write(text);
    EXPECT_NE(problem().find("job.json"), std::string::npos) << text;
  }
  json preset = json::parse(good_);
  preset["preset"]["training"]["steps"] = "many";
  preset.erase("checksum");
  preset["checksum"] = sha256_hex(preset.dump());
  write(preset.dump());
  EXPECT_NE(problem().find("training.steps"), std::string::npos) << problem();
}

TEST_F(JobFileTest, OfVersion1IsRead) {
  json old = json::parse(good_);
  old["mantissa_job"] = 1;
  old.erase("checksum");
  write(old.dump());
  EXPECT_EQ(problem(), "");
  EXPECT_TRUE(RunFolder::open(folder_).frozen_job().preset == job_.preset);
}

TEST_F(JobFileTest, ComesBackFromACheckpoint) {
  save(2);
  const fs::path newest = save(4);
  std::mt19937 random(1);
  std::vector<std::string> bad{"", "{}", good_.substr(0, good_.size() / 2)};
  for (int i = 0; i < 60; ++i) {
    bad.push_back(good_);
    char& c = bad.back()[random() % good_.size()];
    c = static_cast<char>(c ^ (1 << random() % 8));
  }
  for (const std::string& text : bad) {
    write(text);
    RunFolder run = RunFolder::open(folder_);
    EXPECT_EQ(run.job_text(), good_);
    EXPECT_NE(run.notice().text().find("step-00000004"), std::string::npos) << run.notice();
    EXPECT_EQ(read_text(folder_ / "job.json"), text) << "opening writes nothing";
  }
  fs::remove(folder_ / "job.json");
  RunFolder run = RunFolder::open(folder_);
  EXPECT_NE(run.notice().text().find("is missing"), std::string::npos);
  run.repair();
  EXPECT_EQ(read_text(folder_ / "job.json"), good_);
  EXPECT_EQ(RunFolder::open(folder_).notice().text(), "");
  // Of another run, valid in itself, but not the one of these checkpoints.
  JobSpec other = job_;
  other.preset.training.seed = 77;
  write(to_text({"other", other}));
  run = RunFolder::open(folder_);
  EXPECT_EQ(run.frozen_job().preset.training.seed, job_.preset.training.seed);
  run.repair();
  EXPECT_TRUE(fs::exists(folder_ / "job.damaged.json")) << "it is kept";
  EXPECT_EQ(read_text(folder_ / "job.json"), good_);
  // A damaged copy is not used, an older one is.
  std::ofstream(newest / "job.json") << "{}";
  fs::remove(folder_ / "job.json");
  EXPECT_NE(RunFolder::open(folder_).notice().text().find("step-00000002"), std::string::npos);
}

TEST_F(JobFileTest, NoRunBeginsOverCheckpoints) {
  save(2);
  fs::remove(folder_ / "job.json");
  test::expect_error_with([&] { RunFolder::create(job_); }, {"holds a run already"});
}

}  // namespace
}  // namespace mantissa
