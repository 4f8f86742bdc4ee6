// Adapters as written by other programs (tests/golden/make_adapters.py): read, applied, written
// again, merged, extracted, resized, continued from.
#include "engine/adapters/adapter_forms.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <tuple>

#include "engine/adapters/fixed_adapters.h"
#include "engine/adapters/low_rank.h"
#include "engine/adapters/module_weight.h"
#include "engine/adapters/read_adapter.h"
#include "engine/adapters/resize.h"
#include "engine/adapters/start.h"
#include "engine/adapters/trained_set.h"
#include "engine/graph/ops.h"
#include "engine/io/inspect.h"
#include "engine/io/json_file.h"
#include "engine/io/module_path.h"
#include "engine/preset/names.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/adapters/adapter_fixture.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;
using test::message_of;
namespace fs = std::filesystem;

class AdapterForms : public AdapterFixture {
 protected:
  /// The UNet's prediction under an adapter set, or of another model.
  std::vector<float> prediction(const WeightSource& source, FixedAdapters* set) {
    StableDiffusion model(kernels_.get(), source, set);
    model.bind(std::vector<Part>{kDenoiser, kTe1, kTe2});
    if (set != nullptr) {
      set->finalize([&](const Tensor& tensor, std::span<const float> values) {
        model.weights().replace(tensor, values);
      });
    }
    return predicted(model);
  }
};

double norm(const std::vector<float>& values) {
  double sum = 0;
  for (float x : values) {
    sum += static_cast<double>(x) * x;
  }
  return std::sqrt(sum);
}

TEST_F(AdapterForms, ChangeEveryWeightAsTheirOwnPrograms) {
  const nlohmann::json expected = read_json(golden("expected.json"));
  for (const char* name : kAdapterFiles) {
    SCOPED_TRACE(name);
    const auto got = changes(read_file(golden(name)));
    const auto& want = expected.at(name);
    ASSERT_EQ(got.size(), want.size());
    for (const auto& [path, delta] : got) {
      const auto print = want.at(traced_path(path)).get<std::array<double, 5>>();
      double wave = 0;
      for (std::size_t i = 0; i < delta.size(); ++i) {
        wave += delta[i] * std::cos(static_cast<double>(i));
      }
      // They merge in fp32, into weights of about 1: only the rounding there differs.
      const double tolerance = 2e-5 * print[0] + 5e-7;
      EXPECT_NEAR(norm(delta), print[0], tolerance) << path;
      EXPECT_NEAR(wave, print[1], tolerance) << path;
      EXPECT_NEAR(delta.front(), print[2], tolerance) << path;
      EXPECT_NEAR(delta[delta.size() / 2], print[3], tolerance) << path;
      EXPECT_NEAR(delta.back(), print[4], tolerance) << path;
    }
  }
}

TEST_F(AdapterForms, WholeDifferencesAloneAreAnAdapter) {
  test::TempFolder folder;
  const float values[4] = {1, 2, 3, 4};
  const fs::path file = folder / "x.safetensors";
  write_safetensors(file, std::vector<TensorToWrite>{
                              {"lora_unet_conv_in.diff_b", DType::f32, {4}, values, {}},
                              {"lora_unet_mid_block_norm.w_norm", DType::f32, {4}, values, {}}});
  const ModelSummary summary = inspect(file);
  EXPECT_EQ(summary.kind, ModelSummary::Kind::adapter);
  EXPECT_EQ(summary.form, "whole differences");
  EXPECT_EQ(summary.modules, 2);
}

TEST_F(AdapterForms, RunBesideTheModelAsTheyRunMerged) {
  for (const char* name : kAdapterFiles) {
    SCOPED_TRACE(name);
    const AdapterContents file = read_file(golden(name));
    const WeightedAdapter use{&file.modules, 0.7};
    FixedAdapters set(*kernels_, std::span(&use, 1));
    const std::vector<float> beside = prediction(source_, &set);
    ModelContents model = model_contents(source_, DType::f32);
    merge_adapters(model, source_, std::span(&use, 1));
    write_model(folder_ / "merged.safetensors", model);
    const WeightSource merged = WeightSource::open(folder_ / "merged.safetensors");
    EXPECT_LE(relative_error(prediction(merged, nullptr), beside), 2e-5);
    EXPECT_GT(relative_error(prediction(source_, nullptr), beside), 1e-4) << "it does something";
  }
}

