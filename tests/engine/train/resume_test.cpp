// A run resumes only with its original inputs, and with all of its state.
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/input_file.h"
#include "engine/io/model_writer.h"
#include "engine/preset/names.h"
#include "engine/run/checkpoint.h"
#include "engine/run/file_hashing.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_identity.h"
#include "engine/store/reader.h"
#include "engine/store/setting_changes.h"
#include "engine/store/store.h"
#include "tests/engine/run/checkpoint_files.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using testing_support::HealthRecorder;

class ResumeTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.training.steps = 2;
    job_.preset.output.save_every = 1;
  }
  /// The run so far, from separate files that a test may replace.
  void begin() {
    HealthRecorder recorder;
    run(job_, recorder);
  }
  JobSpec resumed(std::int64_t steps = 3) {
    JobSpec job = job_;
    job.resume = job_.out;
    job.preset.training.steps = steps;
    return job;
  }
  /// The resumed run's refusal; empty if it resumes.
  std::string refusal(const JobSpec& job) {
    HealthRecorder recorder;
    try {
      run(job, recorder);
    } catch (const ResumeRefused& e) {
      changed_ = e.changed();
      return e.what();
    }
    log_ = recorder.log;
    return {};
  }
  CheckpointState state(std::int64_t step) {
    return CheckpointFolder::load_state(job_.out / "checkpoints" /
                                        ("step-0000000" + std::to_string(step)));
  }
  /// Two steps and two after a resume leave the state of four, to the bit.
  void expect_goes_on_as_if_never_stopped(const std::string& name) {
    SCOPED_TRACE(name);
    const auto state_hash = [&] {
      return sha256_file(job_.out / "checkpoints/step-00000004/state.safetensors");
    };
    job_.out = home_ / (name + "-straight");
    job_.preset.training.steps = 4;
    begin();
    const std::string straight = state_hash();
    job_.out = home_ / (name + "-resumed");
    job_.preset.training.steps = 2;
    begin();
    ASSERT_EQ(refusal(resumed(4)), "");
    EXPECT_EQ(state_hash(), straight);
  }
  void use_base_folder() {
    job_.base = home_ / "base";
    write_model_folder(job_.base,
                       model_contents(WeightSource::open(MANTISSA_SOURCE_DIR
                                                         "/resources/demo/mini-sdxl.safetensors")));
  }
  void use_images() {
    const fs::path images = home_ / "images";
    fs::create_directories(images);
    for (const auto& entry : fs::directory_iterator(MANTISSA_SOURCE_DIR "/resources/demo/images")) {
      fs::copy_file(entry.path(), images / entry.path().filename());
    }
    job_.images = {images};
  }

  std::vector<std::string> changed_;
  std::string log_;
};

void replace_once(const fs::path& file, const std::string& from, const std::string& to) {
  std::string text = read_text(file);
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << file;
  text.replace(at, from.size(), to);
  std::ofstream(file, std::ios::binary) << text;
}

RunIdentity identity_of(const JobSpec& job) {
  return hash_files(list_files(WeightSource::open(job.base), job),
                    ContentHashes(fs::temp_directory_path() / "hashes"), {});
}

/// Another value of one weight, of the same shape and size.
void change_weight(const fs::path& file) {
  std::string bytes = read_text(file);
  bytes[bytes.size() - 2] = static_cast<char>(bytes[bytes.size() - 2] ^ 1);
  std::ofstream(file, std::ios::binary) << bytes;
}

TEST_F(ResumeTest, AReplacedBaseModelIsRefusedUnlessAccepted) {
  job_.base = edited_base({});
  begin();
  EXPECT_EQ(refusal(resumed()), "");
  const std::string before = sha256_file(job_.base);
  change_weight(job_.base);
  const std::string found = refusal(resumed(4));
  EXPECT_NE(found.find(path_to_utf8(job_.base)), std::string::npos) << found;
  EXPECT_NE(found.find(before.substr(0, 16)), std::string::npos) << "the old hash: " << found;
  EXPECT_NE(found.find(sha256_file(job_.base).substr(0, 16)), std::string::npos) << found;
  EXPECT_EQ(changed_, std::vector<std::string>{"base"});
  EXPECT_FALSE(fs::exists(job_.out / "checkpoints/step-00000004"));
  JobSpec accepting = resumed(4);
  accepting.accept_changed = {"images"};
  EXPECT_NE(refusal(accepting), "") << "another part was accepted";
  accepting.accept_changed = {"base"};
  EXPECT_EQ(refusal(accepting), "");
  EXPECT_NE(log_.find("as accepted: base: "), std::string::npos) << log_;
  const CheckpointState s = state(4);
  ASSERT_EQ(s.accepted.size(), 1U) << "recorded in the run";
  EXPECT_NE(s.accepted[0].find("step 3: base: "), std::string::npos) << s.accepted[0];
  EXPECT_EQ(refusal(resumed(5)), "") << "the run is made of it from now on";
  EXPECT_EQ(state(5).accepted, s.accepted);
}

