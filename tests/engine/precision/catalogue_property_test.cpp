// Random presets, models and devices: a plan is a pure function, its effective preset is a fixed
// point, and the fixes lead to a plan that trains.
#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"
#include "tests/engine/precision/plan_support.h"

namespace mantissa {
namespace {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  int upto(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  bool coin() { return upto(2) == 0; }
  template <typename E>
  E any(int count = static_cast<int>(enum_names<E>().size())) {
    return static_cast<E>(upto(count));
  }
  template <typename T>
  T of(std::initializer_list<T> list) {
    return *(list.begin() + upto(static_cast<int>(list.size())));
  }

 private:
  std::mt19937 engine_;
};

Situation random_situation(Dice& d) {
  Situation s;
  Preset::Precision& p = s.preset.precision;
  p.weights = {d.any<StorageType>(5), d.any<StorageType>(5), d.any<StorageType>(5)};
  p.compute = d.any<ComputeType>(5);
  p.adapter = d.any<MasterType>(3);
  p.gradients = d.any<MasterType>(3);
  p.optimizer_state = d.any<StateType>(3);
  p.stochastic_rounding = d.coin();
  p.kahan = d.coin();
  p.fp8_scaling = d.any<Fp8Scaling>(2);
  p.loss_scaling = {d.any<LossScaling::Mode>(4), 0};
  if (p.loss_scaling.mode == LossScaling::Mode::fixed) {
    p.loss_scaling.value = d.of({1.0, 128.0, 1e6});
  }
  for (const char* pattern : {"unet.*", "vae.decoder.*", "*.wo"}) {
    if (d.upto(3) == 0) {
      p.pins[pattern] = d.any<StorageType>(5);
    }
  }
  Preset::Adapter& a = s.preset.adapter;
  a.type = d.any<AdapterType>();
  a.init = d.any<AdapterInit>(2);
  a.dora_axis = d.any<DoraAxis>(2);
  a.dropout = d.of({0.0, 0.1});
  a.lora_plus_ratio = d.of({1.0, 16.0});
  Preset::Training& t = s.preset.training;
  t.parts.clear();
  for (const Part part : {kDenoiser, kTe1, kTe2}) {
    if (d.coin()) {
      t.parts.push_back(part);
    }
  }
  if (t.parts.empty()) {
    t.parts = {kTe1};
  }
  t.gradient_accumulation = 1 + d.upto(2);
  t.gradient_checkpointing = d.coin();
  t.max_grad_norm = d.of({0.0, 1.0});
  t.min_snr_gamma = d.of({0.0, 5.0});
  t.prediction = d.any<Prediction>(3);
  t.zero_terminal_snr = d.coin();
  t.ema = d.of({0.0, 0.99, 0.9999});
  Preset::Optimizer& o = s.preset.optimizer;
  o.type = d.any<OptimizerType>();
  o.learning_rate = d.of({1e-10, 1e-6, 1e-4, 1.0});
  o.fused_back_pass = d.coin();
  for (const Part part : {kDenoiser, kTe1, kTe2}) {
    if (d.upto(3) == 0) {
      OptimizerGroup group{part, {}, {}, {}};
      if (d.coin()) {
        group.type = d.any<OptimizerType>();
      }
      if (d.coin()) {
        group.learning_rate = d.of({1e-5, 1e-4, 1.0});
      }
      o.groups.push_back(group);
    }
  }
  s.preset.output.format = d.any<OutputFormat>(7);
  s.model.vae_fits_fp16 = d.coin();
  s.model.prediction = d.of({Prediction::epsilon, Prediction::v, Prediction::flow});
  s.model.zero_terminal_snr = d.upto(3) == 0;
  s.model.denoiser_file = d.of({DType::f32, DType::f16, DType::bf16, DType::f8_e4m3, DType::f8_e5m2,
                                DType::gguf, DType::mxfp8});
  s.model.has_t5 = d.coin();
  s.model.bf16_native = d.upto(3) == 0;
  s.device.compute_capability = d.of({0, 75, 80, 86, 89, 90, 120});
  t.method = d.any<TrainingMethod>(2);
  s.device.name = s.device.compute_capability == 0 ? "cpu" : "a card";
  return s;
}

bool asks_for_change(const PrecisionFinding& f) {
  return f.verdict == Verdict::refused || (f.verdict == Verdict::adjusted && f.has_fix());
}

constexpr int kCases = 5000;

TEST(PrecisionPlanProperty, FixesLeadToAPlanThatTrainsWithinThreeRounds) {
  Dice dice(1);
  int refused = 0, quiet = 0;
  for (int i = 0; i < kCases; ++i) {
    Situation s = random_situation(dice);
    int rounds = 0;
    for (; rounds < 4; ++rounds) {
      const auto findings = s.findings();
      const auto open = std::count_if(findings.begin(), findings.end(), asks_for_change);
      if (open == 0) {
        break;
      }
      for (const PrecisionFinding& f : findings) {
        if (asks_for_change(f)) {
          refused += rounds == 0 && f.verdict == Verdict::refused;
          apply_patch(s.preset, nlohmann::json::parse(f.fix_json));
        }
      }
    }
    quiet += rounds == 0;
    std::string open;
    for (const PrecisionFinding& f : s.findings()) {
      open += asks_for_change(f) ? f.id + ": " + f.message.text() + " " + f.fix_json + "\n" : "";
    }
    ASSERT_LE(rounds, 3) << "case " << i << ":\n" << open << to_json(s.preset);
  }
  EXPECT_GT(refused, kCases / 10) << "the presets must be bad enough to show something";
  EXPECT_GT(quiet, 0);
}

TEST(PrecisionPlanProperty, TheEffectivePresetIsAFixedPoint) {
  Dice dice(2);
  for (int i = 0; i < kCases; ++i) {
    const Situation s = random_situation(dice);
    Situation after = s;
    after.preset = s.plan().effective;
    EXPECT_EQ(after.plan().effective, after.preset) << "case " << i;
    const auto before_list = s.findings(), after_list = after.findings();
    for (const PrecisionFinding& f : after_list) {
      ASSERT_FALSE(f.verdict == Verdict::adjusted && f.has_fix()) << i << " " << f.id;
      ASSERT_TRUE(find(before_list, f.id)) << "new on the second look: " << i << " " << f.id;
    }
  }
}

TEST(PrecisionPlanProperty, PatchesAreThePathToTheEffectivePreset) {
  Dice dice(3);
  for (int i = 0; i < kCases / 4; ++i) {
    const Situation s = random_situation(dice);
    const PrecisionPlan plan = s.plan();
    for (const PrecisionFinding& f : plan.findings) {
      const auto patch = nlohmann::json::parse(f.fix_json);
      for (const auto& [key, value] : patch.items()) {
        ASSERT_EQ(std::count(f.fields.begin(), f.fields.end(), key), 1) << f.id << " " << key;
      }
    }
    for (const PresetChange& change : diff_presets(s.preset, plan.effective)) {
      ASSERT_TRUE(std::any_of(plan.findings.begin(), plan.findings.end(),
                              [&](const PrecisionFinding& f) {
                                return f.verdict == Verdict::adjusted &&
                                       nlohmann::json::parse(f.fix_json).contains(change.key);
                              }))
          << "changed silently: " << change.key;
    }
  }
}

TEST(PrecisionPlanProperty, TheSameFactsGiveTheSamePlan) {
  Dice dice(4);
  for (int i = 0; i < 500; ++i) {
    const Situation s = random_situation(dice);
    ASSERT_EQ(s.plan().json(), s.plan().json());
    ASSERT_EQ(s.plan().effective, s.plan().effective);
  }
}

}  // namespace
}  // namespace mantissa
