// Full-size models request exactly the weights of real files, and can be planned without them.
#include <ctime>
#include <gtest/gtest.h>
#include <set>

#include "engine/adapters/trained_set.h"
#include "engine/graph/ops.h"
#include "engine/io/module_path.h"
#include "engine/models/clip/clip_keys.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "engine/models/stable_diffusion/sd_names.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using Bound = std::map<std::string, std::string>;  // path -> "a,b,c"

Bound table(const std::string& file, const std::string& part, std::size_t name, std::size_t shape) {
  Bound result;
  for (const auto& row : test::key_table(file)) {
    result[part + "." + row.at(name)] = row.at(shape);
  }
  return result;
}

std::string comma_list(const Shape& shape) {
  std::string text;
  for (int i = 0; i < shape.rank(); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  }
  return text;
}

Bound bound(const WeightStore& store) {
  Bound result;
  for (const auto& [path, shape] : store.bound()) {
    result[path] = comma_list(shape);
  }
  return result;
}

std::int64_t parameters(const WeightStore& store) {
  std::int64_t sum = 0;
  for (const auto& [path, shape] : store.bound()) {
    sum += shape.count();
  }
  return sum;
}

UnetConfig sdxl_config() {
  UnetConfig c;
  c.block_out_channels = {320, 640, 1280};
  c.layers_per_block = {2, 2, 2};
  c.has_attention = {false, true, true};
  c.set_transformer_layers({0, 2, 10});
  c.num_attention_heads = {5, 10, 20};
  c.mid_transformer_layers = 10;
  c.mid_attention_heads = 20;
  c.cross_attention_dim = 2048;
  c.addition_time_embed_dim = 256;
  c.projection_class_embeddings_input_dim = 2816;
  c.time_embed_dim = 1280;
  return c;
}

UnetConfig sd15_config() {
  UnetConfig c;
  c.block_out_channels = {320, 640, 1280, 1280};
  c.layers_per_block = {2, 2, 2, 2};
  c.has_attention = {true, true, true, false};
  c.set_transformer_layers({1, 1, 1, 0});
  c.num_attention_heads = {8, 8, 8, 8};
  c.mid_transformer_layers = 1;
  c.mid_attention_heads = 8;
  c.cross_attention_dim = 768;
  c.time_embed_dim = 1280;
  c.use_linear_projection = false;
  return c;
}

ClipConfig bigg_config() {
  ClipConfig c;
  c.hidden = 1280;
  c.layers = 32;
  c.heads = 20;
  c.intermediate = 5120;
  c.quick_gelu = false;
  c.projection_dim = 1280;
  return c;
}