TEST_F(ResumeTest, ABaseModelThatMovedIsTheSame) {
  job_.base = edited_base({});
  begin();
  fs::rename(job_.base, home_ / "moved.safetensors");
  JobSpec job = resumed();
  job.base = home_ / "moved.safetensors";
  EXPECT_EQ(refusal(job), "");
}

TEST_F(ResumeTest, EveryFileOfABaseFolderCounts) {
  use_base_folder();
  begin();
  const auto expect = [&](const char* part, const fs::path& file, const auto& edit) {
    const std::string good = read_text(file);
    edit();
    const std::string found = refusal(resumed());
    const std::string name = path_to_utf8(fs::path(file).make_preferred());
    EXPECT_NE(found.find(std::string(part) + ": " + name), std::string::npos)
        << part << ": " << found;
    EXPECT_EQ(changed_, std::vector<std::string>{part});
    std::ofstream(file, std::ios::binary) << good;
  };
  for (const char* file :
       {"unet/diffusion_pytorch_model.safetensors", "text_encoder_2/model.safetensors"}) {
    expect("base", job_.base / file, [&] { change_weight(job_.base / file); });
  }
  const fs::path vae = job_.base / "vae/diffusion_pytorch_model.safetensors";
  expect("vae", vae, [&] { change_weight(vae); });
  const fs::path config = job_.base / "text_encoder/config.json";
  expect("config", config, [&] { replace_once(config, "quick_gelu", "gelu"); });
  const fs::path scheduler = job_.base / "scheduler/scheduler_config.json";
  expect("scheduler", scheduler,
         [&] { replace_once(scheduler, "{", "{\"set_alpha_to_one\": true,"); });
  EXPECT_EQ(refusal(resumed()), "") << "all are as they were";
}

TEST_F(ResumeTest, TokenizerFilesCount) {
  use_base_folder();
  const fs::path merges = job_.base / "tokenizer/merges.txt";
  fs::create_directories(merges.parent_path());
  // CLIP's own, as both encoders have its vocabulary.
  nlohmann::json vocab;
  for (int i = 0; i < 256; ++i) {
    vocab["t" + std::to_string(i)] = i;
  }
  vocab["<|startoftext|>"] = 256;
  vocab["<|endoftext|>"] = 257;
  std::ofstream(job_.base / "tokenizer/vocab.json") << vocab.dump();
  std::ofstream(merges) << "#version: 0.2\n";
  const std::vector<fs::path> files = WeightSource::open(job_.base).tokenizer_files(kTe1);
  ASSERT_EQ(files.size(), 2U);
  const RunIdentity before = identity_of(job_);
  for (const Ingredient& i : before) {
    EXPECT_EQ(i.name.find('\\'), std::string::npos) << i.name << ": the same under every system";
  }
  std::ofstream(merges, std::ios::app) << "a b\n";
  std::ofstream(job_.base / "tokenizer/tokenizer_config.json") << "{}";
  const auto changes = changes_between(before, identity_of(job_));
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].part, "tokenizer");
  EXPECT_NE(changes[0].text.text().find("merges.txt (SHA-256"), std::string::npos)
      << changes[0].text;
  EXPECT_NE(changes[1].text.text().find("tokenizer_config.json (- -> SHA-256"), std::string::npos);
}

