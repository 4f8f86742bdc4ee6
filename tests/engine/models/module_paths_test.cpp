// The paths that models set by hand are where their modules stand in the tree of weights.
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "engine/io/module_path.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/vae/vae_loss.h"
#include "tests/engine/models/support.h"
#include "tests/golden_families.h"

namespace mantissa {
namespace {

/// Every node of the tree: the modules that weights lie in, and all above them.
std::set<std::string> tree_of(const WeightStore& store) {
  std::set<std::string> nodes;
  for (const auto& [weight, shape] : store.bound()) {
    for (std::size_t dot = weight.rfind('.'); dot != std::string::npos;
         dot = dot == 0 ? std::string::npos : weight.rfind('.', dot - 1)) {
      nodes.insert(weight.substr(0, dot));
    }
  }
  return nodes;
}

/// The frozen weights that a value stands for.
std::vector<const Tensor*> weights_of(const ValueInfo& value) {
  if (value.kind != ValueKind::tensor) {
    return {};
  }
  return value.tensor->parts.empty()
             ? std::vector<const Tensor*>{value.tensor}
             : std::vector<const Tensor*>(value.tensor->parts.begin(), value.tensor->parts.end());
}

/// What is recorded with a path stands in the tree, and reads weights of that module or below it.
void check_paths(const Graph& graph, const std::set<std::string>& tree) {
  std::set<std::string> wrong;
  for (const Node& node : graph.nodes()) {
    for (const int output : node.outputs) {
      const std::string& path = graph.values()[static_cast<std::size_t>(output)].path;
      if (path.empty()) {
        continue;  // shared by all modules
      }
      if (!tree.contains(path)) {
        wrong.insert(path + " is no module");
      }
      for (const int input : node.inputs) {
        if (input < 0) {
          continue;
        }
        for (const Tensor* weight : weights_of(graph.values()[static_cast<std::size_t>(input)])) {
          if (tree.contains(weight->name.substr(0, weight->name.rfind('.'))) &&
              !weight->name.starts_with(path + ".")) {
            wrong.insert(path + " reads " + weight->name);
          }
        }
      }
    }
  }
  EXPECT_EQ(wrong, std::set<std::string>());
}

TEST(ModulePaths, AreWhereTheirModulesStand) {
  std::set<const Family*> seen;
  for (const std::string& name : test::together(
           {"a.safetensors", "sd15.safetensors", "sd2.safetensors"}, test::transformer_models())) {
    const WeightSource source = WeightSource::open(testing_support::golden_model(name));
    SCOPED_TRACE(source.family().title());
    seen.insert(&source.family());
    const auto model = DiffusionModel::open_planning(source, nullptr);
    Graph text, denoise, pixels;
    for (const auto& [output, value] : model->encode_text(text, 1, model->text_tokens())) {
      text.output(output, value);
    }
    const std::int64_t side = model->latent_multiple() * model->patch_size() * 2;
    denoise.output("prediction",
                   model->predict(denoise,
                                  denoise.input("latents", DType::f32,
                                                {1, side, side, model->latent_channels()}),
                                  denoise.input("timesteps", DType::f32, {1}),
                                  model->text_inputs(denoise, 1, model->text_tokens())));
    const std::int64_t size = side * model->latent_factor();
    const Value image = pixels.input("image", DType::f32, {1, size, size, 3});
    pixels.output("moments", model->vae().encode(pixels, image));
    pixels.output("image", model->vae().decode(
                               pixels, pixels.input("latents", DType::f32,
                                                    {1, side, side, model->latent_channels()})));
    const std::set<std::string> tree = tree_of(model->weights());
    for (const Graph* graph : {&text, &denoise, &pixels}) {
      check_paths(*graph, tree);
    }
  }
  EXPECT_EQ(seen.size(), families().size()) << "a golden model of each family";
}

TEST(ModulePaths, TheLossOfAnAutoencoderHasItsPath) {
  const WeightSource source = WeightSource::open(testing_support::golden_model("a.safetensors"));
  const auto model = DiffusionModel::open_planning(source, nullptr);
  Graph graph;
  const Value image = graph.input("image", DType::f32, {1, 64, 64, 3});
  const std::int64_t side = 64 / model->latent_factor();
  const Value noise = graph.input("noise", DType::f32, {1, side, side, model->latent_channels()});
  graph.output("loss", vae_loss(graph, model->vae(), image, noise, 1e-6F).loss);
  check_paths(graph, tree_of(model->weights()));
}

}  // namespace
}  // namespace mantissa
