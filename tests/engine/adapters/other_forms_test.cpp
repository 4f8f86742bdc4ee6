// Adapters in forms that other programs write beside those of the golden files, on tiny models of
// the families whose programs do.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/adapters/convert.h"
#include "engine/adapters/delta.h"
#include "engine/adapters/dialect.h"
#include "engine/adapters/export.h"
#include "engine/adapters/read_adapter.h"
#include "engine/io/generation.h"
#include "engine/io/inspect.h"
#include "engine/io/json_file.h"
#include "tests/engine/readers/reader_fixture.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using test::small_base;
using test::small_module;

struct TypedTensor {
  std::string name;
  DType type;
  Shape shape;
  std::vector<std::byte> bytes;
};

TypedTensor typed_tensor(std::string name, const Shape& shape, const std::vector<float>& values) {
  TypedTensor s{std::move(name), DType::f32, shape, std::vector<std::byte>(4 * values.size())};
  std::memcpy(s.bytes.data(), values.data(), s.bytes.size());
  return s;
}

/// An FP16 infinity.
TypedTensor infinite_alpha(std::string name) {
  return {std::move(name), DType::f16, Shape{}, {std::byte{0x00}, std::byte{0x7c}}};
}

/// A module's factors under another name, with PEFT's names of tensors.
std::vector<TypedTensor> renamed_factors(const AdapterModule& m, const std::string& name) {
  return {typed_tensor(name + ".lora_A.weight", m.down_shape, m.down),
          typed_tensor(name + ".lora_B.weight", m.up_shape, m.up)};
}

class OtherForms : public ::testing::Test {
 protected:
  fs::path write(const std::vector<TypedTensor>& tensors) const {
    std::vector<TensorToWrite> list;
    for (const TypedTensor& t : tensors) {
      list.push_back({t.name, t.type, t.shape, t.bytes.data(), {}});
    }
    write_safetensors(folder_ / "x.safetensors", list, {});
    return folder_ / "x.safetensors";
  }
  /// The first module whose path ends so.
  static std::string module(const WeightSource& base, std::string_view end) {
    for (const std::string& path : adaptable_modules(base)) {
      if (path.ends_with(end)) {
        return path;
      }
    }
    ADD_FAILURE() << "no module " << end;
    return {};
  }
  /// Its change of its weight.
  static std::vector<float> change(const AdapterModule& m, const WeightSource& base) {
    const auto [part, name] = weight_of_module(m.path);
    const auto count = static_cast<std::size_t>(base.shape(part, name).count());
    return weight_delta(m, std::vector<float>(count));
  }
  static std::vector<std::string> paths(const AdapterContents& contents) {
    std::vector<std::string> list;
    for (const AdapterModule& m : contents.modules) {
      list.push_back(m.path);
    }
    return list;
  }
  test::TempFolder folder_;
};

// LyCORIS writes 100000 for a whole matrix, AI Toolkit 9999999999: infinite in FP16.
TEST_F(OtherForms, ALokrsAlphaThatCountsNowhereMayBeInfinite) {
  const WeightSource base = WeightSource::open(small_base("sdxl"));
  const std::string name = "unet." + module(base, "attn1.to_q").substr(9);
  const Shape whole = base.shape(kDenoiser, name.substr(5) + ".weight");
  const std::int64_t side = 8;
  std::vector<float> w1(side * side), w2(static_cast<std::size_t>(whole.count()) / w1.size());
  for (std::size_t i = 0; i < w2.size(); ++i) {
    w2[i] = std::sin(static_cast<float>(i));
    w1[i % w1.size()] = std::cos(static_cast<float>(i));
  }
  std::vector<TypedTensor> tensors{
      typed_tensor(name + ".lokr_w1", {side, side}, w1),
      typed_tensor(name + ".lokr_w2", {whole[0] / side, whole[1] / side}, w2)};
  const AdapterContents plain = read_adapter(write(tensors), base);
  tensors.push_back(infinite_alpha(name + ".alpha"));
  const AdapterContents read = read_adapter(write(tensors), base);
  ASSERT_EQ(read.modules.size(), 1U);
  EXPECT_EQ(change(read.modules[0], base), change(plain.modules[0], base));
  ASSERT_EQ(read.notices.size(), 1U);
  EXPECT_NE(read.notices[0].text().find("NaN or infinite"), std::string::npos);
}

TEST_F(OtherForms, AnInfiniteAlphaThatCountsIsRefused) {
  const WeightSource base = WeightSource::open(small_base("sdxl"));
  const std::string path = module(base, "attn1.to_q");
  std::vector<TypedTensor> tensors =
      renamed_factors(small_module(base, path), "unet." + path.substr(9));
  tensors.push_back(infinite_alpha("unet." + path.substr(9) + ".alpha"));
  test::expect_error_with([&] { read_adapter(write(tensors), base); }, {"alpha", "NaN/Inf"});
}