/// Their hashes are taken beside the first steps, from what the run opened.
#ifndef _WIN32  // where nobody can replace it then
TEST_F(ResumeTest, ABaseModelReplacedWhileTheRunStartsIsNoticed) {
  class Replacing : public HealthRecorder {
   public:
    explicit Replacing(fs::path base) : base_(std::move(base)) {}
    void on_progress(RunPhase phase, std::int64_t done, std::int64_t total) override {
      HealthRecorder::on_progress(phase, done, total);
      if (phase != RunPhase::caching || replaced_) {
        return;
      }
      replaced_ = true;
      const fs::path other = base_.parent_path() / "other";
      fs::copy_file(base_, other);
      change_weight(other);
      fs::rename(other, base_);  // the mapped file stays whole
    }

   private:
    fs::path base_;
    bool replaced_ = false;
  };
  job_.base = edited_base({});
  use_images();
  Replacing observer(job_.base);
  try {
    run(job_, observer);
    FAIL() << "the checkpoint would name a base model that the run never saw";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'" + path_to_utf8(job_.base) +
                                         "' was changed, replaced or removed while it was in use"),
              std::string::npos)
        << e.what();
  }
  EXPECT_FALSE(fs::exists(job_.out / "checkpoints/step-00000001"));
}
#endif

/// The mini base with a tensor that no part reads, of so many bytes of nothing that hashing takes
/// longer than a step.
fs::path base_with_ballast(const fs::path& file) {
  constexpr std::uint64_t kBytes = 3ULL << 28;
  const std::string bytes = read_text(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  auto header = nlohmann::json::parse(bytes.substr(8, length));
  const std::uint64_t end = bytes.size() - 8 - length;
  header["ballast"] = {{"dtype", "U8"}, {"shape", {kBytes}}, {"data_offsets", {end, end + kBytes}}};
  const std::string text = header.dump();
  const std::uint64_t size = text.size();
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(&size), sizeof size);
  out << text << bytes.substr(8 + length);
  out.close();
  fs::resize_file(file, fs::file_size(file) + kBytes);
  return file;
}

TEST_F(ResumeTest, ACheckpointWaitsForTheHashesOfANewRun) {
  job_.base = base_with_ballast(home_ / "base.safetensors");
  begin();
  const RunIdentity identity = state(1).identity;
  ASSERT_FALSE(identity.empty());
  EXPECT_EQ(identity.front().part, "base");
  EXPECT_EQ(identity.front().sha256, sha256_file(job_.base));
}

TEST_F(ResumeTest, ABaseModelThatIsGoneWhileTheRunStartsIsNoticed) {
  job_.base = edited_base({});
  const std::vector<ListedFile> files = list_files(WeightSource::open(job_.base), job_);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(FileHashing(files).result().at(0).sha256, sha256_file(job_.base));
  { const FileHashing dropped(files); }  // its end waits for no more than a piece of a file
  fs::copy_file(job_.base, home_ / "other");
  change_weight(home_ / "other");
  fs::rename(home_ / "other", job_.base);
  EXPECT_THROW(FileHashing(files).result(), InputChanged) << "the hash of another file";
  fs::remove(job_.base);
  const FileHashing hashing(files);
  for (int asked = 0; asked < 2; ++asked) {  // whoever asks later must not get a part of them
    test::expect_error_with([&] { hashing.result(); }, {path_to_utf8(job_.base)});
  }
}

TEST_F(ResumeTest, ChangedImagesAndCaptionsAreNamed) {
  use_images();
  begin();
  const fs::path images = job_.images.front();
  std::ofstream(images / "zorb_02.txt") << "another caption";
  fs::remove(images / "zorb_01.png");
  fs::copy_file(images / "zorb_05.png", images / "zorb_01.png");
  fs::remove(images / "zorb_03.png");
  fs::copy_file(images / "zorb_06.png", images / "new.png");
  const std::string found = refusal(resumed());
  for (const char* part : {"zorb_01.png (SHA-256", "zorb_02.png caption (SHA-256", "bytes -> -)",
                           "new.png (- -> SHA-256"}) {
    EXPECT_NE(found.find(part), std::string::npos) << part << " in " << found;
  }
  JobSpec accepting = resumed();
  accepting.accept_changed = {"images"};
  EXPECT_EQ(refusal(accepting), "");
}

