// The autoencoder of Qwen-Image, Anima and Krea 2 against diffusers' on single images, in float64
// (tests/golden/make_anima.py).
#include "engine/models/vae/qwen_vae.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/io/json_file.h"
#include "engine/io/model_writer.h"
#include "engine/models/vae/qwen_vae_keys.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;
using nlohmann::json;

constexpr double kForward = 1e-5;

class QwenVaeImages : public ::testing::TestWithParam<const char*> {};

TEST_P(QwenVaeImages, AreEncodedAndDecodedAsInDiffusers) {
  const std::string name = GetParam();
  const auto kernels = make_cpu_kernels(2);
  const WeightSource source = WeightSource::open(golden_model(name));
  const Reference r(name.substr(0, name.find('.')) + "_vae.safetensors");
  EXPECT_TRUE(source.unknown().empty()) << source.unknown().front();
  WeightStore weights(*kernels, source);
  const QwenVae vae(qwen_vae_config(source), Scope(weights, nullptr, kVae));
  Graph graph;
  graph.output("moments", vae.encode(graph, graph.input("image", DType::f32, r.shape("image"))));
  graph.output("decoded",
               vae.decode(graph, graph.input("latents", DType::f32, r.shape("latents"))));
  Arena arena(*kernels);
  const Plan plan = make_plan(graph);
  Executor executor(graph, plan, *kernels, arena);
  for (const auto& [input, id] : graph.inputs()) {
    write(executor.input(input), r.values(input));
  }
  executor.run({});
  for (const char* result : {"moments", "decoded"}) {
    const double error = relative_error(read(executor.output(result)), r.values(result));
    std::printf("%s, relative error %.2e\n", result, error);
    EXPECT_LE(error, kForward) << result;
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, QwenVaeImages,
                         ::testing::Values("anima", "anima_base.safetensors"),
                         [](const auto& info) {
                           const std::string name = info.param;
                           return name.substr(0, name.find('.'));
                         });

TEST(QwenVae, LoadsTheLastFrameOfEachKernel) {
  const WeightSource source = WeightSource::open(golden_model("anima"));
  const SafetensorsFile file =
      SafetensorsFile::open(golden_model("anima") / "vae/diffusion_pytorch_model.safetensors");
  const std::string name = "encoder.conv_in.weight";
  const TensorInfo* stored = file.find(name);
  ASSERT_EQ(stored->dims, (std::vector<std::int64_t>{8, 3, 3, 3, 3}));
  ASSERT_EQ(source.shape(kVae, name), (Shape{8, 3, 3, 3}));
  std::vector<float> values(8 * 3 * 9);
  source.read_f32(kVae, name, values);
  for (const std::size_t filter : {0U, 1U, 23U}) {
    for (std::size_t pixel = 0; pixel < 9; ++pixel) {
      float16 want;
      std::memcpy(&want, stored->data + ((filter * 3 + 2) * 9 + pixel) * sizeof want, sizeof want);
      EXPECT_EQ(values[filter * 9 + pixel], static_cast<float>(want)) << filter << " " << pixel;
    }
  }
  EXPECT_EQ(source.shape(kVae, "encoder.norm_out.gamma"), Shape{16});
}

TEST(QwenVae, IsWrittenWithEveryFrame) {
  const test::TempFolder folder;
  const auto original = golden_model("anima") / "vae/diffusion_pytorch_model.safetensors";
  write_model(folder / "copy", model_contents(WeightSource::open(golden_model("anima"))));
  write_model(folder / "copy.safetensors",
              model_contents(WeightSource::open(golden_model("anima"))));
  write_model(folder / "again", model_contents(WeightSource::open(folder / "copy.safetensors")));
  const SafetensorsFile want = SafetensorsFile::open(original);
  for (const char* copy : {"copy", "again"}) {
    const SafetensorsFile got =
        SafetensorsFile::open(folder / copy / "vae/diffusion_pytorch_model.safetensors");
    ASSERT_EQ(got.tensors().size(), want.tensors().size());
    for (const TensorInfo& tensor : want.tensors()) {
      const TensorInfo* found = got.find(tensor.name);
      ASSERT_NE(found, nullptr) << tensor.name;
      EXPECT_EQ(found->dims, tensor.dims) << tensor.name;
      EXPECT_EQ(std::memcmp(found->data, tensor.data, tensor.bytes), 0) << tensor.name;
    }
  }
}

TEST(QwenVae, AKernelWithoutFramesIsAnError) {
  const test::TempFolder folder;
  ModelContents model = model_contents(WeightSource::open(golden_model("anima")));
  for (ModelTensor& tensor : model.parts.at(kVae)) {
    if (tensor.name == "decoder.conv_out.weight") {
      tensor.shape[2] = 0;
      tensor.fill = [](std::span<std::byte>) {};
    }
  }
  write_model(folder / "m", model);
  const auto kernels = make_cpu_kernels(1);
  const WeightSource source = WeightSource::open(folder / "m");
  WeightStore weights(*kernels, source);
  test::expect_error_with([&] { QwenVae(qwen_vae_config(source), Scope(weights, nullptr, kVae)); },
                          {"vae.decoder.conv_out.weight", "[3, 8, 0, 3, 3]", "[3, 8, 3, 3]"});
}

TEST(QwenVaeKeys, ComeBackFromTheOriginal) {
  for (const char* model : {"anima", "anima_base.safetensors"}) {
    const WeightSource source = WeightSource::open(golden_model(model));
    const std::vector<std::string> names = source.names(kVae);
    const int size = qwen_vae_level_size_from_diffusers(names);
    for (const std::string& name : names) {
      const auto original = qwen_vae_to_original(name, size);
      ASSERT_TRUE(original) << name;
      EXPECT_EQ(qwen_vae_to_diffusers(*original, size), name) << *original;
    }
  }
  const std::pair<const char*, const char*> released[] = {
      {"conv2.weight", "post_quant_conv.weight"},
      {"encoder.conv1.bias", "encoder.conv_in.bias"},
      {"encoder.head.0.gamma", "encoder.norm_out.gamma"},
      {"encoder.downsamples.3.shortcut.weight", "encoder.down_blocks.3.conv_shortcut.weight"},
      {"encoder.downsamples.5.time_conv.bias", "encoder.down_blocks.5.time_conv.bias"},
      {"encoder.middle.1.to_qkv.weight", "encoder.mid_block.attentions.0.to_qkv.weight"},
      {"decoder.middle.2.residual.6.weight", "decoder.mid_block.resnets.1.conv2.weight"},
      {"decoder.upsamples.3.resample.1.weight",
       "decoder.up_blocks.0.upsamplers.0.resample.1.weight"},
      {"decoder.upsamples.4.shortcut.bias", "decoder.up_blocks.1.resnets.0.conv_shortcut.bias"},
      {"decoder.upsamples.14.residual.2.bias", "decoder.up_blocks.3.resnets.2.conv1.bias"}};
  for (const auto& [original, diffusers] : released) {
    EXPECT_EQ(qwen_vae_to_diffusers(original, 4), diffusers);
    EXPECT_EQ(qwen_vae_to_original(diffusers, 4), original);
  }
  for (const char* name :
       {"encoder.downsamples.x.shortcut.weight", "encoder.middle.0", "decoder.conv3.weight",
        "decoder.upsamples.2", "encoder.middle.0.attn.weight"}) {
    EXPECT_FALSE(qwen_vae_to_diffusers(name, 4)) << name;
  }
}

TEST(QwenVaeConfig, ThatCantBeHonouredIsAnError) {
  const json good = read_json(golden_model("anima") / "vae/config.json");
  const std::pair<const char*, json> cases[] = {
      {"_class_name", "AutoencoderKL"},
      {"attn_scales", {0.5}},
      {"dim_mult", "1,2"},
      {"temperal_downsample", {true}},
      {"temperal_downsample", {1, 0}},
      {"latents_mean", {0.1, 0.2}},
      {"latents_std", {1, 1, 0, 1}},
      {"twins", true},
  };
  for (const auto& [field, value] : cases) {
    json changed = good;
    changed[field] = value;
    test::expect_error_with([&] { qwen_vae_config_from_json(changed, "the config"); },
                            {"the config", "'" + std::string(field) + "'"});
  }
  json without = good;
  without.erase("latents_std");
  test::expect_error_with([&] { qwen_vae_config_from_json(without, "the config"); },
                          {"'latents_std'", "missing"});
}

TEST(QwenVaeConfig, OfTheReleasedModelNeedsNoFile) {
  const json bare = {{"_class_name", "AutoencoderKLQwenImage"}};
  const QwenVaeConfig usual = qwen_vae_config_from_json(bare, "the config");
  EXPECT_EQ(usual.factor(), 8);
  EXPECT_EQ(usual.latents_mean.at(0), -0.7571);
  EXPECT_EQ(usual.latents_std.at(15), 1.9160);
  EXPECT_EQ(qwen_vae_config_from_json(to_json(usual), "the config"), usual);
}

TEST(QwenVaeConfig, OfAnotherModelIsNoticed) {
  const test::TempFolder folder;
  const std::pair<const char*, json> changes[] = {{"base_dim", 7},
                                                  {"z_dim", 5},
                                                  {"dim_mult", {1, 2, 3}},
                                                  {"num_res_blocks", 3},
                                                  {"input_channels", 4}};
  for (const auto& [field, value] : changes) {
    std::filesystem::copy(golden_model("anima"), folder / "m",
                          std::filesystem::copy_options::recursive |
                              std::filesystem::copy_options::overwrite_existing);
    const std::filesystem::path path = folder / "m/vae/config.json";
    json config = read_json(path);
    config[field] = value;
    if (std::string_view(field) == "z_dim") {
      config["latents_mean"] = config["latents_std"] = {1, 1, 1, 1, 1};
    }
    std::filesystem::remove(path);
    test::write_file(path, config.dump());
    test::expect_error_with([&] { qwen_vae_config(WeightSource::open(folder / "m")); },
                            {"vae/config.json", field});
  }
}

}  // namespace
}  // namespace mantissa
