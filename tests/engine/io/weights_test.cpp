#include "engine/io/weights.h"

#include <cmath>
#include <cstring>
#include <deque>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/io/inspect.h"
#include "engine/io/part_names.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

const fs::path kModels = fs::path(MANTISSA_TEST_DATA) / "golden/models";

// Tensors by name, each holding 0, 1, 2, … (times its scale).
class Checkpoint {
 public:
  void add(const std::string& name, const Shape& shape, DType dtype = DType::f32,
           double scale = 1) {
    auto& bytes =
        storage_.emplace_back(static_cast<std::size_t>(shape.count()) * dtype_size(dtype));
    for (std::int64_t i = 0; i < shape.count(); ++i) {
      const double value = static_cast<double>(i) * scale;
      std::byte* at = bytes.data() + static_cast<std::size_t>(i) * dtype_size(dtype);
      switch (dtype) {
        case DType::f64:
          put(at, value);
          break;
        case DType::f32:
          put(at, static_cast<float>(value));
          break;
        case DType::f16:
          put(at, float16(static_cast<float>(value)));
          break;
        case DType::bf16:
          put(at, bfloat16(static_cast<float>(value)));
          break;
        case DType::f8_e4m3:
          put(at, float8_e4m3(static_cast<float>(value)));
          break;
        case DType::i64:
          put(at, static_cast<std::int64_t>(value));
          break;
        default:
          put(at, static_cast<std::uint8_t>(value));
          break;
      }
    }
    tensors_.push_back({name, dtype, shape, bytes.data(), {}});
  }
  void write(const fs::path& path, const std::map<std::string, std::string>& metadata = {}) const {
    write_safetensors(path, tensors_, metadata);
  }

 private:
  template <typename T>
  static void put(std::byte* at, T value) {
    std::memcpy(at, &value, sizeof value);
  }
  std::deque<std::vector<std::byte>> storage_;
  std::vector<TensorToWrite> tensors_;
};

std::vector<float> values(const WeightSource& source, Part part, const std::string& name) {
  std::vector<float> out(static_cast<std::size_t>(source.shape(part, name).count()));
  source.read_f32(part, name, out);
  return out;
}

const std::string kLdmUnet = "model.diffusion_model.";
const std::string kLdmVae = "first_stage_model.";
const std::string kLdmTe1 = "conditioner.embedders.0.transformer.text_model.";
const std::string kLdmTe2 = "conditioner.embedders.1.model.";

