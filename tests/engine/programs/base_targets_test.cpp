// Losses whose target the base model predicts, a slider's of pairs, and their gradients, against
// PEFT and diffusers in float64 (tests/golden/make_base_targets.py): one model for each kind of
// prediction.
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "engine/adapters/trained_set.h"
#include "engine/diffusion/model_objective.h"
#include "engine/io/module_path.h"
#include "engine/programs/step_program.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;

constexpr double kLoss = 1e-5;
constexpr double kGradient = 1e-4;

struct Case {
  const char *prediction, *model;
  std::vector<std::string> targets;
  friend void PrintTo(const Case& one, std::ostream* out) { *out << one.prediction; }
};
std::string case_name(const testing::TestParamInfo<Case>& info) {
  return info.param.prediction;
}

class BaseTargets : public testing::TestWithParam<Case> {
 protected:
  BaseTargets()
      : kernels_(make_cpu_kernels(2)),
        source_(WeightSource::open(golden_model(GetParam().model))),
        arena_(*kernels_) {}

  /// The loss of `r`'s step; the gradients are in the adapters.
  double step(const Reference& r, StepOptions options, bool checkpointing) {
    return step(r, inputs(r), options, checkpointing);
  }
  double step(const Reference& r, const StepInputs& in, StepOptions options, bool checkpointing) {
    const int rank = static_cast<int>(r.metadata("rank"));
    Preset preset = lora_preset(GetParam().targets, rank, rank, r.metadata("alpha"));
    preset.training.prediction = *enum_from_name<Prediction>(GetParam().prediction);
    adapters_ = std::make_unique<TrainedSet>(*kernels_, preset, source_.family());
    model_ = DiffusionModel::open(*kernels_, source_, adapters_.get());
    model_->bind(std::vector<Part>{kDenoiser});
    adapters_->finalize(7);
    std::map<std::string, std::vector<float>> state;
    for (const std::string& name : r.below("adapter.")) {
      state[canonical_path(name)] = r.raw("adapter." + name);
    }
    adapters_->load(state);
    if (checkpointing) {
      options.checkpointing = CheckpointingScope::blocks;
    }
    const Shape text = r.shape(r.has("context") ? "context" : "text");
    StepProgram program(*kernels_, arena_, *model_, shape_of(in, text[1]), options);
    const auto objective = model_objective(source_, preset);
    return program.run(in, batch_coefficients(*objective, {}, in.timesteps), 1, {});
  }

  void expect_reference(const Reference& r, double loss) {
    EXPECT_NEAR(loss, r.raw("loss")[0], kLoss * r.raw("loss")[0]);
    double worst = 0;
    for (const AdapterTensor& tensor : adapters_->tensors()) {
      const double error = relative_error(adapters_->gradient(*tensor.tensor),
                                          r.raw("grad." + traced_path(tensor.name)));
      EXPECT_LE(error, kGradient) << tensor.name;
      worst = std::max(worst, error);
    }
    EXPECT_EQ(adapters_->tensors().size(), r.below("grad.").size());
    std::printf("loss %.6f, %zu gradients, worst relative error %.2e\n", loss,
                adapters_->tensors().size(), worst);
  }

