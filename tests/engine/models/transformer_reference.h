#pragma once
// What every transformer is tested for against diffusers and PEFT in float64, on the tiny models
// and references that tests/golden/make_<family>.py writes.

#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/adapters/trained_set.h"
#include "tests/engine/models/support.h"

namespace mantissa::testing_support {

/// Limits of relative errors: of predictions, and of gradients.
constexpr double kForward = 1e-5;
constexpr double kGradient = 1e-4;

struct ReferenceCase {
  const char* name;   ///< of the reference's files
  const char* model;  ///< in tests/golden/models
};
std::string case_name(const ::testing::TestParamInfo<ReferenceCase>& info);

/// Gives adapters the reference's values.
void load_adapters(TrainedSet& adapters, const Reference& r);
/// All the gradients that the reference has, and no others.
void expect_gradients(const Reference& r, const TrainedSet& adapters);

/// A tiny model's transformer and a graph over a reference's inputs. A family adds what it is bound
/// from and what it reads.
class TransformerReference : public ::testing::TestWithParam<ReferenceCase> {
 protected:
  using Results = std::map<std::string, std::vector<float>>;

  TransformerReference();
  virtual void bind(const Scope& scope) = 0;
  /// Records the pipeline's prediction; inputs that no reference holds are put into `computed_`.
  virtual Value predict(Value latents, const Reference& r) = 0;

  static Reference reference(const std::string& kind = "");
  Value input(const char* name, const Reference& r);
  Results run(const Reference& r, bool reuse = true);
  /// The reference's own prediction, in these types.
  std::vector<float> prediction(const Reference& r, const PrecisionRules& rules);
  void expect_prediction(ModelFamily family);
  /// A step of the trained adapters "attention+mlp"; the caller judges what it gave.
  Results step(TrainedSet& adapters, const Reference& r, bool checkpointing,
               const PrecisionRules& rules = {});
  static Preset adapter_preset(AdapterType type);
  void expect_training(AdapterType type, bool checkpointing);
  /// A LoRA's step in these types: prediction and gradients deviate from float64 at most a fifth
  /// more than torch's of that `type` (transformer_references.py), and do deviate.
  void expect_like_torch(const std::string& type, ComputeType compute, StorageType weights);

  std::unique_ptr<Kernels> kernels_;
  WeightSource source_;
  WeightStore weights_;
  Graph graph_;
  Arena arena_;
  Results computed_;

 private:
  std::vector<float> fed(const std::string& name, const Reference& r) const;
};

// The tests of a family's training: `Fixture` is derived from TransformerReference.
#define TEST_TRAINING_AS_IN_TORCH(Fixture)                              \
  TEST_P(Fixture, LoraGradients) {                                      \
    expect_training(AdapterType::lora, false);                          \
  }                                                                     \
  TEST_P(Fixture, LoraGradientsWithCheckpointing) {                     \
    expect_training(AdapterType::lora, true);                           \
  }                                                                     \
  TEST_P(Fixture, DoraGradients) {                                      \
    expect_training(AdapterType::dora, false);                          \
  }                                                                     \
  TEST_P(Fixture, DoraGradientsWithCheckpointing) {                     \
    expect_training(AdapterType::dora, true);                           \
  }                                                                     \
  TEST_P(Fixture, Bf16DeviatesNoMoreThanInTorch) {                      \
    expect_like_torch("bf16", ComputeType::bf16, StorageType::bf16);    \
  }                                                                     \
  TEST_P(Fixture, Fp16DeviatesNoMoreThanInTorch) {                      \
    expect_like_torch("fp16", ComputeType::fp16, StorageType::fp16);    \
  }                                                                     \
  TEST_P(Fixture, Fp8StorageDeviatesNoMoreThanInTorch) {                \
    expect_like_torch("fp8", ComputeType::bf16, StorageType::fp8_e4m3); \
  }

/// A tiny folder as training and sampling use it.
class WholeModel : public ::testing::Test {
 protected:
  /// For the captions above, from random latents.
  std::vector<float> predicted();
  /// `folder`: one of tests/golden/models, or any by its whole path.
  explicit WholeModel(const std::filesystem::path& folder);

  /// The prompts of make_z_image.py, as `model` reads them, and a long one: a phrase this often.
  static std::vector<TokenIds> captions(DiffusionModel& model, int phrases = 0);
  /// What the text encoders make of them, by name.
  std::map<std::string, std::vector<float>> encoded(std::span<const TokenIds> batch);
  /// Each text is the reference's: its tokens come first, its states stand for them, and a mask
  /// leaves out what is behind.
  void expect_texts(const Reference& r, std::span<const TokenIds> batch,
                    const std::map<std::string, std::vector<float>>& got);
  /// Texts as long as the longest of these captions are predicted for as texts of `most` tokens.
  void expect_padding_to_change_nothing(std::int64_t most = 512);
  /// `texts`: each input of the transformer, and the reference's tensor with its values.
  void expect_prediction(const char* file, const std::map<std::string, std::string>& texts);

  std::unique_ptr<Kernels> kernels_;
  WeightSource source_;
  std::unique_ptr<DiffusionModel> model_;
  Graph graph_;
  Arena arena_;
};

/// Values of rows [first, first + count) of text `i`, each `width` wide, 512 to a text.
std::vector<float> text_rows(const std::vector<float>& all, std::size_t i, std::size_t width,
                             std::size_t first, std::size_t count);

}  // namespace mantissa::testing_support