TEST_F(AdapterForms, EveryFormatHoldsTheSameChanges) {
  for (const char* name : {"diffusers.safetensors", "peft", "peft_dora"}) {
    const AdapterContents file = read_file(golden(name));
    const auto want = changes(file);
    for (std::string_view format : enum_names<OutputFormat>()) {
      SCOPED_TRACE(std::string(name) + " as " + std::string(format));
      const OutputFormat f = *enum_from_name<OutputFormat>(format);
      const fs::path out = folder_ / (f == OutputFormat::peft ? "folder" : "x.safetensors");
      fs::remove_all(out);
      convert(golden(name), out, f);
      const auto got = changes(read_file(out));
      ASSERT_EQ(got.size(), want.size());
      // As plain LoRA a DoRA keeps 99 % of ‖W' - W‖².
      const bool plain = std::string(name) == "peft_dora" && file_form(f, DoraAxis::output).plain;
      for (const auto& [path, delta] : want) {
        std::vector<float> difference = got.at(path);
        for (std::size_t i = 0; i < delta.size(); ++i) {
          difference[i] -= delta[i];
        }
        EXPECT_LE(norm(difference), (plain ? 0.7 : 1e-5) * norm(delta)) << path;
      }
    }
  }
}

TEST_F(AdapterForms, NamesOfEveryProgramAreRead) {
  const float values[64 * 64] = {1, 2, 3};
  const auto read_as = [&](const std::string& module, const std::string& down,
                           const std::string& up, const Shape& a, const Shape& b) {
    const std::vector<TensorToWrite> tensors{{module + down, DType::f32, a, values, {}},
                                             {module + up, DType::f32, b, values, {}}};
    write_safetensors(folder_ / "x.safetensors", tensors);
    return read_file(folder_ / "x.safetensors").modules.at(0).path;
  };
  const std::string q = "denoiser.down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q";
  const std::string ldm = "input_blocks.3.1.transformer_blocks.0.attn1.to_q";
  const std::string kohya = "lora_unet_input_blocks_3_1_transformer_blocks_0_attn1_to_q";
  const std::string legacy = "down_blocks_1_attentions_0_transformer_blocks_0_attn1_to_q";
  const std::string bare = q.substr(9);
  const Shape down{2, 32}, up{32, 2};
  EXPECT_EQ(read_as(kohya, ".lora_down.weight", ".lora_up.weight", down, up), q);
  EXPECT_EQ(read_as("lora_unet_" + legacy, ".lora_down.weight", ".lora_up.weight", down, up), q);
  EXPECT_EQ(read_as("lycoris_" + legacy, ".lora_down.weight", ".lora_up.weight", down, up), q);
  EXPECT_EQ(read_as("diffusion_model." + ldm, ".lora_A.weight", ".lora_B.weight", down, up), q);
  EXPECT_EQ(
      read_as("model.diffusion_model." + ldm, ".lora_down.weight", ".lora_up.weight", down, up), q);
  EXPECT_EQ(read_as(bare, ".lora_A.weight", ".lora_B.weight", down, up), q);
  EXPECT_EQ(read_as("base_model.model." + bare, ".lora_A.default.weight", ".lora_B.default.weight",
                    down, up),
            q);
  EXPECT_EQ(
      read_as("unet.down_blocks.1.attentions.0.transformer_blocks.0.attn1.processor.to_q_lora",
              ".down.weight", ".up.weight", down, up),
      q);
  const std::string text = "te1.text_model.encoder.layers.0.self_attn.q_proj";
  EXPECT_EQ(read_as("lora_te1_text_model_encoder_layers_0_self_attn_q_proj", ".lora_down.weight",
                    ".lora_up.weight", {2, 16}, {16, 2}),
            text);
  EXPECT_EQ(read_as("text_encoders.clip_l.transformer.text_model.encoder.layers.0.self_attn.q_proj",
                    ".lora_down.weight", ".lora_up.weight", {2, 16}, {16, 2}),
            text);
}