TEST_F(ResumeTest, AReplacedAdapterItContinuedFromIsRefused) {
  begin();
  const fs::path adapter = home_ / "adapter.safetensors";
  fs::copy_file(job_.out / "test.safetensors", adapter);
  job_.continue_from = adapter;
  job_.out = home_ / "second";
  begin();
  EXPECT_EQ(refusal(resumed()), "");
  change_weight(adapter);
  EXPECT_NE(refusal(resumed(4)).find("continue_from: " + path_to_utf8(adapter)), std::string::npos);
  fs::remove(adapter);
  EXPECT_NE(refusal(resumed(4)).find("bytes -> -)"), std::string::npos);
  JobSpec accepting = resumed(4);
  accepting.accept_changed = {"continue_from"};
  EXPECT_EQ(refusal(accepting), "");
}

TEST_F(ResumeTest, AFolderOfPeftIsContinuedAndAReplacedOneIsRefused) {
  begin();
  const fs::path file = job_.out / "test.safetensors";
  job_.preset.output.format = OutputFormat::peft;
  job_.out = home_ / "peft";
  begin();
  const fs::path folder = home_ / "adapter";
  fs::copy(job_.out / "test", folder, fs::copy_options::recursive);
  job_.preset.output.format = OutputFormat::kohya;
  const auto state_from = [&](const fs::path& adapter, const char* out) {
    job_.continue_from = adapter;
    job_.out = home_ / out;
    begin();
    return sha256_file(job_.out / "checkpoints/step-00000002/state.safetensors");
  };
  EXPECT_EQ(state_from(folder, "from-folder"), state_from(file, "from-file"));

  job_.continue_from = folder;
  job_.out = home_ / "from-folder";
  std::ofstream(folder / "README.md") << "which is no part of it";
  EXPECT_EQ(refusal(resumed()), "");
  std::vector<fs::path> weights;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".safetensors") {
      weights.push_back(entry.path());
    }
  }
  ASSERT_FALSE(weights.empty());
  change_weight(weights.front());
  EXPECT_NE(refusal(resumed(4)).find("continue_from: " + path_to_utf8(weights.front())),
            std::string::npos);
  EXPECT_EQ(changed_, std::vector<std::string>{"continue_from"});
}

TEST_F(ResumeTest, WithoutACheckpointItBeginsFromTheAdapterAgain) {
  begin();
  const fs::path adapter = home_ / "adapter.safetensors";
  fs::copy_file(job_.out / "test.safetensors", adapter);
  job_.continue_from = adapter;
  job_.out = home_ / "straight";
  begin();
  const std::string expected =
      sha256_file(job_.out / "checkpoints/step-00000002/state.safetensors");
  job_.out = home_ / "killed";
  RunFolder::create(job_);  // and no step was saved
  EXPECT_EQ(refusal(resumed(2)), "");
  EXPECT_EQ(sha256_file(job_.out / "checkpoints/step-00000002/state.safetensors"), expected);
}

/// What a checkpoint would tell, the folder records from the beginning.
TEST_F(ResumeTest, ARunKilledBeforeItsFirstCheckpointNamesChangedFilesToo) {
  class StoppingOnceRecorded : public HealthRecorder {
   public:
    StoppingOnceRecorded(fs::path record, RunControl& control)
        : record_(std::move(record)), control_(control) {}
    void on_step(const StepRecord& step) override {
      HealthRecorder::on_step(step);
      if (read_text(record_).find("\"whole\":true") != std::string::npos) {
        control_.request_stop(RunControl::Stop::discard);
      }
    }

   private:
    fs::path record_;
    RunControl& control_;
  };
  constexpr std::int64_t kNever = 100'000;
  job_.base = edited_base({});
  use_images();
  job_.preset.training.steps = kNever;
  job_.preset.output.save_every = kNever;
  RunControl control;
  StoppingOnceRecorded observer(job_.out / "inputs.json", control);
  test::expect_error_with([&] { run_training(job_, control, observer); }, {"stopped"});
  ASSERT_TRUE(CheckpointFolder(job_.out / "checkpoints").empty());

  change_weight(job_.base);
  std::ofstream(job_.images.front() / "zorb_02.txt") << "another caption";
  JobSpec accepting = resumed();
  accepting.preset.output.save_every = 1;
  const std::string found = refusal(accepting);
  for (const std::string& part : {path_to_utf8(job_.base), std::string("zorb_02.png caption")}) {
    EXPECT_NE(found.find(part), std::string::npos) << part << " in " << found;
  }
  EXPECT_EQ(changed_, (std::vector<std::string>{"base", "images"}));
  accepting.accept_changed = changed_;
  EXPECT_EQ(refusal(accepting), "");
  EXPECT_NE(log_.find("as accepted: base: "), std::string::npos) << log_;
  EXPECT_EQ(state(3).accepted.size(), 2U);
}