  /// Those of `r`, which has a number of each gradient.
  void expect_digests(const Reference& r, double loss) {
    EXPECT_NEAR(loss, r.raw("loss")[0], kLoss * r.raw("loss")[0]);
    std::map<std::string, std::vector<float>> gradients;
    for (const AdapterTensor& tensor : adapters_->tensors()) {
      gradients[traced_path(tensor.name)] = adapters_->gradient(*tensor.tensor);
    }
    const std::vector<float> wanted = r.raw("gradients");
    ASSERT_EQ(wanted.size(), gradients.size());
    std::size_t at = 0;
    double worst = 0;
    for (const auto& [name, values] : gradients) {
      double squares = 0, sum = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = double{values[i]};
        squares += value * value;
        sum += value * std::cos(static_cast<double>(i + 1));
      }
      const double error = std::fabs(sum - double{wanted[at++]}) / std::sqrt(squares);
      EXPECT_LE(error, kGradient) << name;
      worst = std::max(worst, error);
    }
    std::printf("loss %.6f, %zu gradients, worst error %.2e\n", loss, gradients.size(), worst);
  }

  static Reference reference(const char* kind) {
    return Reference(std::string(kind) + "_" + GetParam().prediction + ".safetensors");
  }

  static StepInputs inputs(const Reference& r) {
    const Shape image = r.shape("latents");
    StepInputs in;
    in.batch = image[0];
    in.height = image[1];
    in.width = image[2];
    in.channels = image[3];
    in.latents = r.values("latents");
    in.noise = r.values("noise");
    for (const float t : r.values("timesteps")) {
      in.timesteps.push_back(static_cast<double>(t));
    }
    in.time_ids = r.has("time_ids") ? r.values("time_ids")
                                    : std::vector<float>(6 * static_cast<std::size_t>(in.batch));
    for (const char* head : {"", kPreserved, kPositive, kNegative, kAnchor}) {
      // Z-Image's context has another name in its references.
      for (const auto& [name, stored] : {std::pair{"context", "context"},
                                         {"pooled", "pooled"},
                                         {"context", "text"},
                                         {"layout", "layout"}}) {
        if (const std::string full = std::string(head) + stored; r.has(full)) {
          in.text[std::string(head) + name] = r.raw(full);
        }
      }
    }
    if (r.has("preservation_weight")) {
      in.preservation_weight = r.values("preservation_weight");
    }
    return in;
  }

 private:
  std::unique_ptr<Kernels> kernels_;
  WeightSource source_;
  Arena arena_;
  std::unique_ptr<TrainedSet> adapters_;
  std::unique_ptr<DiffusionModel> model_;
};

TEST_P(BaseTargets, PreservationIsThatOfTheReference) {
  const Reference r = reference("preserved");
  for (const bool checkpointing : {false, true}) {
    expect_reference(r, step(r, {.preserves = true}, checkpointing));
  }
}

TEST_P(BaseTargets, ASlidersStepIsThatOfTheReference) {
  const Reference r = reference("slider");
  const SliderOptions slider{r.metadata("guidance"), r.metadata("anchor_weight")};
  for (const bool checkpointing : {false, true}) {
    expect_reference(r, step(r, {.slider = slider}, checkpointing));
  }
}

/// The images in reverse order.
std::vector<float> reversed(const std::vector<float>& latents, std::int64_t batch) {
  const std::ptrdiff_t each = std::ssize(latents) / batch;
  std::vector<float> all;
  for (std::int64_t b = batch - 1; b >= 0; --b) {
    all.insert(all.end(), latents.begin() + b * each, latents.begin() + (b + 1) * each);
  }
  return all;
}

TEST_P(BaseTargets, AStepOfPairsIsThatOfTheReference) {
  const Reference given = reference("slider");
  StepInputs in = inputs(given);
  in.references = {{{in.height, in.width}, reversed(in.latents, in.batch)}};
  for (const bool checkpointing : {false, true}) {
    expect_digests(reference("pairs"), step(given, in, {.pairs = true}, checkpointing));
  }
}

TEST_P(BaseTargets, AStepOfPairsNeedsThem) {
  const Reference given = reference("slider");
  StepInputs in = inputs(given);
  const auto refusal = [&] {
    return test::message_of([&] { step(given, in, {.pairs = true}, false); });
  };
  EXPECT_NE(refusal().find("lacks its negative images"), std::string::npos);
  in.references = {{{in.height / 2, in.width}, {}}};
  EXPECT_NE(refusal().find("lacks its negative images"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Predictions, BaseTargets,
                         testing::Values(Case{"epsilon", "a.safetensors", {"attention"}},
                                         Case{"v", "c.safetensors", {"attention"}},
                                         Case{"flow", "z_image", {"attention+mlp"}}),
                         case_name);

}  // namespace
}  // namespace mantissa