// AI Toolkit divides by the norm of each output's row, as PEFT does, and names the magnitudes alike
// beside either form of its factors.
TEST_F(AdapterForms, AiToolkitsMagnitudesAreOfTheOutputs) {
  const std::string kohya =
      "lora_unet_input_blocks_3_1_transformer_blocks_0_attn1_to_q";  // as wide as it is high
  const std::string unet = "unet.down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q";
  std::vector<float> down(2 * 32), up(32 * 2), magnitude(32);
  for (std::size_t i = 0; i < down.size(); ++i) {
    down[i] = std::sin(static_cast<float>(i));
    up[i] = std::cos(static_cast<float>(i));
    magnitude[i % 32] = 1 + 0.1F * static_cast<float>(i % 7);
  }
  const auto write = [&](const std::string& module, const char* a, const char* b, const char* m,
                         const Shape& shape) {
    const std::vector<TensorToWrite> tensors{{module + a, DType::f32, {2, 32}, down.data(), {}},
                                             {module + b, DType::f32, {32, 2}, up.data(), {}},
                                             {module + m, DType::f32, shape, magnitude.data(), {}}};
    write_safetensors(folder_ / "x.safetensors", tensors);
    return folder_ / "x.safetensors";
  };
  const auto want = changes(
      read_file(write(kohya, ".lora_down.weight", ".lora_up.weight", ".dora_scale", {32, 1})));
  for (const auto& [module, a, b] : {std::tuple{kohya, ".lora_down.weight", ".lora_up.weight"},
                                     std::tuple{unet, ".lora_A.weight", ".lora_B.weight"}}) {
    const fs::path file = write(module, a, b, ".magnitude", {32});
    EXPECT_EQ(changes(read_file(file)), want) << module;
    EXPECT_TRUE(inspect(file).dora) << module;
    for (const OutputFormat format : {OutputFormat::kohya, OutputFormat::diffusers}) {
      convert(file, folder_ / "y.safetensors", format);
      for (const auto& [tensor, content] : contents(folder_ / "y.safetensors")) {
        EXPECT_FALSE(tensor.ends_with(".magnitude")) << tensor << ": no other program reads it";
      }
      for (const auto& [path, change] : changes(read_file(folder_ / "y.safetensors"))) {
        EXPECT_LE(test::deviation(change, want.at(path)), 1e-5) << path;
      }
    }
  }
}

TEST_F(AdapterForms, MergedThenExtractedIsTheAdapterWithinItsRank) {
  for (const char* name : {"diffusers.safetensors", "loha.safetensors"}) {
    SCOPED_TRACE(name);
    const AdapterContents file = read_file(golden(name));
    const WeightedAdapter use{&file.modules, 1};
    ModelContents model = model_contents(source_, DType::f32);
    merge_adapters(model, source_, std::span(&use, 1));
    write_model(folder_ / "merged.safetensors", model);
    int rank = 0;
    for (const AdapterModule& m : file.modules) {
      rank = std::max(rank, m.rank);
    }
    const ExtractResult back =
        extract_adapter(source_, WeightSource::open(folder_ / "merged.safetensors"), rank, 1.0);
    ASSERT_EQ(back.modules.size(), file.modules.size());
    EXPECT_TRUE(back.left_out.empty());
    const auto want = changes(file);
    for (const AdapterModule& m : back.modules) {
      EXPECT_LE(change_error(m, want.at(m.path)), 1e-3) << m.path;
    }
  }
}