TEST_F(ResumeTest, ADamagedRecordOfTheInputsIsTold) {
  RunFolder::create(job_);
  std::ofstream(job_.out / "inputs.json") << R"({"mantissa_inputs": 1, "identity": []})";
  EXPECT_EQ(refusal(resumed()), "");
  EXPECT_NE(log_.find("began with is not checked: "), std::string::npos) << log_;
  EXPECT_NE(log_.find("inputs.json is damaged"), std::string::npos) << log_;
}

TEST_F(ResumeTest, AllCheckpointsDamagedIsRefusedAndNothingIsTouched) {
  begin();
  const fs::path checkpoints = job_.out / "checkpoints";
  change_weight(checkpoints / "step-00000001/state.safetensors");
  fs::remove(checkpoints / "step-00000002/state.json");
  const auto evidence = [&](const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) {
        files[entry.path().lexically_relative(folder).string()] = sha256_file(entry.path());
      }
    }
    return files;
  };
  const auto before = evidence(checkpoints);
  const std::string found = refusal(resumed());
  for (const char* part : {"step-00000001", "step-00000002", "state.json is missing",
                           "state.safetensors has another content"}) {
    EXPECT_NE(found.find(part), std::string::npos) << part << " in " << found;
  }
  EXPECT_TRUE(changed_.empty());
  EXPECT_EQ(evidence(checkpoints), before);
  JobSpec fresh = resumed();
  fresh.start_over = true;
  EXPECT_EQ(refusal(fresh), "");
  EXPECT_TRUE(fs::exists(checkpoints / "step-00000003"));
  EXPECT_EQ(evidence(job_.out / "damaged-checkpoints"), before) << "kept aside";
  // With an intact one there is nothing to start over.
  try {
    HealthRecorder recorder;
    run(fresh, recorder);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("there is an intact checkpoint, step-00000003"),
              std::string::npos)
        << e.what();
  }
}

TEST_F(ResumeTest, ACheckpointThatIsReachedAgainKeepsTheDamagedOneAside) {
  begin();
  change_weight(job_.out / "checkpoints/step-00000002/state.safetensors");
  const std::string bad = sha256_file(job_.out / "checkpoints/step-00000002/state.safetensors");
  EXPECT_EQ(refusal(resumed()), "");
  EXPECT_EQ(sha256_file(job_.out / "checkpoints/damaged-step-00000002/state.safetensors"), bad);
  EXPECT_EQ(verify_checkpoint(job_.out / "checkpoints/step-00000002").text(), "");
}

TEST_F(ResumeTest, ARunMayBeCalledState) {
  job_.preset.output.name = "State";
  begin();
  EXPECT_TRUE(fs::exists(job_.out / "State.safetensors"));
  EXPECT_TRUE(fs::exists(job_.out / "checkpoints/step-00000002/State-result.safetensors"));
  EXPECT_EQ(checkpoint_result_name("state"), "state-result") << "or its tensors are overwritten";
  EXPECT_EQ(refusal(resumed()), "");
}

TEST_F(ResumeTest, ARefusedRunKeepsItsState) {
  job_.base = edited_base({});
  begin();
  change_weight(job_.base);
  ASSERT_NE(refusal(resumed()), "");
  EXPECT_EQ(RunReader(runs_database()).run(RunFolder::open(job_.out).id())->state, "finished");
}

TEST_F(ResumeTest, AnInterruptedRunThatIsRefusedStaysInterrupted) {
  job_.base = edited_base({});
  begin();
  const std::string id = RunFolder::open(job_.out).id();
  RunStore(runs_database()).set_state(id, "training");  // as if its process had been killed
  change_weight(job_.base);
  ASSERT_NE(refusal(resumed()), "");
  EXPECT_EQ(RunReader(runs_database()).run(id)->state, "interrupted");
}

