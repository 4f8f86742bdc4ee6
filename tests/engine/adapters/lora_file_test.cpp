// LoRA files written and read back, kohya and PEFT names.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/adapters/export.h"
#include "engine/adapters/read_adapter.h"
#include "engine/adapters/trained_set.h"
#include "engine/io/file.h"
#include "engine/io/module_path.h"
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
    options_.base = source_.model_names();
    options_.title = "probe";
    options_.preset_json = "{\"mantissa_preset\": 1}";
  }
  ~LoraFiles() override { fs::remove_all(folder_); }

  /// The adapters of model a with values from the golden file.
  std::vector<AdapterModule> golden(const char* reference, const std::string& targets,
                                    std::vector<Part> parts, AdapterType type = AdapterType::lora) {
    const Reference r(reference);
    Preset preset =
        lora_preset({targets}, static_cast<int>(r.metadata("rank")),
                    static_cast<int>(r.metadata("conv_rank")), r.metadata("alpha"), parts);
    preset.adapter.type = type;
    TrainedSet set(*kernels_, preset, source_.family());
    StableDiffusion model(kernels_.get(), source_, &set);
    model.bind(parts);
    set.finalize(1);
    std::map<std::string, std::vector<float>> state;
    for (const std::string& name : r.below("adapter.")) {
      state[canonical_path(name)] = r.raw("adapter." + name);
    }
    set.load(state);
    return set.snapshot();
  }
  std::vector<AdapterModule> all() {
    return golden("a_lora_linear_conv.safetensors", "linear+conv", {kDenoiser});
  }
  std::vector<AdapterModule> text() {
    return golden("a_lora_text.safetensors", "attention", {kDenoiser, kTe1, kTe2});
  }
  fs::path write(const std::vector<AdapterModule>& modules) {
    const fs::path path = folder_ / "x.safetensors";
    write_adapter_file(path, modules, options_);
    return path;
  }
  AdapterContents read_back(const fs::path& path) { return read_adapter(path, source_); }
  /// scale·up·down of both agree within `tolerance` of the largest value.
  static void expect_same(std::vector<AdapterModule> want, const std::vector<AdapterModule>& got,
                          double tolerance) {
    std::sort(want.begin(), want.end(),
              [](const AdapterModule& a, const AdapterModule& b) { return a.path < b.path; });
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
  AdapterExport options_;
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
  const std::pair<const char*, std::vector<AdapterModule>> sets[] = {
      {"a_lora_attention", golden("a_lora_attention.safetensors", "attention", {kDenoiser})},
      {"a_lora_linear_conv", all()},
      {"a_lora_text", text()},
      {"a_dora_output",
       golden("a_dora_output.safetensors", "linear+conv", {kDenoiser}, AdapterType::dora)}};
  for (const auto& [name, modules] : sets) {
    for (OutputFormat format : {OutputFormat::kohya, OutputFormat::diffusers}) {
      if (modules[0].dora_axis && format == OutputFormat::kohya) {
        continue;  // diffusers omits dora_scale
      }
      options_.format = format;
      const fs::path path =
          folder / (std::string(name) + (format == OutputFormat::kohya ? ".kohya" : ".peft") +
                    ".safetensors");
      write_adapter_file(path, modules, options_);
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

// Other programs read 64 KiB at 1 MiB of the file as it was before it had hashes and a description.
TEST_F(LoraFiles, TheLegacyHashIsOfBytesBehindTheFirstMegabyte) {
  AdapterModule large = text().front();
  large.down_shape = {4, 100'000};
  large.rank = 4;
  large.down.resize(400'000);
  for (std::size_t i = 0; i < large.down.size(); ++i) {
    large.down[i] = static_cast<float>(i);
  }
  large.up_shape = {2, 4};
  large.up.assign(8, 1);
  options_.dtype = MasterType::fp32;
  const SafetensorsFile file = SafetensorsFile::open(write({large}));
  std::vector<TensorToWrite> tensors;
  for (const TensorInfo& t : file.tensors()) {
    tensors.push_back({t.name, t.type.value(), t.shape(), t.data, {}});
  }
  std::map<std::string, std::string> training;
  for (const auto& [key, value] : file.metadata()) {
    if (key.starts_with("ss_")) {
      training[key] = value;
    }
  }
  const std::vector<std::byte> before = serialize_safetensors(tensors, training);
  const auto read = std::span(before).subspan(1'048'576, 65'536);
  EXPECT_EQ(file.metadata().at("sshs_legacy_hash"), sha256_hex(read).substr(0, 8));
}

TEST_F(LoraFiles, EqualInputGivesEqualBytes) {
  const auto modules = text();
  const std::string first = read_text(write(modules));
  EXPECT_EQ(first, read_text(write(modules)));
}

// PEFT gives a module the rank "r" unless the pattern has another one for its name.
TEST_F(LoraFiles, PeftFoldersNameEveryOtherRank) {
  auto modules = all();  // of ranks 4 and 2
  options_.format = OutputFormat::peft;
  std::ranges::sort(modules, {}, &AdapterModule::rank);
  for (const char* order : {"rising", "falling"}) {
    write_adapter_file(folder_ / order, modules, options_);
    const auto config =
        nlohmann::json::parse(read_text(folder_ / order / "unet" / "adapter_config.json"));
    const auto& other = config.at("rank_pattern");
    for (const AdapterModule& m : modules) {
      const std::string name = m.path.substr(m.path.find('.') + 1);
      EXPECT_EQ(other.value(name, config.at("r").get<int>()), m.rank) << order << ' ' << name;
    }
    std::ranges::reverse(modules);
  }
}

// From transformers 5 on, CLIPTextModel has no level text_model; tests/interop/load_peft.py loads
// such a folder into both.
TEST_F(LoraFiles, PeftFoldersHaveTheNamesOfEveryTransformers) {
  auto modules = text();
  modules.front().alpha *= 2;  // gets a separate pattern
  options_.format = OutputFormat::peft;
  write_adapter_file(folder_ / "peft", modules, options_);
  const auto names = [&](const char* part, bool level) {
    const auto file = SafetensorsFile::open(folder_ / "peft" / part / "adapter_model.safetensors");
    std::set<std::string> found;
    for (const TensorInfo& tensor : file.tensors()) {
      std::string name = tensor.name;
      const auto at = name.find("text_model.");
      if ((at != std::string::npos) == level) {
        found.insert(at == std::string::npos ? name : name.erase(at, 11));
      }
    }
    return found;
  };
  EXPECT_FALSE(names("text_encoder", true).empty());
  EXPECT_EQ(names("text_encoder", true), names("text_encoder", false));
  EXPECT_TRUE(names("text_encoder_2", false).empty());  // CLIPTextModelWithProjection keeps it
  for (const char* part : {"text_encoder", "text_encoder_2"}) {
    const std::string config = read_text(folder_ / "peft" / part / "adapter_config.json");
    EXPECT_EQ(config.find("text_model"), std::string::npos) << "fits one layout only";
    EXPECT_NE(config.find("\"encoder.layers.0.self_attn.q_proj\""), std::string::npos) << config;
  }
  AdapterContents read = read_back(folder_ / "peft");
  std::ranges::sort(read.modules, {}, &AdapterModule::path);
  std::ranges::sort(modules, {}, &AdapterModule::path);
  ASSERT_EQ(read.modules.size(), modules.size());
  for (std::size_t i = 0; i < modules.size(); ++i) {
    EXPECT_EQ(read.modules[i].path, modules[i].path);
    EXPECT_EQ(read.modules[i].alpha, modules[i].alpha) << modules[i].path;
    EXPECT_EQ(read.modules[i].up, modules[i].up);
  }
}

TEST_F(LoraFiles, PeftFoldersAreWrittenWholeOrNotAtAll) {
  auto modules = text();
  options_.format = OutputFormat::peft;
  options_.dtype = MasterType::fp16;
  modules.back().up.front() = 1e6F;
  test::expect_error_with([&] { write_adapter_file(folder_ / "peft", modules, options_); },
                          {"can't hold"});
  EXPECT_FALSE(fs::exists(folder_ / "peft"));
}

// alpha stands in the config alone.
TEST_F(LoraFiles, PeftWeightsWithoutTheirConfigAreReadWithANotice) {
  const auto modules = text();
  options_.format = OutputFormat::peft;
  write_adapter_file(folder_ / "peft", modules, options_);
  EXPECT_TRUE(read_back(folder_ / "peft").notices.empty());
  const fs::path config = folder_ / "peft" / "text_encoder" / "adapter_config.json";
  fs::remove(config);
  const AdapterContents read = read_back(folder_ / "peft");
  ASSERT_EQ(read.notices.size(), 1U);
  EXPECT_NE(read.notices[0].text().find(path_to_utf8(config) + " is missing"), std::string::npos)
      << read.notices[0].text();
  for (const AdapterModule& m : read.modules) {
    EXPECT_TRUE(!m.path.starts_with("te1.") || m.alpha == m.rank) << m.path;
  }
  fs::copy_file(folder_ / "peft/unet/adapter_model.safetensors", folder_ / "alone.safetensors");
  EXPECT_EQ(read_back(folder_ / "alone.safetensors").notices.size(), 1U);
  for (const OutputFormat format : {OutputFormat::diffusers, OutputFormat::kohya}) {
    options_.format = format;  // whose readers take alpha = rank, or have it
    EXPECT_TRUE(read_back(write(modules)).notices.empty());
  }
}

TEST_F(LoraFiles, RefusesAdapterMetadataThatNestsTooDeep) {
  const float values[8] = {1};
  const std::string path = "unet.mid_block.attentions.0.proj_in";
  const std::vector<TensorToWrite> peft{{path + ".lora_A.weight", DType::f32, {2, 4}, values, {}},
                                        {path + ".lora_B.weight", DType::f32, {4, 2}, values, {}}};
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  write_safetensors(folder_ / "deep.safetensors", peft,
                    {{"lora_adapter_metadata", "{\"unet.r\": " + deep + "}"}});
  const std::string text = message_of([&] { read_back(folder_ / "deep.safetensors"); });
  EXPECT_NE(text.find("lora_adapter_metadata is nested deeper than"), std::string::npos) << text;
}

TEST_F(LoraFiles, ReadsDiffusersBlocksAndAdapterMetadata) {
  const float down[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::string legacy = "lora_unet_down_blocks_1_resnets_0_time_emb_proj";
  const std::vector<TensorToWrite> old{{legacy + ".lora_down.weight", DType::f32, {1, 8}, down, {}},
                                       {legacy + ".lora_up.weight", DType::f32, {8, 1}, down, {}}};
  write_safetensors(folder_ / "old.safetensors", old);
  const AdapterContents read = read_back(folder_ / "old.safetensors");
  ASSERT_EQ(read.modules.size(), 1U);
  EXPECT_EQ(read.modules[0].path, "denoiser.down_blocks.1.resnets.0.time_emb_proj");
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
  EXPECT_NE(refused({tensor(good + ".oft_blocks", {2, 4})}).find("adapter of the form OFT"),
            std::string::npos);
  EXPECT_NE(refused({tensor(good + ".hada_w1_a", {2, 4})}).find("no hada_w1_b"), std::string::npos);
  EXPECT_NE(refused({tensor(good + ".dora_scale", {4, 1})}).find("no down matrix"),
            std::string::npos);
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

/// `modules` as DoRA with magnitudes of some pattern.
std::vector<AdapterModule> with_dora(std::vector<AdapterModule> modules, DoraAxis axis) {
  for (AdapterModule& m : modules) {
    m.dora_axis = axis;
    const std::int64_t n = axis == DoraAxis::output ? m.up_shape[0] : m.down_shape[1];
    for (std::int64_t i = 0; i < n; ++i) {
      m.magnitude.push_back(1.1F + 0.37F * static_cast<float>(i));
    }
  }
  return modules;
}

TEST_F(LoraFiles, DoraRoundTripInEveryFormAndType) {
  for (DoraAxis axis : {DoraAxis::output, DoraAxis::input}) {
    const std::vector<AdapterModule> modules = with_dora(all(), axis);
    for (OutputFormat format : {OutputFormat::kohya, OutputFormat::diffusers}) {
      for (MasterType dtype : {MasterType::fp32, MasterType::bf16, MasterType::fp16}) {
        options_.format = format;
        options_.dtype = dtype;
        const fs::path path = folder_ / "x.safetensors";
        const WrittenAdapter written = write_adapter_file(path, modules, options_);
        ASSERT_FALSE(written.notices.empty()) << "some program renders every DoRA wrong";
        const AdapterContents back = read_back(path);
        expect_same(modules, back.modules, dtype == MasterType::fp32 ? 1e-6 : 5e-3);
        for (const AdapterModule& m : back.modules) {
          EXPECT_EQ(m.dora_axis, axis) << m.path;
          const auto it = std::find_if(modules.begin(), modules.end(),
                                       [&](const AdapterModule& x) { return x.path == m.path; });
          EXPECT_EQ(m.magnitude, it->magnitude) << "magnitudes are fp32 in every file";
        }
        const bool output = axis == DoraAxis::output;
        EXPECT_EQ(back.metadata.at("mantissa.dora_axis"), output ? "output" : "input");
        EXPECT_EQ(back.metadata.at("ss_network_module"), "lycoris.kohya");
        const auto args = nlohmann::json::parse(back.metadata.at("ss_network_args"));
        EXPECT_EQ(args.at("wd_on_output"), output ? "True" : "False");
        const SafetensorsFile file = SafetensorsFile::open(path);
        if (format == OutputFormat::kohya) {
          EXPECT_EQ(file.find("lora_unet_input_blocks_1_0_in_layers_2.dora_scale")->dims,
                    output ? (std::vector<std::int64_t>{16, 1, 1, 1})
                           : (std::vector<std::int64_t>{1, 16, 1, 1}));
          EXPECT_EQ(
              file.find("lora_unet_input_blocks_3_1_transformer_blocks_0_attn2_to_k.dora_scale")
                  ->dims,
              output ? (std::vector<std::int64_t>{32, 1}) : (std::vector<std::int64_t>{1, 48}));
        } else {
          EXPECT_EQ(file.find("unet.down_blocks.0.resnets.0.conv1.lora_magnitude_vector")->dims,
                    (std::vector<std::int64_t>{1, 16, 1, 1}));
          const auto* k = file.find(
              "unet.down_blocks.1.attentions.0.transformer_blocks.0.attn2.to_k.lora_magnitude_"
              "vector");
          EXPECT_EQ(k->dims,
                    output ? (std::vector<std::int64_t>{32}) : (std::vector<std::int64_t>{1, 48}));
        }
      }
    }
  }
}

TEST_F(LoraFiles, TheAxisFollowsFromTheShapeOrIsAskedFor) {
  const float values[4096] = {1, 2, 3, 4};
  const std::string square = "unet.mid_block.attentions.0.proj_in";  // [32, 32]
  const std::string wide = "unet.down_blocks.1.attentions.0.transformer_blocks.0.attn2.to_k";
  const auto read = [&](const std::vector<TensorToWrite>& magnitudes,
                        const std::map<std::string, std::string>& metadata = {}) {
    std::vector<TensorToWrite> tensors;
    for (const auto& [path, in] : {std::pair{square, 32}, std::pair{wide, 48}}) {
      tensors.push_back({path + ".lora_A.weight", DType::f32, {1, in}, values, {}});
      tensors.push_back({path + ".lora_B.weight", DType::f32, {32, 1}, values, {}});
    }
    tensors.insert(tensors.end(), magnitudes.begin(), magnitudes.end());
    write_safetensors(folder_ / "axis.safetensors", tensors, metadata);
    return read_back(folder_ / "axis.safetensors");
  };
  const auto tensor = [&](const std::string& name, const Shape& shape) {
    return TensorToWrite{name, DType::f32, shape, values, {}};
  };
  const auto axis = [&](const AdapterContents& file, const std::string& path) {
    for (const AdapterModule& m : file.modules) {
      if (m.path == canonical_path(path)) {
        return m.dora_axis;
      }
    }
    return std::optional<DoraAxis>{};
  };
  EXPECT_EQ(axis(read({tensor(square + ".dora_scale", {32, 1})}), square), DoraAxis::output);
  EXPECT_EQ(axis(read({tensor(square + ".dora_scale", {1, 32})}), square), DoraAxis::input);
  EXPECT_EQ(axis(read({tensor(square + ".lora_magnitude_vector", {32})}), square),
            DoraAxis::output);
  EXPECT_EQ(axis(read({tensor(wide + ".lora_magnitude_vector.weight", {1, 48})}), wide),
            DoraAxis::input);
  EXPECT_EQ(axis(read({tensor(square + ".dora_scale", {32, 1})}), wide), std::nullopt);
  // One dimension, or both: the user's choice is needed, unless the file or its other modules
  // determine it.
  const std::vector<TensorToWrite> open{tensor(square + ".dora_scale", {32})};
  EXPECT_NE(message_of([&] { read(open); }).find("Which program made it?"), std::string::npos);
  EXPECT_EQ(axis(read(open, {{"mantissa.dora_axis", "input"}}), square), DoraAxis::input);
  EXPECT_EQ(axis(read(open, {{"ss_network_args", R"({"wd_on_output": "True"})"}}), square),
            DoraAxis::output);
  for (const char* text : {R"("False")", R"("false")", "false"}) {
    const std::string args = std::string(R"({"wd_on_output": )") + text + "}";
    EXPECT_EQ(axis(read(open, {{"ss_network_args", args}}), square), DoraAxis::input) << text;
  }
  EXPECT_EQ(axis(read(open, {{"ss_network_args", R"({"wd_on_output": "not falsey"})"}}), square),
            DoraAxis::output);
  EXPECT_EQ(axis(read({open[0], tensor(wide + ".dora_scale", {1, 48})}), square), DoraAxis::input);
  EXPECT_NE(message_of([&] {
              read({tensor(wide + ".dora_scale", {31, 1})});
            }).find("[31, 1]"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              read({tensor(wide + ".dora_scale", {1, 32})});
            }).find("[1, 32]"),
            std::string::npos);
}

TEST_F(LoraFiles, DoraAsPlainLora) {
  std::vector<AdapterModule> modules = with_dora(all(), DoraAxis::output);
  options_.format = OutputFormat::plain_lora;
  EXPECT_NE(message_of([&] { write(modules); }).find("output.format"), std::string::npos);
  options_.base_weight = [&](std::string_view path) {
    const auto it = std::find_if(modules.begin(), modules.end(),
                                 [&](const AdapterModule& m) { return m.path == path; });
    std::vector<float> w(it->down.size() / static_cast<std::size_t>(it->rank) *
                         static_cast<std::size_t>(it->up_shape[0]));
    for (std::size_t i = 0; i < w.size(); ++i) {
      const auto x = static_cast<float>(i);
      w[i] = std::sin(0.37F * x * x + x);
    }
    return w;
  };
  const fs::path path = folder_ / "x.safetensors";
  const WrittenAdapter written = write_adapter_file(path, modules, options_);
  EXPECT_GT(written.plain_error, 0.0);
  EXPECT_EQ(written.plain_rank, 8);
  const AdapterContents back = read_back(path);
  EXPECT_FALSE(back.metadata.contains("mantissa.dora_axis"));
  EXPECT_EQ(back.metadata.at("mantissa.plain_lora_rank"), "8");
  EXPECT_TRUE(back.metadata.contains("mantissa.plain_lora_error"));
  EXPECT_EQ(back.metadata.at("ss_network_module"), "networks.lora");
  for (const AdapterModule& m : back.modules) {
    EXPECT_FALSE(m.dora_axis);
  }
}

TEST_F(LoraFiles, CountsWhatRoundingLoses) {
  std::vector<AdapterModule> modules = all();
  modules[0].up[0] = 1e-9F;
  modules[0].up[1] = 0.0F;
  std::size_t values = 0;
  for (const AdapterModule& m : modules) {
    values += m.down.size() + m.up.size();
  }
  options_.dtype = MasterType::bf16;
  const fs::path path = folder_ / "y.safetensors";
  EXPECT_EQ(write_adapter_file(path, modules, options_).losses.to_zero, 0);
  options_.dtype = MasterType::fp16;
  const WrittenAdapter written = write_adapter_file(folder_ / "x.safetensors", modules, options_);
  EXPECT_EQ(written.losses.to_zero, 1);
  EXPECT_EQ(written.losses.values, static_cast<std::int64_t>(values));
  ASSERT_EQ(written.notices.size(), 1U);
  const std::string told = written.notices[0].text();
  EXPECT_EQ(told.find("D8: "), 0U) << told;
  EXPECT_NE(told.find("round to zero in x.safetensors as fp16."), std::string::npos) << told;
  EXPECT_NE(told.find(R"({"output.dtype":"fp32"})"), std::string::npos) << told;
  options_.format = OutputFormat::peft;
  const WrittenAdapter folder = write_adapter_file(folder_ / "peft", modules, options_);
  EXPECT_EQ(folder.losses.to_zero, 1);
  EXPECT_TRUE(std::ranges::any_of(folder.notices, [](const Message& notice) {
    return notice.text().starts_with("D8: ");
  })) << "folders as well";
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