TEST(Binding, SdxlUnet) {
  WeightStore store = WeightStore::planning();
  const Unet unet(sdxl_config(), Scope(store, nullptr, kDenoiser));
  EXPECT_EQ(bound(store), table("sdxl_unet.tsv", "denoiser", 1, 2));
  EXPECT_EQ(store.bound().size(), 1680U);
  EXPECT_EQ(parameters(store), 2'567'463'684);
  EXPECT_EQ(store.bytes(), std::size_t{4} * 2'567'463'684);
}

TEST(Binding, Sd15Unet) {
  WeightStore store = WeightStore::planning();
  const Unet unet(sd15_config(), Scope(store, nullptr, kDenoiser));
  EXPECT_EQ(bound(store), table("sd15_unet.tsv", "denoiser", 1, 2));
  EXPECT_EQ(store.bound().size(), 686U);
  EXPECT_EQ(parameters(store), 859'520'964);
}

TEST(Binding, Vae) {
  VaeConfig config;
  config.block_out_channels = {128, 256, 512, 512};
  WeightStore store = WeightStore::planning();
  const Vae vae(config, Scope(store, nullptr, kVae));
  EXPECT_EQ(bound(store), table("vae.tsv", "vae", 1, 3));
  EXPECT_EQ(store.bound().size(), 248U);
  EXPECT_EQ(parameters(store), 83'653'863);
}

TEST(Binding, TextEncoders) {
  WeightStore store = WeightStore::planning();
  const ClipText te1(ClipConfig{}, Scope(store, nullptr, kTe1));
  EXPECT_EQ(bound(store), table("te1_clip_l.tsv", "te1", 1, 2));
  EXPECT_EQ(store.bound().size(), 196U);
  EXPECT_EQ(parameters(store), 123'060'480);

  WeightStore second = WeightStore::planning();
  const ClipText te2(bigg_config(), Scope(second, nullptr, kTe2));
  EXPECT_EQ(second.bound().size(), 517U);
  EXPECT_EQ(parameters(second), 694'659'840);
  Bound expected;
  for (const auto& row : test::key_table("te2_openclip_bigg.tsv")) {
    const std::string name = row[0].substr(kSdxlTe2Prefix.size());
    const std::optional<NameMapping> mapping = openclip_to_hf(name);
    ASSERT_TRUE(mapping) << name;
    for (const std::string& target : mapping->names) {
      std::string shape = row[2];
      if (mapping->transform == NameTransform::split_rows) {
        shape.replace(0, 4, "1280");  // rows of q, k and v in one tensor
      }
      expected["te2." + target] = shape;
    }
  }
  EXPECT_EQ(bound(second), expected);
}

/// Paths and base shapes of what `targets` adapt in full-size SDXL, rank from the down matrix.
std::set<std::string> adapted(const std::vector<std::string>& targets, std::vector<Part> parts) {
  TrainedSet set =
      TrainedSet::planning(testing_support::lora_preset(targets, 4, 2, 4, std::move(parts)), kSdxl);
  WeightStore store = WeightStore::planning();
  const Unet unet(sdxl_config(), Scope(store, &set, kDenoiser));
  const ClipText te1(ClipConfig{}, Scope(store, &set, kTe1));
  const ClipText te2(bigg_config(), Scope(store, &set, kTe2));
  std::set<std::string> paths;
  for (const Adapter& adapter : set.adapters()) {
    EXPECT_TRUE(paths.insert(adapter.path).second) << adapter.path;
    const bool wide = adapter.down.shape.rank() == 4 && adapter.down.shape[2] == 3;
    EXPECT_EQ(adapter.rank, wide ? 2 : 4) << adapter.path;
  }
  return paths;
}

TEST(Binding, AdapterTargetsMatchTheModuleTables) {
  std::set<std::string> linear, all, text, text_attention, unet_attention;
  for (const auto& row : test::key_table("sdxl_lora_modules.tsv")) {
    all.insert(canonical_path(row[1]));
    if (row[2] == "linear") {
      linear.insert(canonical_path(row[1]));
      if (row[1].find(".to_") != std::string::npos) {
        unet_attention.insert(canonical_path(row[1]));
      }
    }
  }
  for (const auto& row : test::key_table("sdxl_lora_te_modules.tsv")) {
    text.insert(canonical_path(row[1]));
    if (row[1].find("self_attn") != std::string::npos) {
      text_attention.insert(canonical_path(row[1]));
    }
  }
  EXPECT_EQ(linear.size(), 722U);
  EXPECT_EQ(all.size(), 788U);
  EXPECT_EQ(text.size(), 264U);
  EXPECT_EQ(unet_attention.size(), 560U);
  EXPECT_EQ(adapted({"attention"}, {kDenoiser}), unet_attention);
  EXPECT_EQ(adapted({"attention+mlp"}, {kDenoiser}), linear);
  EXPECT_EQ(adapted({"linear+conv"}, {kDenoiser}), all);
  EXPECT_EQ(adapted({"attention+mlp"}, {kTe1, kTe2}), text);
  EXPECT_EQ(adapted({"attention"}, {kTe1, kTe2}), text_attention);
  EXPECT_EQ(adapted({"*.attn1.to_q", "*.conv_in"}, {kDenoiser}).size(), 71U);
}

struct Planned {
  std::size_t nodes = 0;
  Plan plan;
  double seconds = 0;
};

Planned plan_step(bool checkpointing) {
  const std::clock_t start = std::clock();
  TrainedSet set =
      TrainedSet::planning(testing_support::lora_preset({"linear+conv"}, 16, 16, 16), kSdxl);
  WeightStore store = WeightStore::planning();
  const Unet unet(sdxl_config(), Scope(store, &set, kDenoiser));
  Graph graph;
  const Shape latent{1, 128, 128, 4};
  const Value prediction = unet.forward(
      graph, graph.input("latents", DType::f32, latent), graph.input("t", DType::f32, {1}),
      graph.input("context", DType::f32, {1, 77, 2048}),
      graph.input("pooled", DType::f32, {1, 1280}), graph.input("ids", DType::f32, {1, 6}));
  const Loss loss = mse_loss(prediction, graph.input("target", DType::f32, latent),
                             graph.input("weight", DType::f32, {1}));
  graph.output("loss", loss.loss);
  graph.backward(loss.loss, checkpointing);
  Planned result{graph.nodes().size(), make_plan(graph), 0};
  result.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return result;
}

TEST(Planning, FullSizeTrainingStepWithoutWeights) {
  const Planned kept = plan_step(false);
  const Planned checkpointed = plan_step(true);
  for (const auto& [name, planned] :
       {std::pair{"kept", &kept}, std::pair{"checkpointed", &checkpointed}}) {
    std::printf("%s: %zu nodes, %.3f GB (lower bound %.3f), bound + recorded + planned in %.2f s\n",
                name, planned->nodes, static_cast<double>(planned->plan.arena_bytes) * 1e-9,
                static_cast<double>(planned->plan.lower_bound_bytes) * 1e-9, planned->seconds);
    EXPECT_GE(planned->plan.arena_bytes, planned->plan.lower_bound_bytes);
#ifndef __SANITIZE_ADDRESS__
    EXPECT_LT(planned->seconds, 2.0) << name;
#endif
  }
  EXPECT_LT(checkpointed.plan.arena_bytes, kept.plan.arena_bytes / 3);
}

TEST(Binding, WrongShapeNamesTensorFileAndShapes) {
  const WeightSource source = WeightSource::open(testing_support::golden_model("a.safetensors"));
  WeightStore store = WeightStore::planning(source);
  UnetConfig config = unet_config(source);
  config.in_channels = 9;
  test::expect_error_with([&] { const Unet unet(config, Scope(store, nullptr, kDenoiser)); },
                          {"a.safetensors", "denoiser.conv_in.weight has shape [16, 4, 3, 3]",
                           "[16, 9, 3, 3]", "inpainting"});
}

TEST(Weights, UsedWhereTheyLieInTheFileElseConvertedOnce) {
  const std::unique_ptr<Kernels> kernels = make_cpu_kernels(1);
  const WeightSource source = WeightSource::open(testing_support::golden_model("a.safetensors"));
  const std::string name = "conv_in.weight", projection = "text_projection.weight";
  const Shape shape = source.shape(kDenoiser, name);
  WeightStore store(*kernels, source);
  Tensor& mapped = store.frozen("denoiser." + name, shape, DType::f16);
  EXPECT_EQ(mapped.data, source.view(kDenoiser, name).data);
  Tensor& converted = store.frozen("denoiser." + name, shape, DType::f32);
  EXPECT_EQ(&store.frozen("denoiser." + name, shape, DType::f32), &converted);
  EXPECT_NE(converted.constant_id, 0U);
  EXPECT_NE(converted.constant_id, mapped.constant_id);
  for (std::int64_t i = 0; i < shape.count(); ++i) {
    EXPECT_EQ(static_cast<float*>(converted.data)[i],
              static_cast<float>(static_cast<float16*>(mapped.data)[i]));
  }
  // Stored as [in, out]: never used in place.
  const Shape square = source.shape(kTe2, projection);
  EXPECT_NE(store.frozen("te2." + projection, square, DType::f16).data,
            source.view(kTe2, projection).data);
  EXPECT_EQ(store.bytes(kDenoiser), static_cast<std::size_t>(shape.count()) * 6);
  store.release(kDenoiser);
  EXPECT_EQ(store.bytes(kDenoiser), 0U);
  EXPECT_EQ(store.bytes(), static_cast<std::size_t>(square.count()) * 2);
  WeightStore copied(*kernels, source, /*map_files=*/false);
  EXPECT_NE(copied.frozen("denoiser." + name, shape, DType::f16).data,
            source.view(kDenoiser, name).data);
}

}  // namespace
}  // namespace mantissa