TEST_F(ResumeTest, EachSettingThatAResumeChangesIsAnEventOfTheRun) {
  begin();
  JobSpec job = resumed(3);
  job.preset.output.keep = 5;
  ASSERT_EQ(refusal(job), "");
  const auto changes =
      setting_changes(RunReader(runs_database()).events(RunFolder::open(job_.out).id()));
  ASSERT_EQ(changes.size(), 2U) << log_;
  EXPECT_EQ(changes[0].key, "training.steps");
  EXPECT_EQ(changes[0].before, 2);
  EXPECT_EQ(changes[0].after, 3);
  EXPECT_EQ(changes[0].step, 2);
  EXPECT_EQ(changes[1].key, "output.keep");
}

TEST_F(ResumeTest, ASettingChangedInStepsThatAreTakenAgainIsInForceFromTheirFirst) {
  class Changing : public HealthRecorder {
   public:
    explicit Changing(RunControl& control) : control_(control) {}
    void on_step(const StepRecord& r) override {
      if (r.step == 3) {
        control_.request_changes({"optimizer.learning_rate=0.0005"});
      } else if (r.step == 4) {
        control_.request_stop(RunControl::Stop::discard);
      }
    }

   private:
    RunControl& control_;
  };
  job_.preset.training.steps = 6;
  job_.preset.output.save_every = 2;
  RunControl control;
  Changing changing(control);
  EXPECT_THROW(run_training(job_, control, changing), Error);
  fs::remove_all(job_.out / "checkpoints/step-00000004");
  JobSpec job = resumed(6);
  job.preset = RunFolder::open(job_.out).frozen_job().preset;
  ASSERT_EQ(job.preset.optimizer.learning_rate, 0.0005);
  ASSERT_EQ(refusal(job), "");
  const auto rates = values_by_step(
      setting_changes(RunReader(runs_database()).events(RunFolder::open(job_.out).id())),
      "optimizer.learning_rate", 0.0005);
  ASSERT_EQ(rates.size(), 2U);
  EXPECT_EQ(rates[0].value, 0.001);
  EXPECT_EQ(rates[1].from_step, 3) << "steps 3 and 4 were taken again";
}

TEST_F(ResumeTest, ARunWithoutStepsLeftSaysSoAndKeepsItsLoss) {
  HealthRecorder first, again;
  const RunResult before = run(job_, first);
  const RunResult after = run(resumed(2), again);
  EXPECT_EQ(after.final_loss, before.final_loss);
  EXPECT_GT(after.final_loss, 0);
  EXPECT_EQ(after.adapter, before.adapter);
  EXPECT_NE(again.log.find("the run has all its 2 steps: nothing is left to train"),
            std::string::npos)
      << again.log;
}

TEST_F(ResumeTest, ARunStoppedBeforeItsFirstCheckpointSaysHowToStartItAgain) {
  RunControl control;
  control.request_stop(RunControl::Stop::discard);
  HealthRecorder recorder;
  test::expect_error_with([&] { run_training(job_, control, recorder); },
                          {"No checkpoint was saved; start it again with --resume"});
}

TEST_F(ResumeTest, TheStateIsThatOfAnUndisturbedRun) {
  job_.preset.precision.compute = ComputeType::fp16;
  job_.preset.training.ema = 0.9;
  job_.preset.training.steps = 4;
  begin();
  const std::string straight = read_text(job_.out / "checkpoints/step-00000004/state.json");
  ASSERT_GT(nlohmann::json::parse(straight).at("growth_counter"), 1);
  job_.out = home_ / "resumed";
  job_.preset.training.steps = 2;
  begin();
  ASSERT_EQ(refusal(resumed(4)), "");
  EXPECT_EQ(read_text(job_.out / "checkpoints/step-00000004/state.json"), straight);
}

TEST_F(ResumeTest, ARunCannotBeShortenedBelowItsSteps) {
  begin();
  test::expect_error_with([&] { refusal(resumed(1)); }, {"has 2 steps already", "training.steps"});
  EXPECT_EQ(RunReader(runs_database()).run(RunFolder::open(job_.out).id())->state, "finished")
      << "nothing was done";
  EXPECT_EQ(RunFolder::open(job_.out).frozen_job().preset.training.steps, 2);
  EXPECT_EQ(refusal(resumed(2)), "");
}

TEST_F(ResumeTest, OneCancelledBeforeItGoesOnLeavesTheRunItsState) {
  begin();
  RunControl control;
  control.request_stop(RunControl::Stop::discard);
  HealthRecorder recorder;
  test::expect_error_with([&] { run_training(resumed(4), control, recorder); }, {"stopped"});
  EXPECT_EQ(RunReader(runs_database()).run(RunFolder::open(job_.out).id())->state, "finished");
}

