// Layer statistics of whole runs: records every N steps, no effect on training, and the first
// non-finite tensor is named.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "engine/core/paths.h"
#include "engine/run/run_folder.h"
#include "engine/store/reader.h"
#include "engine/train/run_training.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

using testing_support::HealthRecorder;

class HealthTest : public testing_support::RunFixture {
 protected:
  RunResult train(HealthRecorder& recorder) {
    RunControl control;
    return run_training(job_, control, recorder);
  }
  Error failure(HealthRecorder& recorder) {
    try {
      train(recorder);
    } catch (const Error& e) {
      return e;
    }
    ADD_FAILURE() << "no error";
    return Error(Message());
  }
};

const HealthRow* find(const HealthRecord& record, const std::string& layer, HealthKind kind) {
  for (const HealthRow& row : record.rows) {
    if (row.layer == layer && row.kind == kind) {
      return &row;
    }
  }
  return nullptr;
}

constexpr const char* kQuery =
    "denoiser.down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q";

TEST_F(HealthTest, EveryNthStepLooksAtEveryLayer) {
  job_.preset.training.steps = 5;
  job_.preset.precision.compute = ComputeType::bf16;
  job_.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
  job_.health_every = 2;
  HealthRecorder r;
  const RunResult result = train(r);
  std::vector<std::int64_t> steps;
  for (const HealthRecord& record : r.health) {
    steps.push_back(record.step);
    EXPECT_GT(record.seconds, 0);
  }
  EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 1, 2, 4}));
  const HealthRow* weight = find(r.health[0], std::string(kQuery) + ".weight", HealthKind::weight);
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(weight->format, DType::f8_e4m3);
  EXPECT_NEAR(weight->statistics.sqnr(), 31.6, 1.5) << "a scale for each channel";
  EXPECT_NEAR(weight->statistics.headroom(DType::f8_e4m3), 0, 1e-5);
  const HealthRecord& last = r.health.back();
  for (const HealthKind kind : {HealthKind::output, HealthKind::gradient}) {
    const HealthRow* row = find(last, kQuery, kind);
    ASSERT_NE(row, nullptr) << health_kind_name(kind);
    EXPECT_EQ(row->format, DType::bf16);
    EXPECT_EQ(row->statistics.non_finite, 0);
    EXPECT_GT(row->statistics.amax, 0);
    std::int64_t counted = 0;
    for (const std::int64_t n : row->statistics.histogram) {
      counted += n;
    }
    EXPECT_EQ(counted, row->statistics.used());
  }
  const HealthRow* adapter =
      find(last, std::string(kQuery) + ".lora_B.weight", HealthKind::adapter_gradient);
  ASSERT_NE(adapter, nullptr);
  EXPECT_EQ(adapter->format, DType::f32);
  EXPECT_GT(adapter->statistics.amax, 0);
  const auto stored = RunReader(runs_database()).health(result.run_id);
  ASSERT_EQ(stored.size(), 4U);
  EXPECT_EQ(stored.back().rows.size(), last.rows.size());
}

TEST_F(HealthTest, Fp8OperandsShowTheScalesTheyUse) {
  job_.preset.training.steps = 1;
  job_.preset.precision.compute = ComputeType::fp8;
  HealthRecorder r;
  train(r);
  std::set<double> largest, headrooms;
  for (const char* name : {"to_q", "to_k", "to_v"}) {  // one product, each with its own gradient
    const std::string layer =
        std::string("denoiser.mid_block.attentions.0.transformer_blocks.0.attn1.") + name;
    const HealthRow* operand = find(r.health.back(), layer, HealthKind::operand);
    const HealthRow* gradient = find(r.health.back(), layer, HealthKind::gradient_operand);
    ASSERT_TRUE(operand != nullptr && gradient != nullptr) << layer;
    EXPECT_EQ(operand->format, DType::f8_e4m3);
    EXPECT_EQ(gradient->format, DType::f8_e5m2);
    // Current scaling: the largest value is the format's largest number.
    EXPECT_NEAR(operand->statistics.headroom(DType::f8_e4m3), 0, 1e-5);
    headrooms.insert(gradient->statistics.headroom(DType::f8_e5m2));
    EXPECT_NEAR(operand->statistics.sqnr(), 31.6, 2);
    EXPECT_NEAR(gradient->statistics.sqnr(), 25.6, 2);
    largest.insert(gradient->statistics.amax);
  }
  EXPECT_EQ(largest.size(), 3U);
  EXPECT_NEAR(*headrooms.begin(), 0, 1e-5) << "they share the scales of their rows";
  EXPECT_LT(*headrooms.rbegin(), 8) << "of 31 binary orders";
}