TEST(Weights, FusedRowsTransposeAndSqueeze) {
  const test::TempFolder folder;
  Checkpoint checkpoint;
  checkpoint.add(kLdmUnet + "input_blocks.0.0.weight", {2, 1, 1, 1});
  checkpoint.add(kLdmTe2 + "transformer.resblocks.0.attn.in_proj_weight", {6, 2});
  checkpoint.add(kLdmTe2 + "transformer.resblocks.0.attn.in_proj_bias", {6});
  checkpoint.add(kLdmTe2 + "text_projection", {2, 3});
  checkpoint.add(kLdmTe2 + "positional_embedding", {4, 2});
  checkpoint.add(kLdmTe2 + "logit_scale", {});
  checkpoint.add(kLdmVae + "encoder.mid.attn_1.q.weight", {2, 2, 1, 1});
  checkpoint.add(kLdmVae + "encoder.down.0.block.0.conv1.weight", {2, 2, 1, 1});
  checkpoint.write(folder / "m.safetensors");
  const WeightSource source = WeightSource::open(folder / "m.safetensors");

  const std::string attention = "text_model.encoder.layers.0.self_attn.";
  EXPECT_EQ(source.shape(kTe2, attention + "q_proj.weight"), (Shape{2, 2}));
  EXPECT_EQ(values(source, kTe2, attention + "q_proj.weight"), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(values(source, kTe2, attention + "k_proj.weight"), (std::vector<float>{4, 5, 6, 7}));
  EXPECT_EQ(values(source, kTe2, attention + "v_proj.weight"), (std::vector<float>{8, 9, 10, 11}));
  EXPECT_EQ(values(source, kTe2, attention + "k_proj.bias"), (std::vector<float>{2, 3}));
  // x P with P[in, out] is x W^T with W = P^T.
  EXPECT_EQ(source.shape(kTe2, "text_projection.weight"), (Shape{3, 2}));
  EXPECT_TRUE(source.view(kTe2, "text_projection.weight").transposed);
  EXPECT_EQ(values(source, kTe2, "text_projection.weight"), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(source.shape(kVae, "encoder.mid_block.attentions.0.to_q.weight"), (Shape{2, 2}));
  EXPECT_EQ(source.shape(kVae, "encoder.down_blocks.0.resnets.0.conv1.weight"),
            (Shape{2, 2, 1, 1}));
  EXPECT_EQ(source.ignored(), (std::vector<std::string>{kLdmTe2 + "logit_scale"}));
  EXPECT_TRUE(source.unknown().empty());
}

TEST(Weights, ExtrasAreToleratedMarkersShownAndStrangersListed) {
  const test::TempFolder folder;
  Checkpoint checkpoint;
  checkpoint.add(kLdmUnet + "input_blocks.0.0.weight", {2, 1, 1, 1});
  checkpoint.add(kLdmTe1 + "embeddings.position_ids", {1, 4}, DType::i64);
  for (const char* name :
       {"model_ema.decay", "betas", "alphas_cumprod", "denoiser.sigmas", "v_pred", "ztsnr"}) {
    checkpoint.add(name, {1});
  }
  checkpoint.add("something.else", {1});
  checkpoint.add(kLdmUnet + "control.weight", {1});
  checkpoint.write(folder / "m.safetensors");
  const WeightSource source = WeightSource::open(folder / "m.safetensors");
  EXPECT_EQ(source.ignored().size(), 7u);
  EXPECT_EQ(source.unknown(),
            (std::vector<std::string>{kLdmUnet + "control.weight", "something.else"}));
  EXPECT_TRUE(source.has_marker("v_pred"));
  EXPECT_TRUE(source.has_marker("ztsnr"));
  EXPECT_FALSE(source.has_marker("betas"));
  EXPECT_FALSE(source.has_marker("edm_vpred"));
  EXPECT_FALSE(source.has_part(kTe1));
}

TEST(Weights, EveryFileTypeConverts) {
  const test::TempFolder folder;
  Checkpoint checkpoint;
  struct Row {
    DType dtype;
    const char *original, *name;
  };
  const std::vector<Row> rows{{DType::f64, "input_blocks.0.0.weight", "conv_in.weight"},
                              {DType::f32, "input_blocks.0.0.bias", "conv_in.bias"},
                              {DType::f16, "out.0.weight", "conv_norm_out.weight"},
                              {DType::bf16, "out.0.bias", "conv_norm_out.bias"},
                              {DType::f8_e4m3, "out.2.weight", "conv_out.weight"},
                              {DType::i64, "out.2.bias", "conv_out.bias"}};
  for (const auto& [dtype, original, name] : rows) {
    checkpoint.add(kLdmUnet + original, {5}, dtype, 0.5);
  }
  checkpoint.write(folder / "m.safetensors");
  const WeightSource source = WeightSource::open(folder / "m.safetensors");
  for (const auto& [dtype, original, name] : rows) {
    if (dtype == DType::i64) {
      // Found by whoever plans, by the header alone.
      EXPECT_THROW(source.view(kDenoiser, name), Error);
      test::expect_error_with([&] { values(source, kDenoiser, name); },
                              {name, "I64", "can't be used"});
      continue;
    }
    EXPECT_EQ(values(source, kDenoiser, name), (std::vector<float>{0, 0.5, 1, 1.5, 2})) << name;
    std::vector<double> doubles(5);
    source.read_as(kDenoiser, name, DType::f64, doubles.data());
    EXPECT_EQ(doubles, (std::vector<double>{0, 0.5, 1, 1.5, 2}));
    std::vector<float16> halves(5);
    source.read_as(kDenoiser, name, DType::f16, halves.data());
    EXPECT_EQ(static_cast<float>(halves[3]), 1.5f);
    std::vector<bfloat16> brains(5);
    source.read_as(kDenoiser, name, DType::bf16, brains.data());
    EXPECT_EQ(static_cast<float>(brains[3]), 1.5f);
  }
}

TEST(Weights, Fp16OverflowIsNamed) {
  const test::TempFolder folder;
  Checkpoint checkpoint;
  checkpoint.add(kLdmUnet + "input_blocks.0.0.weight", {3}, DType::f32, 40000);
  checkpoint.write(folder / "m.safetensors");
  const WeightSource source = WeightSource::open(folder / "m.safetensors");
  std::vector<float16> halves(3);
  test::expect_error_with(
      [&] { source.read_as(kDenoiser, "conv_in.weight", DType::f16, halves.data()); },
      {"conv_in.weight", "65504", "bf16"});
}

TEST(Weights, MissingThingsAreNamed) {
  const test::TempFolder folder;
  Checkpoint checkpoint;
  checkpoint.add(kLdmUnet + "input_blocks.0.0.weight", {2});
  checkpoint.add(kLdmTe2 + "transformer.resblocks.0.attn.in_proj_weight", {7, 2});
  checkpoint.write(folder / "m.safetensors");
  const WeightSource source = WeightSource::open(folder / "m.safetensors");
  test::expect_error_with([&] { source.view(kDenoiser, "conv_out.weight"); },
                          {"m.safetensors", "denoiser weight 'conv_out.weight'"});
  test::expect_error_with([&] { source.view(kVae, "quant_conv.weight"); }, {"vae", "whole part"});
  test::expect_error_with(
      [&] { source.view(kTe2, "text_model.encoder.layers.0.self_attn.q_proj.weight"); },
      {"in_proj_weight", "equal shares", "[7, 2]"});
  std::vector<float> small(1);
  test::expect_error_with([&] { source.read_f32(kDenoiser, "conv_in.weight", small); },
                          {"conv_in.weight", "2 elements"});
  test::expect_error_with([&] { WeightSource::open(folder / "none.safetensors"); },
                          {"none.safetensors", "does not exist"});
  test::expect_error_with([&] { WeightSource::open(folder.path()); },
                          {"neither unet/, transformer/ nor vae/"});
}

TEST(Weights, AdaptersAndStrangersAreNoBaseModels) {
  const test::TempFolder folder;
  Checkpoint adapter;
  adapter.add("lora_unet_input_blocks_4_1_proj_in.lora_down.weight", {4, 8});
  adapter.write(folder / "lora.safetensors");
  test::expect_error_with([&] { WeightSource::open(folder / "lora.safetensors"); },
                          {"lora.safetensors", "--lora"});
  Checkpoint other;
  other.add("bert.weight", {4});
  other.write(folder / "bert.safetensors");
  test::expect_error_with(
      [&] { WeightSource::open(folder / "bert.safetensors"); },
      {"bert.safetensors", "no denoiser of a known model family", "SDXL", "Z-Image"});
}

TEST(Weights, TwoTensorsForOneWeightAreRefused) {
  const test::TempFolder folder;
  Checkpoint checkpoint;
  checkpoint.add(kLdmUnet + "input_blocks.0.0.weight", {2});
  checkpoint.add(kLdmTe1 + "final_layer_norm.bias", {2});
  checkpoint.add("cond_stage_model.transformer.text_model.final_layer_norm.bias", {2});
  checkpoint.write(folder / "m.safetensors");
  test::expect_error_with([&] { WeightSource::open(folder / "m.safetensors"); },
                          {"text_model.final_layer_norm.bias", "two tensors"});
}

TEST(Weights, GoldenSingleFileAndFolderOpen) {
  const WeightSource a = WeightSource::open(kModels / "a.safetensors");
  EXPECT_TRUE(a.single_file());
  EXPECT_TRUE(a.unknown().empty());
  EXPECT_TRUE(a.config(kDenoiser));
  for (Part part : {kDenoiser, kTe1, kTe2, kVae}) {
    EXPECT_TRUE(a.has_part(part)) << part_name(part);
  }
  const WeightSource b = WeightSource::open(kModels / "b");
  EXPECT_FALSE(b.single_file());
  EXPECT_TRUE(b.unknown().empty());
  EXPECT_EQ(b.files().size(), 4u);
  EXPECT_TRUE(b.scheduler_config());
  EXPECT_EQ(b.tokenizer_folder(kTe1), kModels / "b/tokenizer");
  EXPECT_EQ(b.tokenizer_folder(kTe2), kModels / "b/tokenizer_2");
  EXPECT_EQ(b.model_names()->original(kDenoiser, "up_blocks.2.resnets.0.conv1"),
            "output_blocks.6.0.in_layers.2");
}

// A diffusers folder with one part, split into shards by an index.
class ShardedFolder {
 public:
  explicit ShardedFolder(const fs::path& folder) : unet_(folder / "unet") {
    fs::create_directories(unet_);
    Checkpoint first, second;
    first.add("conv_in.weight", {2});
    second.add("conv_out.weight", {3});
    first.write(unet_ / "m-00001-of-00002.safetensors");
    second.write(unet_ / "m-00002-of-00002.safetensors");
  }
  void write_index(const std::string& map) const {
    test::write_file(unet_ / "m.safetensors.index.json", "{\"weight_map\":" + map + "}");
  }

 private:
  fs::path unet_;
};

TEST(Weights, ShardsAreReadThroughTheIndex) {
  const test::TempFolder folder;
  const ShardedFolder shards(folder.path());
  shards.write_index(R"({"conv_in.weight":"m-00001-of-00002.safetensors",)"
                     R"("conv_out.weight":"m-00002-of-00002.safetensors"})");
  const WeightSource source = WeightSource::open(folder.path());
  EXPECT_EQ(source.names(kDenoiser),
            (std::vector<std::string>{"conv_in.weight", "conv_out.weight"}));
  EXPECT_EQ(source.shape(kDenoiser, "conv_out.weight"), (Shape{3}));
}

TEST(Weights, ShardsWithoutAnIndexAreReadIfAllAreThere) {
  const test::TempFolder folder;
  const ShardedFolder shards(folder.path());
  EXPECT_EQ(WeightSource::open(folder.path()).names(kDenoiser),
            (std::vector<std::string>{"conv_in.weight", "conv_out.weight"}));
  const fs::path second = folder / "unet/m-00002-of-00002.safetensors";
  Checkpoint again;
  again.add("conv_in.weight", {2});
  again.write(second);
  test::expect_error_with([&] { WeightSource::open(folder.path()); },
                          {"m-00002-of-00002", "conv_in.weight", "another shard"});
  fs::remove(second);
  test::expect_error_with([&] { WeightSource::open(folder.path()); },
                          {"1 of 2 shards", "m-00002-of-00002.safetensors is missing"});
}

TEST(Weights, AShardIsNoBaseModelAlone) {
  const test::TempFolder folder;
  const ShardedFolder shards(folder.path());
  test::expect_error_with([&] { WeightSource::open(folder / "unet/m-00001-of-00002.safetensors"); },
                          {"shard 1 of 2", "folder"});
}

TEST(Weights, T5sTableIsFoundUnderEitherOfItsNames) {
  const test::TempFolder folder;
  for (const char* part : {"transformer", "text_encoder"}) {
    fs::create_directories(folder / part);
  }
  Checkpoint transformer;
  transformer.add("adaln_single.linear.weight", {6, 2});
  transformer.write(folder / "transformer/model.safetensors");
  const std::string tied = "encoder.embed_tokens.weight", shared = "shared.weight";
  for (const bool both : {false, true}) {
    Checkpoint text;
    text.add(tied, {4, 2});
    if (both) {
      text.add(shared, {4, 2}, DType::f32, 2);
    }
    text.write(folder / "text_encoder/model.safetensors");
    const WeightSource source = WeightSource::open(folder.path());
    EXPECT_EQ(source.names(kTe1), std::vector<std::string>{shared});
    EXPECT_EQ(values(source, kTe1, shared)[1], both ? 2.0F : 1.0F);
    EXPECT_EQ(source.ignored().size(), both ? 1U : 0U);
  }
}

TEST(Weights, HostileShardNamesAreRefused) {
  const test::TempFolder folder;
  const ShardedFolder shards(folder.path());
  for (const char* name :
       {"/etc/passwd", "../secret.safetensors", "a/../../b.safetensors", "sub/b.safetensors", "..",
        "", "C:\\x.safetensors", "\\\\host\\x.safetensors", "m.bin"}) {
    shards.write_index(nlohmann::json{{"conv_in.weight", name}}.dump());
    test::expect_error_with([&] { WeightSource::open(folder.path()); },
                            {"index.json", "shard name"});
  }
  shards.write_index(R"({"conv_in.weight":1})");
  test::expect_error_with([&] { WeightSource::open(folder.path()); }, {"conv_in.weight"});
  shards.write_index("[]");
  test::expect_error_with([&] { WeightSource::open(folder.path()); }, {"weight_map"});
  shards.write_index(R"({"conv_in.weight":"m-00002-of-00002.safetensors"})");
  test::expect_error_with([&] { WeightSource::open(folder.path()); }, {"not listed"});
  shards.write_index(R"({"conv_in.weight":"m-00001-of-00002.safetensors",)"
                     R"("conv_x.weight":"m-00001-of-00002.safetensors"})");
  test::expect_error_with([&] { WeightSource::open(folder.path()); }, {"lists 2"});
}

TEST(Weights, PickleOnlyFoldersGetAHint) {
  const test::TempFolder folder;
  fs::create_directories(folder / "unet");
  test::expect_error_with([&] { WeightSource::open(folder.path()); }, {"no .safetensors"});
  test::write_file(folder / "unet/diffusion_pytorch_model.bin", "PK");
  test::expect_error_with([&] { WeightSource::open(folder.path()); }, {"pickle"});
}

TEST(Weights, FullPrecisionIsPreferredToVariants) {
  const test::TempFolder folder;
  fs::create_directories(folder / "unet");
  Checkpoint plain, variant;
  plain.add("conv_in.weight", {2});
  variant.add("conv_in.weight", {2}, DType::f16);
  variant.write(folder / "unet/diffusion_pytorch_model.fp16.safetensors");
  EXPECT_EQ(WeightSource::open(folder.path()).view(kDenoiser, "conv_in.weight").dtype, DType::f16);
  plain.write(folder / "unet/diffusion_pytorch_model.safetensors");
  EXPECT_EQ(WeightSource::open(folder.path()).view(kDenoiser, "conv_in.weight").dtype, DType::f32);
}

TEST(Weights, InspectTellsCheckpointsFromAdapters) {
  const ModelSummary a = inspect(kModels / "a.safetensors");
  EXPECT_EQ(a.kind, ModelSummary::Kind::checkpoint);
  EXPECT_EQ(a.family, "sdxl");
  EXPECT_EQ(a.layout, "ldm");
  EXPECT_EQ(a.tensors, 430);
  EXPECT_GT(a.parameters, 1000);
  EXPECT_TRUE(a.metadata.contains("mantissa.config"));
  EXPECT_EQ(std::accumulate(a.dtypes.begin(), a.dtypes.end(), std::int64_t{0},
                            [](std::int64_t n, const auto& row) { return n + row.second; }),
            430);
  const ModelSummary b = inspect(kModels / "b");
  EXPECT_EQ(b.kind, ModelSummary::Kind::checkpoint);
  EXPECT_EQ(b.layout, "diffusers");
  EXPECT_EQ(b.family, "sdxl");
  EXPECT_EQ(b.parts.size(), 4u);

  const test::TempFolder folder;
  Checkpoint kohya;
  const std::string module = "lora_unet_input_blocks_4_1_proj_in";
  kohya.add(module + ".lora_down.weight", {4, 8});
  kohya.add(module + ".lora_up.weight", {8, 4});
  kohya.add(module + ".alpha", {});
  kohya.add(module + ".dora_scale", {8, 1});
  kohya.write(folder / "k.safetensors", {{"ss_network_dim", "4"}, {"modelspec.license", "mit"}});
  const ModelSummary k = inspect(folder / "k.safetensors");
  EXPECT_EQ(k.licence->text(), "mit (metadata)");
  EXPECT_FALSE(a.licence.has_value());
  EXPECT_EQ(k.kind, ModelSummary::Kind::adapter);
  EXPECT_EQ(k.layout, "kohya");
  EXPECT_EQ(k.family, "sdxl");
  EXPECT_EQ(k.modules, 1);
  EXPECT_EQ(k.ranks, (std::map<std::int64_t, std::int64_t>{{4, 1}}));
  EXPECT_EQ(k.alphas, (std::map<double, std::int64_t>{{0.0, 1}}));
  EXPECT_TRUE(k.dora);

  Checkpoint peft;
  peft.add("unet.mid_block.attentions.0.transformer_blocks.0.attn2.to_k.lora_A.weight", {2, 768});
  peft.add("unet.mid_block.attentions.0.transformer_blocks.0.attn2.to_k.lora_B.weight", {64, 2});
  peft.write(folder / "p.safetensors");
  const ModelSummary p = inspect(folder / "p.safetensors");
  EXPECT_EQ(p.layout, "peft");
  EXPECT_EQ(p.family, "sd15");
  EXPECT_FALSE(p.dora);

  Checkpoint other;
  other.add("bert.weight", {4});
  other.write(folder / "o.safetensors");
  EXPECT_EQ(inspect(folder / "o.safetensors").kind, ModelSummary::Kind::unknown);
}

}  // namespace
}  // namespace mantissa
