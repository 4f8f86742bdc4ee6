// LoRA files written and read back, kohya and PEFT names.
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/adapters/export.h"
#include "engine/io/file.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;
using test::message_of;
namespace fs = std::filesystem;

class LoraFiles : public ::testing::Test {
 protected:
  LoraFiles() : source_(WeightSource::open(golden_model("a.safetensors"))) {
    folder_ = fs::temp_directory_path() /
              ("mantissa_lora_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    options_.layout = source_.unet_layout();
    options_.title = "probe";
    options_.preset_json = "{\"mantissa_preset\": 1}";
  }
  ~LoraFiles() override { fs::remove_all(folder_); }

  /// The adapters of model a with values from the golden file.
  std::vector<LoraModule> golden(const char* reference, const std::string& targets,
                                 std::vector<Part> parts) {
    const Reference r(reference);
    AdapterSet set(*kernels_, lora_preset({targets}, 4, 2, 6, parts));
    SdxlModel model(*kernels_, source_, &set);
    model.bind(parts);
    set.finalize(1);
    std::map<std::string, std::vector<float>> state;
    for (const std::string& name : r.below("adapter.")) {
      state[name] = r.raw("adapter." + name);
    }
    set.load(state);
    return set.snapshot();
  }
  std::vector<LoraModule> all() {
    return golden("a_lora_linear_conv.safetensors", "linear+conv", {Part::unet});
  }
  std::vector<LoraModule> text() {
    return golden("a_lora_text.safetensors", "attention", {Part::unet, Part::te1, Part::te2});
  }
  fs::path write(const std::vector<LoraModule>& modules) {
    const fs::path path = folder_ / "x.safetensors";
    write_lora(path, modules, options_);
    return path;
  }
  LoraFile read_back(const fs::path& path) {
    return read_lora(path, adaptable_modules(source_), source_.unet_layout());
  }
  /// scale·up·down of both agree within `tolerance` of the largest value.
  static void expect_same(std::vector<LoraModule> want, const std::vector<LoraModule>& got,
                          double tolerance) {
    std::sort(want.begin(), want.end(),
              [](const LoraModule& a, const LoraModule& b) { return a.path < b.path; });
    ASSERT_EQ(want.size(), got.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      ASSERT_EQ(want[i].path, got[i].path);
      EXPECT_EQ(want[i].rank, got[i].rank);
      EXPECT_EQ(want[i].down_shape, got[i].down_shape) << want[i].path;
      EXPECT_EQ(want[i].up_shape, got[i].up_shape) << want[i].path;
      EXPECT_LE(relative_error(got[i].down, want[i].down), tolerance) << want[i].path;
      std::vector<float> a = want[i].up, b = got[i].up;
      for (float& x : a) {
        x *= static_cast<float>(want[i].alpha / want[i].rank);
      }
      for (float& x : b) {
        x *= static_cast<float>(got[i].alpha / got[i].rank);
      }
      EXPECT_LE(relative_error(b, a), tolerance) << want[i].path;
    }
  }

  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(1);
  WeightSource source_;
  LoraExport options_;
  fs::path folder_;
};

TEST_F(LoraFiles, RoundTripInEveryFormAndType) {
  for (const auto& modules : {all(), text()}) {
    for (OutputFormat format : {OutputFormat::kohya, OutputFormat::diffusers}) {
      for (const auto& [dtype, tolerance] :
           {std::pair{MasterType::fp32, 1e-6}, std::pair{MasterType::bf16, 5e-3},
            std::pair{MasterType::fp16, 1e-3}}) {
        options_.format = format;
        options_.dtype = dtype;
        expect_same(modules, read_back(write(modules)).modules, tolerance);
      }
    }
  }
}

// Also feeds tests/interop/lora_in_diffusers.py, which names the folder in MANTISSA_INTEROP.
TEST_F(LoraFiles, FilesForDiffusers) {
  const char* kept = std::getenv("MANTISSA_INTEROP");
  const fs::path folder = kept == nullptr ? folder_ : fs::path(kept);
  const std::pair<const char*, std::vector<LoraModule>> sets[] = {
      {"a_lora_attention", golden("a_lora_attention.safetensors", "attention", {Part::unet})},
      {"a_lora_linear_conv", all()},
      {"a_lora_text", text()}};
  for (const auto& [name, modules] : sets) {
    for (OutputFormat format : {OutputFormat::kohya, OutputFormat::diffusers}) {
      options_.format = format;
      const fs::path path =
          folder / (std::string(name) + (format == OutputFormat::kohya ? ".kohya" : ".peft") +
                    ".safetensors");
      write_lora(path, modules, options_);
      expect_same(modules, read_back(path).modules, 1e-6);
    }
  }
}

TEST_F(LoraFiles, KohyaNamesShapesAndMetadata) {
  const SafetensorsFile file = SafetensorsFile::open(write(all()));
  const TensorInfo* down =
      file.find("lora_unet_input_blocks_3_1_transformer_blocks_0_attn1_to_q.lora_down.weight");
  ASSERT_NE(down, nullptr);
  EXPECT_EQ(down->dims, (std::vector<std::int64_t>{4, 32}));
  const TensorInfo* conv = file.find("lora_unet_input_blocks_1_0_in_layers_2.lora_down.weight");
  ASSERT_NE(conv, nullptr);
  EXPECT_EQ(conv->dims, (std::vector<std::int64_t>{2, 16, 3, 3}));
  const TensorInfo* alpha = file.find("lora_unet_input_blocks_1_0_in_layers_2.alpha");
  ASSERT_NE(alpha, nullptr);
  EXPECT_TRUE(alpha->dims.empty());
  EXPECT_EQ(*reinterpret_cast<const float*>(alpha->data), 6.0F);
  const auto& m = file.metadata();
  EXPECT_EQ(m.at("ss_network_dim"), "4");
  EXPECT_EQ(m.at("ss_network_alpha"), "6");
  EXPECT_EQ(m.at("ss_network_module"), "networks.lora");
  EXPECT_EQ(m.at("ss_base_model_version"), "sdxl_base_v1-0");
  const auto args = nlohmann::json::parse(m.at("ss_network_args"));
  EXPECT_EQ(args.at("conv_dim"), "2");
  EXPECT_EQ(args.at("conv_alpha"), "6");
  EXPECT_EQ(m.at("modelspec.architecture"), "stable-diffusion-xl-v1-base/lora");
  EXPECT_EQ(m.at("modelspec.title"), "probe");
  EXPECT_EQ(m.at("mantissa.preset"), "{\"mantissa_preset\": 1}");
  const std::string body = sha256_hex(file.bytes().subspan(file.data_offset()));
  EXPECT_EQ(m.at("sshs_model_hash"), body);
  EXPECT_EQ(m.at("modelspec.hash_sha256"), "0x" + body);
  EXPECT_EQ(m.at("sshs_legacy_hash").size(), 8U);
}

TEST_F(LoraFiles, EqualInputGivesEqualBytes) {
  const auto modules = text();
  const std::string first = read_text(write(modules));
  EXPECT_EQ(first, read_text(write(modules)));
}

TEST_F(LoraFiles, ReadsDiffusersBlocksAndAdapterMetadata) {
  const float down[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::string legacy = "lora_unet_down_blocks_1_resnets_0_time_emb_proj";
  const std::vector<TensorToWrite> old{{legacy + ".lora_down.weight", DType::f32, {1, 8}, down, {}},
                                       {legacy + ".lora_up.weight", DType::f32, {8, 1}, down, {}}};
  write_safetensors(folder_ / "old.safetensors", old);
  const LoraFile read = read_back(folder_ / "old.safetensors");
  ASSERT_EQ(read.modules.size(), 1U);
  EXPECT_EQ(read.modules[0].path, "unet.down_blocks.1.resnets.0.time_emb_proj");
  EXPECT_EQ(read.modules[0].alpha, 1.0);

  const std::string path = "unet.mid_block.attentions.0.proj_in";
  const std::vector<TensorToWrite> peft{{path + ".lora_A.weight", DType::f32, {2, 4}, down, {}},
                                        {path + ".lora_B.weight", DType::f32, {4, 2}, down, {}}};
  write_safetensors(folder_ / "peft.safetensors", peft,
                    {{"lora_adapter_metadata", R"({"unet.r": 2, "unet.lora_alpha": 5})"}});
  EXPECT_EQ(read_back(folder_ / "peft.safetensors").modules.at(0).alpha, 5.0);
}

TEST_F(LoraFiles, RefusesWhatIsNotPlainLoraOfThisModel) {
  const float values[16] = {};
  const auto refused = [&](const std::vector<TensorToWrite>& tensors) {
    write_safetensors(folder_ / "bad.safetensors", tensors);
    return message_of([&] { read_back(folder_ / "bad.safetensors"); });
  };
  const std::string good = "unet.mid_block.attentions.0.proj_in";
  const auto tensor = [&](const std::string& name, const Shape& shape) {
    return TensorToWrite{name, DType::f32, shape, values, {}};
  };
  EXPECT_NE(refused({tensor("unet.nowhere.lora_A.weight", {2, 4})}).find("unet.nowhere"),
            std::string::npos);
  EXPECT_NE(refused({tensor("lora_unet_x.dora_scale", {2, 4})}).find("DoRA"), std::string::npos);
  EXPECT_NE(refused({tensor("conv_in.weight", {2, 4})}).find("no tensor of a LoRA"),
            std::string::npos);
  EXPECT_NE(refused({tensor(good + ".lora_A.weight", {2, 4})}).find("no up matrix"),
            std::string::npos);
  EXPECT_NE(
      refused({tensor(good + ".lora_A.weight", {2, 4}), tensor(good + ".lora_B.weight", {4, 3})})
          .find("[4, 3]"),
      std::string::npos);
  EXPECT_NE(
      refused({tensor(good + ".lora_A.weight", {2, 4}), tensor(good + ".lora_down.weight", {2, 4})})
          .find("same tensor"),
      std::string::npos);
}

TEST_F(LoraFiles, Fp16NeverOverflowsSilently) {
  auto modules = all();
  modules[0].up[0] = 1e6F;
  options_.dtype = MasterType::fp16;
  EXPECT_NE(message_of([&] { write(modules); }).find("output.dtype"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "x.safetensors"));
}

}  // namespace
}  // namespace mantissa