TEST_F(HealthTest, Int8ShowsItsWeightsAndOperands) {
  job_.preset.training.steps = 1;
  job_.preset.precision.compute = ComputeType::int8;
  job_.preset.precision.weights.denoiser = StorageType::int8;
  HealthRecorder r;
  train(r);
  const std::string layer = "denoiser.mid_block.attentions.0.transformer_blocks.0.attn1.to_q";
  const HealthRow* weight = find(r.health[0], layer + ".weight", HealthKind::weight);
  const HealthRow* operand = find(r.health.back(), layer, HealthKind::operand);
  const HealthRow* gradient = find(r.health.back(), layer, HealthKind::gradient_operand);
  ASSERT_TRUE(weight != nullptr && operand != nullptr && gradient != nullptr);
  for (const HealthRow* row : {weight, operand, gradient}) {
    EXPECT_EQ(row->format, DType::i8);
    EXPECT_NEAR(row->statistics.headroom(DType::i8), 0, 1e-5) << "a scale for each row";
    EXPECT_EQ(row->statistics.subnormal, 0);
    EXPECT_GT(row->statistics.sqnr(), 36);
    EXPECT_LT(row->statistics.sqnr(), 52);
  }
}

TEST_F(HealthTest, RotatedInt8ShowsItsRotatedWeightsAndOperands) {
  job_.preset.training.steps = 1;
  job_.preset.precision.compute = ComputeType::int8;
  job_.preset.precision.weights.denoiser = StorageType::int8_convrot;
  HealthRecorder r;
  train(r);
  const std::string layer = "denoiser.mid_block.attentions.0.transformer_blocks.0.attn1.to_q";
  const HealthRow* weight = find(r.health[0], layer + ".weight", HealthKind::weight);
  const HealthRow* operand = find(r.health.back(), layer, HealthKind::operand);
  const HealthRow* gradient = find(r.health.back(), layer, HealthKind::gradient_operand);
  ASSERT_TRUE(weight != nullptr && operand != nullptr && gradient != nullptr);
  EXPECT_EQ(gradient->format, DType::i8) << "gradients are not rotated";
  for (const HealthRow* row : {weight, operand}) {
    EXPECT_EQ(row->format, DType::i8_rotated);
    EXPECT_NEAR(row->statistics.headroom(DType::i8_rotated), 0, 1e-5) << "a scale for each row";
    EXPECT_GT(row->statistics.sqnr(), 36);
    EXPECT_LT(row->statistics.sqnr(), 52);
  }
}

TEST_F(HealthTest, Nf4ShowsWhatItsBlocksLose) {
  job_.preset.training.steps = 1;
  job_.preset.precision.weights.denoiser = StorageType::nf4;
  HealthRecorder r;
  train(r);
  const std::string layer = "denoiser.mid_block.attentions.0.transformer_blocks.0.attn1.to_q";
  const HealthRow* weight = find(r.health[0], layer + ".weight", HealthKind::weight);
  ASSERT_NE(weight, nullptr);
  const TensorStatistics& s = weight->statistics;
  EXPECT_EQ(weight->format, DType::nf4);
  EXPECT_NEAR(s.sqnr(), 20.7, 1.5);
  EXPECT_EQ(s.headroom(DType::nf4), 0) << "a scale for each block";
  EXPECT_EQ(s.overflow + s.subnormal + s.non_finite, 0);
  // The code of 0 takes what is nearer to it than to its neighbours: 6.6 % of a Gaussian, with
  // blocks' largest values at 2.6 sigma.
  EXPECT_NEAR(s.share(s.underflow), 0.085, 0.03);
  std::int64_t seen = s.zeros;
  for (const std::int64_t n : s.histogram) {
    seen += n;
  }
  EXPECT_EQ(seen, s.count);
}

