// The catalogue against its list of entries and verdicts, and every condition against the preset
// that leads to it: it fires, and its fix clears it.
#include "engine/precision/catalogue.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "engine/core/error.h"
#include "engine/precision/catalogue_rules.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "tests/engine/precision/plan_support.h"

namespace mantissa {
namespace {

/// Written by hand: the expected entries of the catalogue, with the possible verdicts of each.
const std::vector<std::pair<std::string, std::string>> kRequired = {
    {"S1", "W"},  {"S2", "W"},  {"S3", "W"},  {"S4", "R"},  {"S5", "A"},  {"S6", "W"},
    {"S7", "W"},  {"S8", "N"},  {"S9", "W"},  {"S10", "R"}, {"S11", "N"}, {"S12", "W"},
    {"S13", "W"}, {"S14", "R"}, {"H1", "AR"}, {"H2", "A"},  {"H3", "A"},  {"H4", "W"},
    {"H5", "R"},  {"H6", "W"},  {"H7", "N"},  {"Q1", "W"},  {"Q2", "A"},  {"Q3", "W"},
    {"Q4", "A"},  {"Q5", "R"},  {"Q6", "W"},  {"Q7", "W"},  {"Q8", "A"},  {"Q9", "R"},
    {"Q10", "R"}, {"D1", "A"},  {"D2", "N"},  {"D3", "N"},  {"D4", "R"},  {"D5", "W"},
    {"D6", "W"},  {"D7", "W"},  {"D8", "N"},  {"D9", "W"},  {"B1", "A"},  {"B2", "A"},
    {"B3", "W"},  {"B4", "A"},  {"B5", "A"},  {"B6", "W"},  {"B7", "W"},  {"B8", "A"},
    {"B9", "W"},  {"B10", "A"}, {"B11", "R"}, {"N1", "A"},  {"N2", "R"},  {"N3", "W"},
    {"N4", "W"},  {"N5", "AR"}, {"N6", "W"},  {"N7", "AR"}, {"N8", "W"},  {"N9", "N"},
    {"N13", "N"}, {"G1", "W"},  {"G2", "W"},  {"G3", "W"},  {"G4", "N"},  {"G5", "W"},
    {"C1", "A"},  {"C2", "N"},  {"C3", "N"},  {"C4", "N"},  {"C5", "N"},  {"C6", "N"}};

TEST(Catalogue, HoldsEveryEntryWithItsVerdict) {
  for (const auto& [id, verdicts] : kRequired) {
    EXPECT_EQ(catalogue_entry(id).verdicts, verdicts) << id;
  }
  EXPECT_THROW(catalogue_entry("Z1"), Error);
}

TEST(Catalogue, EntriesAreComplete) {
  std::set<std::string_view> ids;
  for (const CatalogueEntry& e : catalogue()) {
    SCOPED_TRACE(e.id);
    EXPECT_TRUE(ids.insert(e.id).second) << "twice";
    EXPECT_FALSE(e.title.empty() || e.cause.empty() || e.here.empty());
    const auto can = [&](char verdict) { return e.verdicts.find(verdict) != std::string::npos; };
    EXPECT_EQ(!e.message.empty(), can('A') || can('N'));
    EXPECT_EQ(!e.refusal.empty(), can('R'));
    EXPECT_TRUE(!can('R') || !e.fix.empty()) << "a refusal says the way out";
    EXPECT_EQ(e.concerns != nullptr, e.verdicts == "W");
    EXPECT_EQ(e.find != nullptr, e.when == FoundAt::plan && e.verdicts != "W");
    EXPECT_EQ(!e.unreachable.empty(), e.when == FoundAt::never || e.when == FoundAt::file);
    for (const std::string_view field : e.fields) {
      EXPECT_TRUE(field.empty() || find_setting(field) != nullptr) << field;
    }
  }
}

/// A preset, model and device that lead to one entry.
struct Trigger {
  const char* id;
  Verdict verdict;
  void (*make)(Situation&);
};

constexpr Verdict A = Verdict::adjusted, N = Verdict::warning, R = Verdict::refused;
using Mode = LossScaling::Mode;

void device(Situation& s, int capability) {
  s.device = {"a card", capability};
}

const Trigger kTriggers[] = {
    {"S4", R, [](Situation& s) { s.preset.precision.adapter = MasterType::fp16; }},
    {"S5", A,
     [](Situation& s) {
       s.preset.precision.compute = ComputeType::fp16;
       s.preset.precision.adapter = MasterType::bf16;
       s.preset.precision.loss_scaling = {Mode::off};
     }},
    {"S5", A,
     [](Situation& s) {  // a scale of 1 has no effect
       s.preset.precision.compute = ComputeType::fp16;
       s.preset.precision.loss_scaling = {Mode::fixed, 1};
     }},
    {"S10", R,
     [](Situation& s) {
       s.preset.precision.compute = ComputeType::fp16;
       s.preset.optimizer.fused_back_pass = true;
       s.preset.training.max_grad_norm = 0;
     }},
    {"S10", R,
     [](Situation& s) {  // where BF16 is no remedy
       device(s, 75);
       s.preset.precision.compute = ComputeType::bf16;
       s.preset.optimizer.fused_back_pass = true;
       s.preset.training.max_grad_norm = 0;
     }},
    {"S15", A, [](Situation& s) { s.preset.precision.pins["unet.conv_in"] = StorageType::fp16; }},
    {"S15", A,
     [](Situation& s) {
       s.preset.precision.gradients = MasterType::fp16;
       s.preset.precision.loss_scaling = {Mode::off};
     }},
    {"S15", A,
     [](Situation& s) {
       s.preset.precision.gradients = MasterType::fp16;
       s.preset.precision.loss_scaling = {Mode::fixed, 0.5};
     }},
    {"S16", N, [](Situation& s) { s.preset.precision.loss_scaling = {Mode::dynamic}; }},
    {"S17", N,
     [](Situation& s) {
       s.preset.precision.compute = ComputeType::fp16;
       s.preset.precision.loss_scaling = {Mode::fixed, 1e6};
     }},
    {"H1", A,
     [](Situation& s) {
       device(s, 75);
       s.preset.precision.compute = ComputeType::bf16;
       s.preset.precision.loss_scaling = {Mode::off};
     }},
    {"H1", A,
     [](Situation& s) {
       device(s, 75);
       s.preset.precision.weights.vae = StorageType::bf16;
       s.preset.precision.pins["unet.*"] = StorageType::bf16;
     }},
    {"H1", R,
     [](Situation& s) {
       device(s, 75);
       s.model.bf16_native = true;
       s.preset.precision.compute = ComputeType::bf16;
     }},
    {"H2", A,
     [](Situation& s) {
       device(s, 80);
       s.preset.precision.compute = ComputeType::fp8;
     }},
    {"H3", A, [](Situation& s) { device(s, 75); }},
    {"H5", R,
     [](Situation& s) {
       s.preset.precision.compute = ComputeType::fp8;
       s.preset.precision.weights.denoiser = StorageType::fp8_e5m2;
     }},
    {"H5", R,
     [](Situation& s) {
       s.preset.precision.compute = ComputeType::fp8;
       s.preset.precision.pins["unet.*"] = StorageType::fp8_e5m2;
     }},
    {"H7", N,
     [](Situation& s) {
       device(s, 90);
       s.preset.precision.compute = ComputeType::fp8;
     }},
    {"H8", A, [](Situation& s) { s.preset.precision.compute = ComputeType::fp8; }},
    {"H8", A,
     [](Situation& s) {
       s.preset.precision.compute = ComputeType::int8;
       s.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
     }},
    {"H10", A,
     [](Situation& s) {
       device(s, 75);
       s.preset.precision.compute = ComputeType::int8;
     }},
    {"H9", A,
     [](Situation& s) {
       device(s, 75);
       s.preset.precision.compute = ComputeType::tf32;
     }},
    {"Q2", A, [](Situation& s) { s.preset.precision.weights.denoiser = StorageType::fp8_e4m3; }},
    {"Q4", A,
     [](Situation& s) { s.preset.precision.weights.text_encoders = StorageType::fp8_e4m3; }},
    {"Q8", A,
     [](Situation& s) {
       s.model.denoiser_file = DType::f8_e4m3;
       s.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
       s.preset.precision.compute = ComputeType::fp8;
     }},
    {"Q9", R,
     [](Situation& s) {
       s.preset.training.method = TrainingMethod::full;
       s.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
     }},
    {"Q8", A,
     [](Situation& s) {
       s.model.denoiser_file = DType::f8_e4m3;
       s.preset.precision.compute = ComputeType::int8;
     }},
    {"Q9", R,
     [](Situation& s) {
       s.preset.training.method = TrainingMethod::full;
       s.preset.precision.weights.denoiser = StorageType::int8;
     }},
    {"Q9", R,
     [](Situation& s) {
       s.preset.training.method = TrainingMethod::full;
       s.preset.training.parts = {kTe1};
       s.preset.precision.weights.text_encoders = StorageType::fp8_e5m2;
     }},
    {"Q14", A,
     [](Situation& s) {
       s.preset.training.method = TrainingMethod::full;
       s.preset.precision.compute = ComputeType::fp8;
     }},
    {"Q8", A,
     [](Situation& s) {
       s.model.denoiser_file = DType::nf4;
       s.preset.precision.weights.denoiser = StorageType::nf4;
       s.preset.precision.compute = ComputeType::fp8;
     }},
    {"Q9", R,
     [](Situation& s) {
       s.preset.training.method = TrainingMethod::full;
       s.preset.precision.weights.denoiser = StorageType::nf4;
     }},
    {"Q11", N, [](Situation& s) { s.model.denoiser_file = DType::f8_e4m3; }},
    {"Q11", N, [](Situation& s) { s.model.denoiser_file = DType::nf4_fp32; }},
    {"Q11", N, [](Situation& s) { s.model.denoiser_file = DType::i8; }},
    {"Q8", A,
     [](Situation& s) {
       s.model.denoiser_file = DType::i8;
       s.preset.precision.compute = ComputeType::fp8;
     }},
    {"Q13", N,
     [](Situation& s) {
       s.model.denoiser_file = DType::nf4;
       s.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
     }},
    {"Q13", N,
     [](Situation& s) {
       s.model.denoiser_file = DType::gguf;
       s.preset.precision.weights.denoiser = StorageType::nf4;
     }},
    {"Q12", N, [](Situation& s) { s.preset.precision.weights.vae = StorageType::nf4; }},
    {"Q13", N,
     [](Situation& s) {
       s.model.denoiser_file = DType::gguf;
       s.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
     }},
    {"Q11", N, [](Situation& s) { s.model.denoiser_file = DType::gguf; }},
    {"Q11", N, [](Situation& s) { s.model.denoiser_file = DType::mxfp8; }},
    {"Q13", N,
     [](Situation& s) {
       s.model.denoiser_file = DType::mxfp8;
       s.preset.precision.weights.denoiser = StorageType::nvfp4;
     }},
    {"Q8", A,
     [](Situation& s) {
       s.model.denoiser_file = DType::gguf;
       s.preset.precision.weights.denoiser = StorageType::gguf;
       s.preset.precision.compute = ComputeType::int8;
     }},
    {"Q23", R,
     [](Situation& s) {
       s.model.family = ModelFamily("sdxl");
       s.preset.precision.weights.denoiser = StorageType::gguf;
     }},
    {"Q23", R,
     [](Situation& s) {
       s.model.family = ModelFamily("sdxl");
       s.model.denoiser_file = DType::gguf;
       s.preset.precision.weights.vae = StorageType::gguf;
     }},
    {"Q23", R,
     [](Situation& s) {
       s.model.family = ModelFamily("sdxl");
       s.preset.precision.pins = {{"unet.mid_block.*", StorageType::gguf}};
     }},
    {"Q12", N, [](Situation& s) { s.preset.precision.weights.vae = StorageType::fp8_e4m3; }},
    {"Q12", N, [](Situation& s) { s.preset.precision.weights.vae = StorageType::int8; }},
    {"Q13", N,
     [](Situation& s) {
       s.model.denoiser_file = DType::f8_e4m3;
       s.preset.precision.weights.denoiser = StorageType::int8;
     }},
    {"Q15", N,
     [](Situation& s) {
       s.model.denoiser_decoded = true;
       s.preset.precision.weights.denoiser = StorageType::int8;
     }},
    {"Q13", N,
     [](Situation& s) {
       s.model.denoiser_file = DType::f8_e4m3;
       s.preset.precision.weights.denoiser = StorageType::fp8_e5m2;
     }},
    {"D2", N,
     [](Situation& s) {
       s.preset.adapter.type = AdapterType::dora;
       s.preset.training.parts = {kDenoiser, kTe1};
     }},
    {"D3", N, [](Situation& s) { s.preset.adapter.type = AdapterType::dora; }},
    {"D12", R,
     [](Situation& s) {
       s.preset.adapter.type = AdapterType::loha;
       s.preset.adapter.init = AdapterInit::pissa;
     }},
    {"D13", R,
     [](Situation& s) {
       s.preset.adapter.type = AdapterType::lokr;
       s.preset.adapter.lora_plus_ratio = 16;
     }},
    {"D14", R,
     [](Situation& s) {
       s.preset.adapter.type = AdapterType::lokr;
       s.preset.output.format = OutputFormat::diffusers;
     }},
    {"D15", R,
     [](Situation& s) {
       s.preset.adapter.type = AdapterType::loha;
       s.preset.training.parts = {kDenoiser, kTe1};
       s.model.has_t5 = true;
     }},
    {"D16", R, [](Situation& s) { s.preset.adapter.decompose = true; }},
    {"D17", R,
     [](Situation& s) {
       s.preset.adapter.type = AdapterType::lokr;
       s.preset.adapter.decompose = true;
       s.preset.output.format = OutputFormat::peft;
     }},
    {"D11", N,
     [](Situation& s) {
       s.preset.adapter.init = AdapterInit::pissa;
       s.preset.adapter.dropout = 0.1;
     }},
    {"B1", A,
     [](Situation& s) {
       s.preset.precision.adapter = MasterType::bf16;
       s.preset.precision.stochastic_rounding = false;
     }},
    {"B2", A,
     [](Situation& s) {
       s.preset.precision.optimizer_state = StateType::bf16;
       s.preset.precision.stochastic_rounding = false;
     }},
    {"B4", A,
     [](Situation& s) {
       s.preset.precision.adapter = MasterType::bf16;
       s.preset.training.ema = 0.999;
     }},
    {"B5", A,
     [](Situation& s) {
       s.preset.precision.gradients = MasterType::bf16;
       s.preset.training.gradient_accumulation = 2;
     }},
    {"B8", A, [](Situation& s) { s.preset.precision.optimizer_state = StateType::eight_bit; }},
    {"B10", A,
     [](Situation& s) {
       s.preset.optimizer.type = OptimizerType::prodigy;
       s.preset.optimizer.learning_rate = 1;
       s.preset.training.parts = {kDenoiser, kTe1};
       s.preset.optimizer.groups = {{kTe1, {}, 0.5, {}}};
     }},
    {"B10", A,
     [](Situation& s) {
       s.preset.optimizer.type = OptimizerType::prodigy;
       s.preset.optimizer.learning_rate = 1;
       s.preset.adapter.lora_plus_ratio = 16;
     }},
    {"B11", R,
     [](Situation& s) {
       s.preset.optimizer.fused_back_pass = true;
       s.preset.training.max_grad_norm = 0;
       s.preset.training.gradient_accumulation = 2;
     }},
    {"B11", R, [](Situation& s) { s.preset.optimizer.fused_back_pass = true; }},
    {"B11", R,
     [](Situation& s) {
       s.preset.optimizer.fused_back_pass = true;
       s.preset.training.max_grad_norm = 0;
       s.preset.optimizer.type = OptimizerType::came;
     }},
    {"B12", A, [](Situation& s) { s.preset.optimizer.type = OptimizerType::adamw8bit; }},
    {"B12", A,
     [](Situation& s) {
       s.preset.training.parts = {kDenoiser, kTe1};
       s.preset.optimizer.groups = {{kTe1, OptimizerType::adamw8bit, {}, {}}};
     }},
    {"B13", N, [](Situation& s) { s.preset.optimizer.type = OptimizerType::prodigy; }},
    {"B14", N, [](Situation& s) { s.preset.optimizer.learning_rate = 1; }},
    {"B15", A,
     [](Situation& s) {
       s.preset.optimizer.type = OptimizerType::adafactor;
       s.preset.precision.optimizer_state = StateType::eight_bit;
     }},
    {"B15", A,
     [](Situation& s) {
       s.preset.optimizer.type = OptimizerType::adamw_schedule_free;
       s.preset.precision.optimizer_state = StateType::eight_bit;
     }},
    {"B16", A,
     [](Situation& s) {
       s.preset.optimizer.type = OptimizerType::adamw_schedule_free;
       s.preset.training.ema = 0.99;
     }},
    {"B17", N,
     [](Situation& s) {
       s.preset.optimizer.type = OptimizerType::prodigy_schedule_free;
       s.preset.optimizer.learning_rate = 1;
       s.preset.schedule.type = ScheduleType::cosine;
     }},
    {"B18", N, [](Situation& s) { s.preset.optimizer.type = OptimizerType::automagic; }},
    {"N1", A, [](Situation& s) { s.preset.precision.weights.vae = StorageType::fp16; }},
    {"N5", R, [](Situation& s) { s.preset.training.zero_terminal_snr = true; }},
    {"N5", R, [](Situation& s) { s.model.zero_terminal_snr = true; }},
    {"N5", R,
     [](Situation& s) {
       s.model.prediction = Prediction::v;
       s.model.zero_terminal_snr = true;
       s.preset.training.prediction = Prediction::epsilon;
     }},
    {"N5", A,
     [](Situation& s) {
       s.model.prediction = Prediction::v;
       s.model.zero_terminal_snr = true;
       s.preset.training.min_snr_gamma = 5;
     }},
    {"N7", A,
     [](Situation& s) {
       s.model.bf16_native = true;
       s.preset.precision.compute = ComputeType::fp16;
     }},
    {"N7", R,
     [](Situation& s) {
       device(s, 75);
       s.model.bf16_native = true;
       s.preset.precision.compute = ComputeType::fp16;
     }},
    {"N9", N, [](Situation& s) { s.preset.optimizer.learning_rate = 1e-10; }},
    {"N11", N,
     [](Situation& s) {
       s.model.prediction = Prediction::v;
       s.preset.precision.compute = ComputeType::fp16;
     }},
    {"N12", R, [](Situation& s) { s.preset.training.timesteps = TimestepDistribution::shifted; }},
    {"N10", N,
     [](Situation& s) {
       s.model.prediction = Prediction::v;
       s.preset.training.prediction = Prediction::epsilon;
     }},
    {"N10", N,
     [](Situation& s) {
       s.model.prediction = Prediction::flow;
       s.preset.training.prediction = Prediction::v;
     }},
    {"N5", R,
     [](Situation& s) {
       s.model.prediction = Prediction::flow;
       s.preset.training.zero_terminal_snr = true;
     }},
    {"G4", N, [](Situation& s) { s.preset.precision.compute = ComputeType::tf32; }},
    {"C1", A, [](Situation& s) { s.preset.data.shuffle_captions = true; }},
    {"C2", N, [](Situation& s) { s.preset.data.keep_tokens = 2; }},
    {"C3", N,
     [](Situation& s) {
       s.preset.data.bucket_rule = BucketRule::kohya;
       s.preset.data.bucket_max = 1024;
     }},
    {"C3", N,
     [](Situation& s) {
       s.preset.data.bucket_rule = BucketRule::kohya;
       s.preset.data.resolution = 512;
       s.preset.data.further_resolutions = {1024};
       s.preset.data.bucket_max = 1024;
     }},
    {"C4", N,
     [](Situation& s) {
       s.preset.training.epochs = 10;
       s.preset.training.steps = 2000;
     }},
    {"C5", N, [](Situation& s) { s.preset.data.crop_jitter = 0.1; }},
    {"C5", N, [](Situation& s) { s.preset.data.rotation = 5; }},
    {"C5", N, [](Situation& s) { s.preset.data.brightness = 0.1; }},
    {"C5", N, [](Situation& s) { s.preset.data.contrast = 0.1; }},
    {"C5", N, [](Situation& s) { s.preset.data.saturation = 0.1; }},
    {"C5", N, [](Situation& s) { s.preset.data.hue = 0.1; }},
    {"C6", N, [](Situation& s) { s.preset.data.variants = 8; }},
};

TEST(Catalogue, EachConditionFiresAndItsFixClearsIt) {
  for (const Trigger& trigger : kTriggers) {
    SCOPED_TRACE(trigger.id);
    Situation s;
    trigger.make(s);
    const auto finding = find(s.findings(), trigger.id);
    ASSERT_TRUE(finding.has_value());
    EXPECT_EQ(finding->verdict, trigger.verdict);
    EXPECT_FALSE(std::regex_search(finding->message.text(), std::regex("\\{[a-z]+\\}")))
        << finding->message;
    const auto patch = nlohmann::json::parse(finding->fix_json);
    EXPECT_TRUE(finding->has_fix() || trigger.verdict == A) << "refusals and warnings have a fix";
    for (const auto& [key, value] : patch.items()) {
      EXPECT_NE(std::find(finding->fields.begin(), finding->fields.end(), key),
                finding->fields.end());
    }
    if (finding->has_fix()) {
      apply_patch(s.preset, patch);
      const auto after = find(s.findings(), trigger.id);
      EXPECT_FALSE(after.has_value() && (after->has_fix() || after->verdict != A)) << patch.dump();
    }
  }
}

TEST(Catalogue, EachConditionHasATrigger) {
  for (const CatalogueEntry& e : catalogue()) {
    for (const char letter : e.verdicts) {
      const Verdict verdict = letter == 'A' ? A : letter == 'N' ? N : R;
      EXPECT_TRUE(e.find == nullptr || std::any_of(std::begin(kTriggers), std::end(kTriggers),
                                                   [&](const Trigger& t) {
                                                     return t.id == e.id && t.verdict == verdict;
                                                   }))
          << e.id << " " << letter;
    }
  }
}

TEST(Catalogue, OrdinaryPresetsAreQuiet) {
  for (const ComputeType compute : {ComputeType::fp32, ComputeType::bf16, ComputeType::fp16}) {
    Situation s;
    s.preset.precision.compute = compute;
    s.preset.precision.weights.denoiser = StorageType::bf16;
    EXPECT_TRUE(s.findings().empty()) << s.findings().front().id;
  }
  Situation s;
  s.preset.precision.adapter = MasterType::bf16;
  s.preset.precision.optimizer_state = StateType::bf16;
  s.preset.precision.gradients = MasterType::bf16;
  EXPECT_TRUE(s.findings().empty()) << s.findings().front().id;
}

TEST(Catalogue, AdjustmentsNameOldAndNewValue) {
  Situation s;
  s.preset.precision.compute = ComputeType::fp16;
  s.preset.precision.loss_scaling = {Mode::off};
  EXPECT_NE(find(s.findings(), "S5")->changes.find("precision.loss_scaling off -> dynamic"),
            std::string::npos);
  device(s, 80);
  s.preset.precision.compute = ComputeType::fp8;
  const auto h2 = find(s.findings(), "H2");
  EXPECT_EQ(h2->message.text(), "No FP8 matmuls on a card: FP8 storage, 16-bit compute.");
  EXPECT_EQ(h2->changes, "precision.compute fp8 -> bf16");
  EXPECT_EQ(with_changes(h2->message, h2->changes).text(),
            "No FP8 matmuls on a card: FP8 storage, 16-bit compute. (precision.compute fp8 -> "
            "bf16)");
}

TEST(Catalogue, LostUpdatesFollowTheFormula) {
  Situation s;
  s.preset.precision.adapter = MasterType::bf16;
  s.preset.precision.stochastic_rounding = false;
  s.preset.optimizer.learning_rate = 1e-5;
  // log2(1e-5) = -16.6: weights of 2^(-17 + 9) and more stay; 1 - 2^-8 * sqrt(1280) = 0.86.
  EXPECT_NE(find(s.findings(), "B1")->message.text().find("86%"), std::string::npos);
}

TEST(Catalogue, Int8OnAnOlderCardHasFp16BetweenItsProducts) {
  Situation s;
  device(s, 75);
  s.preset.precision.compute = ComputeType::int8;
  s.preset.precision.loss_scaling = {Mode::off};
  const auto h10 = find(s.findings(), "H10");
  ASSERT_TRUE(h10.has_value());
  EXPECT_EQ(h10->changes,
            "precision.compute int8 -> int8_fp16, precision.loss_scaling off -> dynamic");
  s.preset.precision.compute = ComputeType::int8_fp16;
  s.preset.precision.loss_scaling = {};
  EXPECT_FALSE(find(s.findings(), "H10").has_value()) << "as the preset says";
  // Whatever is said of FP16 is said of FP16 between INT8 products.
  s.preset.precision.loss_scaling = {Mode::off};
  EXPECT_TRUE(find(s.findings(), "S5").has_value());
  s.model.bf16_native = true;
  EXPECT_EQ(find(s.findings(), "N7")->fix_json, R"({"precision.compute":"fp32"})");
  device(s, 80);
  EXPECT_EQ(s.plan().effective.precision.compute, ComputeType::int8);
}

// Each has the cause of its own message.
TEST(Catalogue, PredictingVInFp16IsNoMatterOfTheLearningRate) {
  Situation s;
  s.model.prediction = Prediction::v;
  s.preset.precision.compute = ComputeType::fp16;
  EXPECT_FALSE(find(s.findings(), "N9").has_value());
  const auto found = find(s.findings(), "N11");
  ASSERT_TRUE(found.has_value());
  EXPECT_NE(found->message.text().find("v-prediction"), std::string::npos);
  const std::string_view why = catalogue_entry("N11").cause;
  EXPECT_EQ(why.find("learning rate"), std::string_view::npos);
  EXPECT_NE(why.find("65504"), std::string_view::npos);
  s.preset.optimizer.learning_rate = 1e-10;
  EXPECT_TRUE(find(s.findings(), "N9").has_value());
  EXPECT_TRUE(find(s.findings(), "N11").has_value());
}

TEST(Catalogue, SeveralProdigyRatesStayInThePreset) {
  Situation s;
  s.preset.training.parts = {kDenoiser, kTe2};
  s.preset.optimizer.type = OptimizerType::prodigy;
  s.preset.optimizer.learning_rate = 1;
  s.preset.optimizer.groups = {{kTe2, {}, 2.0, {}}};
  s.preset.adapter.lora_plus_ratio = 16;
  const Preset fixed = s.plan().effective;
  EXPECT_EQ(fixed.optimizer.learning_rate, 1);
  EXPECT_EQ(fixed.optimizer.groups[0].learning_rate, 2.0);
  EXPECT_EQ(fixed.adapter.lora_plus_ratio, 1);
}

// A rate is fixed only for its part; the others keep theirs.
TEST(Catalogue, AMendedRateIsThatPartsAlone) {
  const auto fix_of = [](const PrecisionPlan& plan, const char* id) {
    Preset fixed = plan.effective;
    for (const PrecisionFinding& f : plan.findings) {
      if (f.id == id) {
        apply_patch(fixed, nlohmann::json::parse(f.fix_json));
      }
    }
    return fixed;
  };
  const auto rates = [](const Preset& p) {
    std::map<Part, double> all;
    for (const PartOptimizer& o : part_optimizers(p)) {
      all[o.part] = o.learning_rate;
    }
    return all;
  };
  Situation s;
  s.preset.training.parts = {kDenoiser, kTe1};
  s.preset.optimizer.type = OptimizerType::prodigy;
  s.preset.optimizer.learning_rate = 1e-4;  // Prodigy's is usually 1
  s.preset.optimizer.groups = {{kTe1, OptimizerType::adamw, {}, {}}};
  EXPECT_EQ(rates(fix_of(s.plan(), "B13")),
            (std::map<Part, double>{{kDenoiser, 1.0}, {kTe1, 1e-4}}));
  s.preset.optimizer.learning_rate = 1;  // AdamW's is not
  EXPECT_EQ(rates(fix_of(s.plan(), "B14")),
            (std::map<Part, double>{{kDenoiser, 1.0}, {kTe1, 1e-4}}));
  s.preset.optimizer.type = OptimizerType::automagic;
  s.preset.optimizer.learning_rate = 2e-5;
  EXPECT_EQ(rates(fix_of(s.plan(), "B18")),
            (std::map<Part, double>{{kDenoiser, 1e-6}, {kTe1, 2e-5}}));
  s.preset.optimizer.learning_rate = 1e-5;
  EXPECT_FALSE(find(s.findings(), "B18").has_value());
}

TEST(Catalogue, ExplainsWhatJustWorks) {
  Situation s;
  EXPECT_EQ(explained_ids(s).count("S1"), 0U);
  s.preset.precision.compute = ComputeType::fp16;
  s.preset.adapter.type = AdapterType::dora;
  s.preset.precision.weights.denoiser = StorageType::fp8_e4m3;
  s.preset.training.gradient_checkpointing = true;
  for (const char* id : {"S1", "S6", "Q1", "Q3", "D5", "D6", "G1", "G2", "N8"}) {
    EXPECT_EQ(explained_ids(s).count(id), 1U) << id;
  }
}

}  // namespace
}  // namespace mantissa
