// Files that lack a layer are told from smaller models, by the layers that follow it.
#include <functional>
#include <gtest/gtest.h>

#include "engine/models/flux1/flux1_config.h"
#include "engine/models/flux2/flux2_config.h"
#include "engine/models/z_image/z_image_config.h"
#include "tests/engine/models/stored_tensors.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using testing_support::golden_model;
using testing_support::StoredTensor;
using testing_support::StoredTensors;

class IncompleteModel : public testing::Test {
 protected:
  /// A golden model without the tensors whose names have one of `words`, and without its config.
  WeightSource without(const char* model, const std::vector<std::string>& words) const {
    StoredTensors tensors = testing_support::stored_tensors(golden_model(model));
    std::erase_if(tensors, [&](const StoredTensor& t) {
      return std::ranges::any_of(
          words, [&](const auto& word) { return t.name.find(word) != std::string::npos; });
    });
    write_safetensors(folder_ / "model.safetensors", testing_support::to_write(tensors));
    return WeightSource::open(folder_ / "model.safetensors");
  }

  test::TempFolder folder_;
};

TEST_F(IncompleteModel, NamesTheMissingLayer) {
  test::expect_error_with(
      [&] { flux1_config(without("flux1_base.safetensors", {"double_blocks.0."})); },
      {"model.safetensors", "has transformer_blocks.1.attn.to_q.weight",
       "no transformer_blocks.0.attn.to_q.weight", "incomplete"});
  test::expect_error_with(
      [&] { flux2_config(without("flux2_base.safetensors", {"double_blocks.0."})); },
      {"model.safetensors", "no transformer_blocks.0.attn.to_q.weight", "incomplete"});
  test::expect_error_with(
      [&] {
        z_image_config(without("z_image_base.safetensors", {"model.diffusion_model.layers.0."}));
      },
      {"model.safetensors", "no layers.0.attention.to_q.weight", "incomplete"});
}

TEST_F(IncompleteModel, HasAtLeastTheLayersOfItsKind) {
  test::expect_error_with(
      [&] { flux1_config(without("flux1_base.safetensors", {"double_blocks."})); },
      {"model.safetensors", "no transformer_blocks.0.attn.to_q.weight", "incomplete"});
}

TEST_F(IncompleteModel, WithAPartOfItsGuidanceIsNotOneWithout) {
  test::expect_error_with(
      [&] {
        flux1_config(without("flux1_bare.safetensors", {"guidance_embedder.linear_1.weight"}));
      },
      {"guidance_embedder.linear_1.bias", "no time_text_embed.guidance_embedder.linear_1.weight"});
  EXPECT_FALSE(flux1_config(without("flux1_bare.safetensors", {"guidance_embedder."})).guidance);
}

}  // namespace
}  // namespace mantissa