// PEFT takes a key of its patterns for the end of a path.
TEST_F(OtherForms, APeftFoldersPatternIsOfOneModuleAlone) {
  const WeightSource base = WeightSource::open(small_base("flux1"));
  std::vector<AdapterModule> modules{
      small_module(base, "denoiser.proj_out"),
      small_module(base, "denoiser.single_transformer_blocks.0.proj_out"),
      small_module(base, "denoiser.context_embedder")};
  modules[1].alpha = modules[2].alpha = 4;
  AdapterExport options;
  options.format = OutputFormat::peft;
  options.base = base.model_names();
  write_adapter_file(folder_ / "peft", modules, options);
  const AdapterContents read = read_adapter(folder_ / "peft", base);
  ASSERT_EQ(read.modules.size(), 3U);
  for (const AdapterModule& m : read.modules) {
    EXPECT_EQ(m.alpha, m.path == "denoiser.proj_out" ? 1 : 4) << m.path;
  }
}

TEST_F(OtherForms, NoAlphaIsLeftInAFormatThatHasNone) {
  const WeightSource base = WeightSource::open(small_base("krea2"));
  const AdapterModule m =
      small_module(base, module(base, "transformer_blocks.0.attn.to_q"));  // alpha 1, rank 2
  const std::string name = "diffusion_model." + m.path.substr(9);
  std::vector<TypedTensor> tensors = renamed_factors(m, name);
  tensors.push_back(typed_tensor(name + ".alpha", {}, {1}));
  const fs::path out = folder_ / "out.safetensors";
  const ConvertResult done = convert_adapter(
      {.file = write(tensors), .out = out, .format = OutputFormat::diffusers}, base);
  EXPECT_FALSE(done.renamed);
  const SafetensorsFile written = SafetensorsFile::open(out);
  for (const TensorInfo& tensor : written.tensors()) {
    EXPECT_FALSE(tensor.name.ends_with(".alpha")) << tensor.name;
  }
  const AdapterContents read = read_adapter(out, base);
  ASSERT_EQ(read.modules.size(), 1U);
  EXPECT_LE(test::deviation(change(read.modules[0], base), change(m, base)), 1e-6);
}

// ComfyUI's names of a sole language model lack the level "model."; files with it are read too.
TEST_F(OtherForms, KohyasNamesOfALanguageModelAreThoseThatComfyuiReads) {
  for (const char* family : {"flux2", "z_image", "krea2", "qwen_image", "ernie_image"}) {
    const WeightSource base = WeightSource::open(small_base(family));
    const std::string path = module(base, "layers.0.self_attn.q_proj");
    EXPECT_EQ(module_name(path, kKohyaDialect, *base.model_names()),
              "lora_te_layers_0_self_attn_q_proj")
        << family;
    for (const char* name :
         {"lora_te_layers_0_self_attn_q_proj", "lora_te_model_layers_0_self_attn_q_proj"}) {
      const fs::path file = write(renamed_factors(small_module(base, path), name));
      EXPECT_EQ(paths(read_adapter(file, base)), std::vector{path}) << family << " " << name;
    }
  }
}

TEST_F(OtherForms, TheAuthorsPathsAreReadBareAndInPeftsForm) {
  for (const char* family : {"flux1", "flux2", "krea2", "chroma", "anima"}) {
    const WeightSource base = WeightSource::open(small_base(family));
    int found = 0;
    for (const std::string& path : adaptable_modules(base)) {
      const auto original = path.starts_with("denoiser.")
                                ? base.model_names()->original(kDenoiser, path.substr(9))
                                : std::nullopt;
      if (!original || *original == path.substr(9) || ++found > 12) {
        continue;
      }
      const AdapterModule m = small_module(base, path);
      for (const std::string& name : {*original, "base_model.model." + *original}) {
        EXPECT_EQ(paths(read_adapter(write(renamed_factors(m, name)), base)), std::vector{path})
            << family << " " << name;
      }
    }
    EXPECT_GT(found, 3) << family;
  }
}

TEST_F(OtherForms, TransformersHaveAPrefixOfTheirOwn) {
  const WeightSource base = WeightSource::open(small_base("pixart"));
  const std::string path = module(base, "transformer_blocks.0.attn1.to_q");
  std::string name = "lora_transformer_" + path.substr(9);
  std::ranges::replace(name, '.', '_');
  EXPECT_EQ(paths(read_adapter(write(renamed_factors(small_module(base, path), name)), base)),
            std::vector{path});
}