// FLUX.1 dev has a layer for its guidance scale, which no adapter of schnell's network holds.
TEST_F(AdapterForms, ModelsOfDifferentNetworksHaveNoDifference) {
  const WeightSource schnell = WeightSource::open(golden_model("flux1_base.safetensors"));
  const WeightSource dev = WeightSource::open(golden_model("flux1_bare.safetensors"));
  for (const auto& [base, tuned] : {std::pair{&schnell, &dev}, std::pair{&dev, &schnell}}) {
    test::expect_error_with([&] { extract_adapter(*base, *tuned, 4, 1.0); },
                            {"flux1_bare.safetensors (FLUX.1 dev)",
                             "flux1_base.safetensors (FLUX.1 schnell)", "different networks"});
  }
}

TEST_F(AdapterForms, MergingIntoFp8IsRefused) {
  const AdapterContents file = read_file(golden("diffusers.safetensors"));
  const WeightedAdapter use{&file.modules, 1};
  ModelContents model = model_contents(source_);
  for (ModelTensor& t : model.parts[kDenoiser]) {
    t.dtype = DType::f8_e4m3;
  }
  EXPECT_NE(message_of([&] { merge_adapters(model, source_, std::span(&use, 1)); }).find("Q5"),
            std::string::npos);
}

TEST_F(AdapterForms, ResizingKeepsWhatTheRankHolds) {
  const AdapterContents file = read_file(golden("loha.safetensors"));
  for (const AdapterModule& m : file.modules) {
    const std::vector<float> w = weight(m.path), want = weight_delta(m, w);
    const auto error_at = [&](int rank, double energy) {
      const PlainLora small = resized(m, rank, energy);
      EXPECT_LE(small.module.rank, rank);
      std::vector<float> difference = weight_delta(small.module, w);
      for (std::size_t i = 0; i < difference.size(); ++i) {
        difference[i] -= want[i];
      }
      EXPECT_NEAR(norm(difference) / norm(want), small.error, 1e-4);
      return small.error;
    };
    EXPECT_LE(error_at(64, 1), 1e-5);
    const double two = error_at(2, 1), one = error_at(1, 1);
    EXPECT_GT(one, two);
    // No rank-2 matrix is nearer: the same as by the whole matrix.
    Shape shape = m.down_shape;
    shape[0] = m.up_shape[0];
    EXPECT_NEAR(low_rank_module(m.path, shape, want, 2).error, two, 1e-4);
    EXPECT_LE(error_at(64, 0.9), std::sqrt(0.1) + 1e-6);
  }
}

TEST_F(AdapterForms, FactorsOfConvolutionsGetTheShapesOfTheirWeights) {
  int convolutions = 0;
  for (const char* name : kAdapterFiles) {
    for (const AdapterModule& m : read_file(golden(name)).modules) {
      const auto [part, weight_name] = weight_of_module(m.path);
      const Shape weight = source_.shape(part, weight_name);
      if (weight.rank() != 4 || m.rank == 0) {
        continue;
      }
      EXPECT_EQ(m.down_shape, (Shape{m.rank, weight[1], weight[2], weight[3]})) << name << m.path;
      EXPECT_EQ(m.up_shape, (Shape{weight[0], m.rank, 1, 1})) << name << m.path;
      ++convolutions;
    }
  }
  EXPECT_GE(convolutions, 5);
  // LoHa stores them flat.
  const std::string path = "denoiser.down_blocks.0.resnets.0.conv1";
  const auto [part, weight_name] = weight_of_module(path);
  const Shape weight = source_.shape(part, weight_name);
  AdapterModule flat;
  flat.path = path;
  flat.rank = 2;
  flat.down_shape = {2, weight.count() / weight[0]};
  flat.up_shape = {weight[0], 2};
  std::vector<AdapterModule> modules{flat, flat};
  modules[1].down_shape[1] += 1;  // of another model: refused elsewhere
  fit_shapes(modules, source_);
  EXPECT_EQ(modules[0].down_shape, (Shape{2, weight[1], weight[2], weight[3]}));
  EXPECT_EQ(modules[0].up_shape, (Shape{weight[0], 2, 1, 1}));
  EXPECT_EQ(modules[1].down_shape.rank(), 2);
}