TEST_F(HealthTest, LookingChangesNothingAndZeroMeansNever) {
  HealthRecorder never, always;
  job_.health_every = 0;
  train(never);
  EXPECT_TRUE(never.health.empty());
  job_.health_every = 1;
  job_.out = home_ / "watched";
  train(always);
  EXPECT_EQ(always.health.size(), 4U) << "an fp16 file widened to fp32 rounds no weight";
  ASSERT_EQ(never.steps.size(), always.steps.size());
  for (std::size_t i = 0; i < never.steps.size(); ++i) {
    EXPECT_EQ(never.steps[i].loss, always.steps[i].loss);
    EXPECT_EQ(never.steps[i].grad_norm, always.steps[i].grad_norm);
  }
}

TEST_F(HealthTest, AMagnitudeThatNothingReachesStopsTheRun) {
  const char* query =
      "model.diffusion_model.input_blocks.4.1.transformer_blocks.0.attn1.to_q.weight";
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.adapter.targets = {kQuery};
  HealthRecorder r;
  // Zero-norm channels stay plain LoRA: here all trained ones.
  job_.base = edited_base(
      {{query, [](auto& codes, const auto&) { std::fill(codes.begin(), codes.end(), 0); }}});
  const Error error = failure(r);
  EXPECT_EQ(error.id(), "D4");
  EXPECT_EQ(error.kind(), ErrorKind::precision);
  EXPECT_NE(std::string(error.what()).find("denoiser"), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find(R"({"adapter.type":"lora"})"), std::string::npos);
  ASSERT_EQ(r.steps.size(), 0U) << "it stops before it says that it has trained";
  // One channel with a norm is enough.
  job_.base = edited_base({{query, [](auto& codes, const auto& shape) {
                              std::fill(codes.begin() + shape.at(1), codes.end(), 0);
                            }}});
  job_.out = home_ / "again";
  train(r);
  EXPECT_EQ(r.steps.size(), 4U);
}

TEST_F(HealthTest, AnInfiniteWeightOfTheBaseIsNamedBeforeTheFirstStep) {
  // Also of q, k and v, which are multiplied as one weight.
  for (const std::string name : {"to_q", "to_k", "to_v"}) {
    const std::string tensor =
        "model.diffusion_model.input_blocks.4.1.transformer_blocks.0.attn1." + name + ".weight";
    job_.out = home_ / name;
    job_.base =
        edited_base({{tensor, [](std::vector<std::uint16_t>& w, const auto&) { w[77] = 0x7c00; }}});
    HealthRecorder r;
    const Error e = failure(r);
    EXPECT_EQ(e.kind(), ErrorKind::input) << "the file is at fault, neither images nor settings";
    const std::string text = e.what();
    EXPECT_NE(text.find(path_to_utf8(job_.base)), std::string::npos) << text;
    EXPECT_NE(text.find("1 of 4096 values of " + tensor), std::string::npos) << text;
    EXPECT_TRUE(r.steps.empty());
  }
}

/// The base is sound: the adapter's own changes grow until FP16 can't hold what follows from them.
TEST_F(HealthTest, WhatBecomesNonFiniteDuringARunIsNamedWithItsModuleStepAndPhase) {
  job_.preset.precision.compute = ComputeType::fp16;
  job_.preset.optimizer.learning_rate = 0.3;
  job_.preset.training.steps = 100;
  HealthRecorder r;
  const Error e = failure(r);
  EXPECT_EQ(e.kind(), ErrorKind::non_finite);
  const std::string text = e.what();
  ASSERT_FALSE(r.steps.empty()) << text;
  ASSERT_FALSE(r.non_finite.empty()) << text;
  const NonFiniteReport& found = r.non_finite.back();
  EXPECT_GT(found.step, 1) << "the first steps were sound";
  EXPECT_EQ(found.step, r.steps.back().step + 1);
  EXPECT_EQ(found.layer.rfind("denoiser.", 0), 0U) << found.layer;
  EXPECT_EQ(found.phase, "forward");
  EXPECT_EQ(found.format, DType::f16);
  EXPECT_GT(found.last_amax, 1000) << "far above a sound activation";
  EXPECT_NE(text.find("at step " + std::to_string(found.step)), std::string::npos) << text;
  EXPECT_NE(text.find(found.layer + " (" + found.op + ", forward)"), std::string::npos) << text;
}