TEST_F(OtherForms, OneTrainersTextEncoderOfQwenImageHasALevelMore) {
  const WeightSource base = WeightSource::open(small_base("qwen_image"));
  const std::string path = module(base, "layers.0.self_attn.q_proj");
  const std::string name = "lora_te_model_language_model_layers_0_self_attn_q_proj";
  EXPECT_EQ(paths(read_adapter(write(renamed_factors(small_module(base, path), name)), base)),
            std::vector{path});
  AdapterExport options;
  options.format = OutputFormat::onetrainer;
  options.base = base.model_names();
  const fs::path out = folder_ / "o.safetensors";
  write_adapter_file(out, std::vector{small_module(base, path)}, options);
  EXPECT_NE(SafetensorsFile::open(out).find(name + ".lora_up.weight"), nullptr);
}

// A folder's transformer has names as diffusers gives them, so that any name could be one.
TEST_F(OtherForms, ATensorOfNothingIsNoWeightOfAModel) {
  for (const char* family : {"flux1", "flux2", "krea2"}) {
    const WeightSource base = WeightSource::open(small_base(family));
    try {
      read_adapter(write({typed_tensor("foo.bar", {2}, {1, 2})}), base);
      ADD_FAILURE() << family;
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()).find("whole model"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("foo.bar is no tensor of"), std::string::npos)
          << e.what();
    }
  }
}

TEST(AdapterTensors, TellTheirPart) {
  for (const auto& [tensor, part] :
       {std::pair{"lora_te1_text_model_encoder_layers_0_mlp_fc1.lora_down.weight", kTe1},
        std::pair{"lora_te_text_model_encoder_layers_0_mlp_fc1.lora_down.weight", kTe1},
        std::pair{"text_encoder_2.text_model.encoder.layers.0.mlp.fc1.lora_A.weight", kTe2},
        std::pair{"text_encoders.clip_l.transformer.text_model.x.lora_A.weight", kTe1},
        std::pair{"text_encoders.clip_h.transformer.text_model.x.lora_A.weight", kTe1},
        std::pair{"text_encoders.qwen3_8b.transformer.model.x.lora_A.weight", kTe1},
        std::pair{"lora_unet_mid_block_attentions_0_proj_in.lora_down.weight", kDenoiser},
        std::pair{"unet.mid_block.attentions.0.proj_in.lora_A.weight", kDenoiser}}) {
    EXPECT_EQ(part_of_adapter_tensor(tensor), part) << tensor;
  }
}

TEST_F(OtherForms, AnAdapterOfSd2SaysSo) {
  const WeightSource base =
      WeightSource::open(fs::path(MANTISSA_TEST_DATA) / "golden/models/sd2.safetensors");
  AdapterExport options;
  options.base = base.model_names();
  options.generation = generation_of(base);
  const auto metadata_of = [&](const std::string& prediction) {
    options.prediction = prediction;
    const fs::path file = folder_ / (prediction + ".safetensors");
    write_adapter_file(file, std::vector{small_module(base, module(base, "attn2.to_k"))}, options);
    EXPECT_EQ(inspect(file).family, prediction.empty() ? "unknown" : "sd15");
    return SafetensorsFile::open(file).metadata();
  };
  const auto plain = metadata_of("epsilon"), v = metadata_of("v");
  EXPECT_EQ(plain.at("ss_v2"), "True");
  EXPECT_EQ(plain.at("ss_base_model_version"), "sd_v2");
  EXPECT_EQ(plain.at("modelspec.architecture"), "stable-diffusion-v2-512/lora");
  EXPECT_EQ(v.at("ss_base_model_version"), "sd_v2_v");
  EXPECT_EQ(v.at("modelspec.architecture"), "stable-diffusion-v2-768-v/lora");
  const auto untold = metadata_of("");
  for (const char* key :
       {"ss_base_model_version", "modelspec.architecture", "modelspec.prediction_type"}) {
    EXPECT_FALSE(untold.contains(key)) << key << " depends on what the model predicts";
  }
}

TEST_F(OtherForms, AConvertedAdapterOfSd2KeepsWhatItPredicts) {
  const WeightSource base =
      WeightSource::open(fs::path(MANTISSA_TEST_DATA) / "golden/models/sd2.safetensors");
  ConvertRequest request;
  AdapterExport options;
  options.base = base.model_names();
  options.generation = generation_of(base);
  options.metadata = {{"ss_base_model_version", "sd_v2_v"}};
  request.file = folder_ / "v.safetensors";
  write_adapter_file(request.file, std::vector{small_module(base, module(base, "attn2.to_k"))},
                     options);
  request.out = folder_ / "converted.safetensors";
  request.format = OutputFormat::diffusers;
  request.dtype = MasterType::bf16;
  convert_adapter(request, base);
  const auto metadata = SafetensorsFile::open(request.out).metadata();
  EXPECT_EQ(metadata.at("ss_base_model_version"), "sd_v2_v");
  EXPECT_EQ(metadata.at("modelspec.architecture"), "stable-diffusion-v2-768-v/lora");
  EXPECT_EQ(metadata.at("modelspec.prediction_type"), "v");
}

}  // namespace
}  // namespace mantissa