TEST_F(AdapterForms, ANegativeAlphaIsResizedWithItsSign) {
  for (AdapterModule m : read_file(golden("diffusers.safetensors")).modules) {
    m.alpha = -1.5 * m.rank;
    const PlainLora same = resized(m, m.rank), most = resized(m, m.rank, 0.99);
    EXPECT_LE(change_error(same.module, weight_delta(m, weight(m.path))), 1e-5) << m.path;
    EXPECT_LE(most.error, 0.1 + 1e-6) << "what is left out is a share of the scaled change";
    EXPECT_NEAR(change_error(most.module, weight_delta(m, weight(m.path))), most.error, 1e-4);
  }
}

TEST_F(AdapterForms, ChannelsWithoutAWeightGetTheirLoraAlone) {
  // W' = m·V/‖V‖ is undefined where W is zero: such a channel is plain LoRA, as in training.
  AdapterModule m = read_file(golden("peft_dora")).modules.at(0);
  std::vector<float> w = weight(m.path);
  const std::size_t cols = w.size() / static_cast<std::size_t>(m.up_shape[0]);
  std::fill_n(w.begin(), cols, 0.0F);
  ASSERT_EQ(m.dora_axis, DoraAxis::output);
  AdapterModule plain = m;
  plain.dora_axis.reset();
  const std::vector<float> got = weight_delta(m, w), want = weight_delta(plain, w);
  EXPECT_EQ(std::vector<float>(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(cols)),
            std::vector<float>(want.begin(), want.begin() + static_cast<std::ptrdiff_t>(cols)));
  EXPECT_NE(got, want);
}

TEST_F(AdapterForms, TrainingContinuesFromAnyForm) {
  const std::vector<std::string> targets{"*.attn1.to_q", "*.attn2.to_k",
                                         "unet.down_blocks.0.resnets.0.conv1",
                                         "text_encoder.*.layers.0.self_attn.q_proj"};
  const auto predict_from = [&](const char* name, int rank, AdapterType type, DoraAxis axis,
                                std::vector<Message>* notices) {
    Preset preset = lora_preset(targets, rank, rank, 3, {kDenoiser, kTe1});
    preset.adapter.type = type;
    preset.adapter.dora_axis = axis;
    TrainedSet set(*kernels_, preset, source_.family());
    StableDiffusion model(kernels_.get(), source_, &set);
    model.bind(std::vector<Part>{kDenoiser, kTe1});
    set.finalize(1);
    *notices = start_from(set, read_file(golden(name)).modules, name);
    return predicted(model);
  };
  const auto applied = [&](const char* name) {
    const AdapterContents file = read_file(golden(name));
    const WeightedAdapter use{&file.modules, 1};
    FixedAdapters set(*kernels_, std::span(&use, 1));
    return prediction(source_, &set);
  };
  std::vector<Message> notices;
  const auto same = [&](const char* name, int rank, AdapterType type, DoraAxis axis) {
    return relative_error(predict_from(name, rank, type, axis, &notices), applied(name));
  };
  using enum AdapterType;
  EXPECT_LE(same("diffusers.safetensors", 3, lora, DoraAxis::output), 1e-5);
  EXPECT_LE(same("diffusers.safetensors", 8, lora, DoraAxis::output), 1e-5);
  ASSERT_FALSE(notices.empty());  // other modules match the patterns and start fresh
  EXPECT_NE(notices.back().text().find("start fresh"), std::string::npos);
  EXPECT_LE(same("diffusers.safetensors", 8, dora, DoraAxis::input), 1e-5);
  EXPECT_LE(same("peft_dora", 4, dora, DoraAxis::output), 1e-5);
  EXPECT_LE(same("dora_input.safetensors", 4, dora, DoraAxis::input), 1e-5);
  EXPECT_LE(same("loha.safetensors", 16, lora, DoraAxis::output), 1e-5);
  EXPECT_LE(same("lokr.safetensors", 48, lora, DoraAxis::output), 1e-5);
  same("loha.safetensors", 2, lora, DoraAxis::output);
  EXPECT_NE(notices.front().text().find("cut to the rank trained here"), std::string::npos);
  const auto refused = [&](const char* name, AdapterType type, DoraAxis axis) {
    return message_of([&] { predict_from(name, 4, type, axis, &notices); });
  };
  EXPECT_NE(refused("peft_dora", lora, DoraAxis::output).find("adapter.type"), std::string::npos);
  EXPECT_NE(refused("peft_dora", dora, DoraAxis::input).find("adapter.dora_axis"),
            std::string::npos);
}