TEST_F(HealthTest, AnOverflowIsNamedWithWhatCameBeforeIt) {
  // One channel of the entry, far too large for fp16's range but finite in fp32.
  const std::filesystem::path base =
      edited_base({{"model.diffusion_model.input_blocks.0.0.weight",
                    [](std::vector<std::uint16_t>& w, const std::vector<std::int64_t>& shape) {
                      const std::int64_t row = shape[1] * shape[2] * shape[3];
                      std::fill(w.begin(), w.begin() + row, float16(60000.0F).bits);
                    }}});
  job_.base = base;
  HealthRecorder wide;
  train(wide);
  EXPECT_TRUE(wide.non_finite.empty());
  job_.out = home_ / "narrow";
  job_.preset.precision.compute = ComputeType::fp16;
  HealthRecorder r;
  const Error e = failure(r);
  EXPECT_EQ(e.kind(), ErrorKind::non_finite);
  ASSERT_EQ(r.non_finite.size(), 1U) << e.what();
  const NonFiniteReport& found = r.non_finite[0];
  EXPECT_EQ(found.layer, "denoiser.conv_in");
  EXPECT_EQ(found.op, "conv2d");
  EXPECT_EQ(found.tensor.text(), "output");
  EXPECT_EQ(found.format, DType::f16);
  EXPECT_EQ(found.format_max, 65504);
  EXPECT_NEAR(found.last_amax, 60000, 32) << "the weight, as fp16 holds it";
  EXPECT_GT(found.non_finite, 0);
  EXPECT_LT(found.non_finite, found.count);
}

TEST_F(HealthTest, SkipsThatFindTheLossScaleAreCalledNormal) {
  // Gradients of fp16 compute with a scale far too large at first.
  job_.preset.precision.compute = ComputeType::fp16;
  job_.preset.precision.gradients = MasterType::fp16;
  job_.preset.training.steps = 40;
  job_.base = edited_base(
      {{"model.diffusion_model.out.2.weight", [](std::vector<std::uint16_t>& w, const auto&) {
          for (std::uint16_t& code : w) {
            float16 x;
            x.bits = code;
            code = float16(static_cast<float>(x) * 60).bits;
          }
        }}});
  HealthRecorder r;
  train(r);
  ASSERT_TRUE(r.steps[0].skipped) << "loss scale " << r.steps[0].loss_scale;
  ASSERT_FALSE(r.non_finite.empty());
  EXPECT_NE(r.non_finite[0].phase, "forward") << r.non_finite[0].text();
  EXPECT_NE(r.log.find("The scale is being found"), std::string::npos) << r.log;
  EXPECT_FALSE(r.steps.back().skipped);
  EXPECT_LT(r.non_finite.size(), 5U) << "named once a row of skips";
}

TEST_F(HealthTest, DoraMagnitudesDriftFromTheNormsTheyBeganWith) {
  job_.preset.adapter.type = AdapterType::dora;
  job_.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
  job_.health_every = 3;
  HealthRecorder r;
  train(r);
  const std::string name = std::string(kQuery) + ".lora_magnitude_vector";
  const HealthRow* first = find(r.health.at(1), name, HealthKind::magnitude);
  const HealthRow* last = find(r.health.back(), name, HealthKind::magnitude);
  ASSERT_TRUE(first != nullptr && last != nullptr);
  EXPECT_LT(first->drift, 1e-6) << "begun from the norm of the stored weight";
  EXPECT_GT(last->drift, 1e-5);
  EXPECT_LT(last->drift, 0.1);
}

// A learning rate at which bf16 masters hardly move: updates kept by stochastic rounding or a
// compensation aren't lost.
TEST_F(HealthTest, WhatMastersKeepIsNotLost) {
  job_.preset.optimizer.learning_rate = 1e-5;
  job_.preset.precision.adapter = MasterType::bf16;
  std::map<std::string, double> lost;
  for (const std::string how : {"stochastic", "kahan", "fp32"}) {
    job_.preset.precision.stochastic_rounding = how == "stochastic";
    job_.preset.precision.kahan = how == "kahan";
    job_.preset.precision.adapter = how == "fp32" ? MasterType::fp32 : MasterType::bf16;
    job_.out = home_ / how;
    HealthRecorder r;
    train(r);
    lost[how] = r.steps.back().lost_update;
  }
  EXPECT_EQ(lost["stochastic"], 0);
  EXPECT_LT(lost["kahan"], 0.2);
  EXPECT_LT(lost["fp32"], 0.05) << "half an ulp of fp32 is above the smallest updates";
}

}  // namespace
}  // namespace mantissa