TEST_F(ResumeTest, TheLossScaleGrowsWhenItWouldHaveGrown) {
  job_.preset.precision.compute = ComputeType::fp16;
  begin();
  // The same two clean steps before a doubling: the counter has to come from the checkpoint.
  const fs::path late = job_.out / "checkpoints/step-00001998";
  fs::rename(job_.out / "checkpoints/step-00000002", late);
  testing_support::edit_state(late, [](nlohmann::json& state) {
    state["step"] = state["updates"] = state["growth_counter"] = 1998;
    state["loss_scale"] = 256;
    for (auto& updates : state["optimizer_updates"]) {
      updates = 1998;
    }
  });
  HealthRecorder recorder;
  run(resumed(2002), recorder);
  std::vector<double> scales;
  for (const StepRecord& step : recorder.steps) {
    scales.push_back(step.loss_scale);
  }
  EXPECT_EQ(scales, (std::vector<double>{256, 256, 512, 512}));
  const CheckpointState s = CheckpointFolder::load_state(job_.out / "checkpoints/step-00002002");
  EXPECT_EQ(s.loss_scale, 512);
  EXPECT_EQ(s.growth_counter, 2);
}

TEST_F(ResumeTest, DelayedFp8ScalesComeBack) {
  job_.preset.precision.compute = ComputeType::fp8;
  job_.preset.precision.fp8_scaling = Fp8Scaling::delayed;
  expect_goes_on_as_if_never_stopped("delayed");
}

TEST_F(ResumeTest, Int8WeightsAndProductsGoOnAsIfNeverStopped) {
  for (const ComputeType compute : {ComputeType::bf16, ComputeType::int8, ComputeType::int8_fp16}) {
    job_.preset.precision.weights.denoiser = StorageType::int8;
    job_.preset.precision.compute = compute;
    job_.preset.adapter.type = AdapterType::dora;
    const std::string name(enum_name(compute));
    expect_goes_on_as_if_never_stopped(name);
  }
  job_.preset.precision.weights.denoiser = StorageType::int8_convrot;
  job_.preset.training.gradient_checkpointing = true;
  expect_goes_on_as_if_never_stopped("rotated");
}

TEST_F(ResumeTest, Nf4WeightsGoOnAsIfNeverStopped) {
  for (const bool checkpointing : {false, true}) {
    job_.preset.precision.weights.denoiser = StorageType::nf4;
    job_.preset.precision.compute = ComputeType::bf16;
    job_.preset.adapter.type = AdapterType::dora;
    job_.preset.adapter.targets = {"linear+conv"};
    job_.preset.training.gradient_checkpointing = checkpointing;
    const std::string name = checkpointing ? "checkpointed" : "plain";
    expect_goes_on_as_if_never_stopped(name);
  }
}

TEST_F(ResumeTest, LohaAndLokrGoOnAsIfNeverStopped) {
  for (const int form : {0, 1, 2, 3}) {
    const AdapterType type = form % 2 == 0 ? AdapterType::loha : AdapterType::lokr;
    job_.preset.adapter.type = type;
    job_.preset.adapter.decompose = form > 1;
    job_.preset.adapter.targets = {"linear+conv"};
    job_.preset.precision.compute = ComputeType::bf16;
    const std::string name = std::string(enum_name(type)) + (form > 1 ? "-dora" : "");
    expect_goes_on_as_if_never_stopped(name);
  }
}

// Three of them at the minimum loss scale end a run, even if it was interrupted.
TEST_F(ResumeTest, SkippedStepsInARowAreCountedOn) {
  job_.preset.precision.compute = ComputeType::fp16;
  begin();
  testing_support::edit_state(job_.out / "checkpoints/step-00000002", [](nlohmann::json& state) {
    state["skips_in_row"] = 2;
    state["updates"] = 0;
    state["loss_scale"] = 0x1p100;  // no gradient fits
  });
  ASSERT_EQ(refusal(resumed()), "");
  const CheckpointState s = state(3);
  EXPECT_EQ(s.skips_in_row, 3);
  EXPECT_EQ(s.updates, 0);
  EXPECT_EQ(s.loss_scale, 0x1p99);
}

}  // namespace
}  // namespace mantissa