TEST_F(AdapterForms, NoDirectionIsDeadInAContinuedAdapter) {
  // With A and B both zero a direction would never get a gradient.
  constexpr int kFile = 32, kTrained = 8;
  AdapterModule m;
  m.path = "denoiser.down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q";
  const auto [part, name] = weight_of_module(m.path);
  const Shape weight = source_.shape(part, name);
  m.rank = kFile;
  m.alpha = kFile;
  m.down_shape = {kFile, weight[1]};
  m.up_shape = {weight[0], kFile};
  for (std::int64_t i = 0; i < m.down_shape.count(); ++i) {
    m.down.push_back(std::sin(1.7F * static_cast<float>(i * i % 97)));  // of full rank
  }
  const auto dead_and_fresh = [&](int columns) {
    m.up.assign(static_cast<std::size_t>(m.up_shape.count()), 0.0F);
    for (std::size_t i = 0; i < m.up.size(); ++i) {
      m.up[i] = i % kFile < static_cast<std::size_t>(columns)
                    ? std::cos(0.9F * static_cast<float>(i * i % 101))
                    : 0.0F;
    }
    const Preset preset = lora_preset({m.path}, kTrained, kTrained, 3, {kDenoiser});
    TrainedSet set(*kernels_, preset, source_.family());
    StableDiffusion model(kernels_.get(), source_, &set);
    model.bind(std::vector<Part>{kDenoiser});
    set.finalize(1);
    const Adapter& adapter = *set.adapter(m.path);
    const std::vector<float> fresh = set.values(adapter.down);
    start_from(set, {m}, "x");
    const std::vector<float> down = set.values(adapter.down), up = set.values(adapter.up);
    const std::size_t width = down.size() / kTrained;
    std::pair<int, int> counts;
    for (std::size_t r = 0; r < kTrained; ++r) {
      const auto row = down.begin() + static_cast<std::ptrdiff_t>(r * width);
      counts.first += std::all_of(row, row + static_cast<std::ptrdiff_t>(width),
                                  [](float x) { return std::fabs(x) < 1e-6F; })
                          ? 1
                          : 0;
      bool zero = std::equal(row, row + static_cast<std::ptrdiff_t>(width),
                             fresh.begin() + static_cast<std::ptrdiff_t>(r * width));
      for (std::size_t i = r; i < up.size(); i += kTrained) {
        zero = zero && up[i] == 0.0F;
      }
      counts.second += zero ? 1 : 0;
    }
    return counts;
  };
  EXPECT_EQ(dead_and_fresh(4), std::pair(0, 4));
  EXPECT_EQ(dead_and_fresh(0), std::pair(0, kTrained));
}

TEST_F(AdapterForms, AnOpenAxisIsAnsweredNeverGuessed) {
  std::vector<TensorToWrite> tensors;
  const float values[64 * 64] = {1, 2, 3};
  const std::string square = "unet.down_blocks.1.attentions.0.transformer_blocks.0.attn1.to_q";
  tensors.push_back({square + ".lora_down.weight", DType::f32, {2, 32}, values, {}});
  tensors.push_back({square + ".lora_up.weight", DType::f32, {32, 2}, values, {}});
  tensors.push_back({square + ".dora_scale", DType::f32, {32}, values, {}});
  write_safetensors(folder_ / "x.safetensors", tensors);
  EXPECT_NE(message_of([&] { read_file(folder_ / "x.safetensors"); }).find("--dora-axis"),
            std::string::npos);
  for (DoraAxis axis : {DoraAxis::input, DoraAxis::output}) {
    EXPECT_EQ(read_file(folder_ / "x.safetensors", axis).modules.at(0).dora_axis, axis);
  }
}

}  // namespace
}  // namespace mantissa
