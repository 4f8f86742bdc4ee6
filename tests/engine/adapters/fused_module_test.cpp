// LoRAs of fused q, k and v, as in the original checkpoints, on a model that has them apart, are
// read and written.
#include "engine/adapters/fused_module.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>

#include "engine/adapters/convert.h"
#include "engine/adapters/delta.h"
#include "engine/adapters/export.h"
#include "engine/adapters/read_adapter.h"
#include "engine/io/file.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using test::expect_error_with;
using testing_support::golden_model;
using testing_support::relative_error;

constexpr std::int64_t kWidth = 40, kRank = 3;

/// A matrix of any numbers.
std::vector<float> matrix(std::int64_t rows, std::int64_t columns, double seed) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    values.push_back(static_cast<float>(std::sin(seed + 0.7 * static_cast<double>(i * i % 1009))));
  }
  return values;
}

std::vector<float> product(const std::vector<float>& up, const std::vector<float>& down,
                           std::int64_t rank, double scale) {
  const auto r = static_cast<std::size_t>(rank);
  const std::size_t rows = up.size() / r, columns = down.size() / r;
  std::vector<float> values(rows * columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < r; ++k) {
        sum += static_cast<double>(up[i * r + k]) * static_cast<double>(down[k * columns + j]);
      }
      values[i * columns + j] = static_cast<float>(scale * sum);
    }
  }
  return values;
}

class FusedModules : public ::testing::Test {
 protected:
  struct Stored {
    std::string name;
    Shape shape;
    std::vector<float> values;
  };
  FusedModules() : base_(WeightSource::open(golden_model("z_image_base.safetensors"))) {}

  fs::path write(const std::vector<Stored>& tensors) const {
    std::vector<TensorToWrite> list;
    for (const Stored& t : tensors) {
      list.push_back({t.name, DType::f32, t.shape, t.values.data(), {}});
    }
    write_safetensors(folder_ / "x.safetensors", list);
    return folder_ / "x.safetensors";
  }
  /// A LoRA of alpha 6 whose modules have names ending in `down` and `up`.
  fs::path lora(const std::string& module, const std::string& down, const std::string& up) const {
    return write({{module + down, {kRank, kWidth}, down_},
                  {module + up, {3 * kWidth, kRank}, up_},
                  {module + ".alpha", {1}, {6}}});
  }
  std::vector<AdapterModule> read(const fs::path& path) const {
    return read_adapter(path, base_).modules;
  }
  std::vector<float> weight(const std::string& path) const {
    const std::string name = path.substr(path.find('.') + 1) + ".weight";
    std::vector<float> values(static_cast<std::size_t>(base_.shape(kDenoiser, name).count()));
    base_.read_f32(kDenoiser, name, values);
    return values;
  }
  /// The changes of q, k and v, one after another.
  std::vector<float> changes(const fs::path& path) const {
    std::vector<float> all;
    const std::vector<AdapterModule> modules = read(path);
    EXPECT_EQ(modules.size(), 3U);
    for (const char* projection : {"to_q", "to_k", "to_v"}) {
      const std::string wanted = std::string("denoiser.layers.1.attention.") + projection;
      for (const AdapterModule& module : modules) {
        if (module.path == wanted) {
          const std::vector<float> own = weight_delta(module, weight(wanted));
          all.insert(all.end(), own.begin(), own.end());
        }
      }
    }
    return all;
  }

  test::TempFolder folder_;
  WeightSource base_;
  std::vector<float> down_ = matrix(kRank, kWidth, 1), up_ = matrix(3 * kWidth, kRank, 2);
};

TEST_F(FusedModules, LoraIsThirdsOfUpWithOneDown) {
  const std::vector<float> want = product(up_, down_, kRank, 6.0 / kRank);
  const struct {
    const char* module;
    const char* down;
    const char* up;
  } forms[] = {
      {"diffusion_model.layers.1.attention.qkv", ".lora_A.weight", ".lora_B.weight"},
      {"model.diffusion_model.layers.1.attention.qkv", ".lora_down.weight", ".lora_up.weight"},
      {"transformer.layers.1.attention.qkv", ".lora_A.weight", ".lora_B.weight"},
      {"layers.1.attention.qkv", ".lora.down.weight", ".lora.up.weight"},
      {"lora_unet_layers_1_attention_qkv", ".lora_down.weight", ".lora_up.weight"},
      {"lycoris_layers_1_attention_qkv", ".lora_down.weight", ".lora_up.weight"},
      {"base_model.model.layers.1.attention.qkv", ".lora_A.weight", ".lora_B.weight"},
  };
  for (const auto& [module, down, up] : forms) {
    const fs::path file = lora(module, down, up);
    EXPECT_LE(relative_error(changes(file), want), 1e-6) << module;
    for (const AdapterModule& part : read(file)) {
      EXPECT_EQ(part.rank, kRank);
      EXPECT_EQ(part.down, down_);
      EXPECT_EQ(part.up_shape, (Shape{kWidth, kRank}));
    }
  }
}

TEST_F(FusedModules, LokrIsSplitAsWell) {
  const std::vector<float> w1 = matrix(6, 4, 3), w2 = matrix(20, 10, 4);
  const fs::path file = write({{"diffusion_model.layers.1.attention.qkv.lokr_w1", {6, 4}, w1},
                               {"diffusion_model.layers.1.attention.qkv.lokr_w2", {20, 10}, w2}});
  std::vector<float> want;
  for (std::size_t i = 0; i < 120; ++i) {
    for (std::size_t j = 0; j < 40; ++j) {
      want.push_back(w1[i / 20 * 4 + j / 10] * w2[i % 20 * 10 + j % 10]);
    }
  }
  EXPECT_LE(relative_error(changes(file), want), 1e-6);
}

TEST_F(FusedModules, DoraPerOutputHasItsShareOfTheMagnitudes) {
  const std::string module = "diffusion_model.layers.1.attention.qkv";
  const std::vector<float> magnitudes = matrix(3 * kWidth, 1, 5);
  const fs::path file = write({{module + ".lora_A.weight", {kRank, kWidth}, down_},
                               {module + ".lora_B.weight", {3 * kWidth, kRank}, up_},
                               {module + ".dora_scale", {3 * kWidth, 1}, magnitudes}});
  std::vector<float> fused;
  for (const char* projection : {"to_q", "to_k", "to_v"}) {
    const auto own = weight(std::string("denoiser.layers.1.attention.") + projection);
    fused.insert(fused.end(), own.begin(), own.end());
  }
  AdapterModule whole;
  whole.path = module;
  whole.rank = kRank;
  whole.alpha = kRank;
  whole.down_shape = {kRank, kWidth};
  whole.up_shape = {3 * kWidth, kRank};
  whole.down = down_;
  whole.up = up_;
  whole.dora_axis = DoraAxis::output;
  whole.magnitude = magnitudes;
  EXPECT_LE(relative_error(changes(file), weight_delta(whole, fused)), 1e-6);
}

TEST_F(FusedModules, DoraPerInputIsRefused) {
  const std::string module = "diffusion_model.layers.1.attention.qkv";
  const fs::path file = write({{module + ".lora_A.weight", {kRank, kWidth}, down_},
                               {module + ".lora_B.weight", {3 * kWidth, kRank}, up_},
                               {module + ".dora_scale", {1, kWidth}, matrix(1, kWidth, 5)}});
  expect_error_with([&] { read(file); }, {"x.safetensors", "layers.1.attention.qkv",
                                          "a DoRA per input of 3 fused projections", "plain LoRA"});
}

TEST_F(FusedModules, OutputsThatDoNotDivideAreRefused) {
  const std::string module = "diffusion_model.layers.1.attention.qkv";
  const fs::path file = write({{module + ".lora_A.weight", {kRank, kWidth}, down_},
                               {module + ".lora_B.weight", {100, kRank}, matrix(100, kRank, 2)}});
  expect_error_with([&] { read(file); },
                    {"layers.1.attention.qkv", "100 outputs", "3 projections"});
}

TEST_F(FusedModules, BothFusedAndAloneAreRefused) {
  const std::string fused = "diffusion_model.layers.1.attention.qkv",
                    alone = "diffusion_model.layers.1.attention.to_k";
  const fs::path file = write({{fused + ".lora_A.weight", {kRank, kWidth}, down_},
                               {fused + ".lora_B.weight", {3 * kWidth, kRank}, up_},
                               {alone + ".lora_A.weight", {kRank, kWidth}, down_},
                               {alone + ".lora_B.weight", {kWidth, kRank}, matrix(kWidth, 3, 2)}});
  expect_error_with([&] { read(file); }, {fused, alone, "the same weight"});
}

TEST_F(FusedModules, OfOtherModelsAreUnknown) {
  const fs::path file =
      lora("diffusion_model.layers.7.attention.qkv", ".lora_A.weight", ".lora_B.weight");
  expect_error_with([&] { read(file); }, {"layers.7", "base model lacks"});
}

TEST_F(FusedModules, AreWrittenApart) {
  const std::vector<float> want = product(up_, down_, kRank, 6.0 / kRank);
  ConvertRequest request;
  request.file =
      lora("diffusion_model.layers.1.attention.qkv", ".lora_down.weight", ".lora_up.weight");
  request.out = folder_ / "y.safetensors";
  request.format = OutputFormat::comfyui;
  const ConvertResult result = convert_adapter(request, base_);
  EXPECT_EQ(result.modules, 3);
  EXPECT_FALSE(result.renamed);
  const auto written = SafetensorsFile::open(request.out);
  EXPECT_EQ(written.find("diffusion_model.layers.1.attention.qkv.lora_up.weight"), nullptr);
  EXPECT_NE(written.find("diffusion_model.layers.1.attention.to_v.lora_up.weight"), nullptr);
  EXPECT_LE(relative_error(changes(request.out), want), 1e-6);
}

/// Files that hold q, k and v of a model as one layer: FLUX.2's in kohya's naming.
class JoinedModules : public ::testing::Test {
 protected:
  explicit JoinedModules(const char* model = "flux2_base.safetensors")
      : base_(WeightSource::open(golden_model(model))) {
    width_ = base_.shape(kDenoiser, "transformer_blocks.1.attn.to_q.weight")[0];
  }

  /// An adapter of the named projection of a block, whose numbers depend on `seed`.
  AdapterModule module(const std::string& projection, int rank, double alpha, double seed) const {
    AdapterModule m;
    m.path = "denoiser.transformer_blocks.1.attn." + projection;
    m.rank = rank;
    m.alpha = alpha;
    m.down_shape = {rank, width_};
    m.up_shape = {width_, rank};
    m.down = matrix(rank, width_, seed);
    m.up = matrix(width_, rank, seed + 1);
    return m;
  }
  WrittenAdapter write(const std::vector<AdapterModule>& modules, OutputFormat format) const {
    AdapterExport options;
    options.format = format;
    options.dtype = MasterType::fp32;
    options.base = base_.model_names();
    options.plain_rank = static_cast<int>(width_);  // exact
    options.base_weight = [&](std::string_view path) { return weight(std::string(path)); };
    return write_adapter_file(file(), modules, options);
  }
  fs::path file() const { return folder_ / "x.safetensors"; }
  std::vector<AdapterModule> read() const { return read_adapter(file(), base_).modules; }
  std::vector<float> weight(const std::string& path) const {
    const std::string name = path.substr(path.find('.') + 1) + ".weight";
    std::vector<float> values(static_cast<std::size_t>(base_.shape(kDenoiser, name).count()));
    base_.read_f32(kDenoiser, name, values);
    return values;
  }
  /// The changes that the file makes are those of the modules; of others it makes none.
  void expect_same_changes(const std::vector<AdapterModule>& wanted, double limit) const {
    for (const AdapterModule& found : read()) {
      const auto same = std::find_if(wanted.begin(), wanted.end(),
                                     [&](const AdapterModule& m) { return m.path == found.path; });
      const std::vector<float> own = weight(found.path);
      const std::vector<float> change = weight_delta(found, own);
      if (same == wanted.end()) {
        EXPECT_EQ(change, std::vector<float>(change.size())) << found.path;
      } else {
        EXPECT_LE(relative_error(change, weight_delta(*same, own)), limit) << found.path;
      }
    }
  }

  test::TempFolder folder_;
  WeightSource base_;
  std::int64_t width_ = 0;
};

constexpr const char* kJoined = "lora_unet_double_blocks_1_img_attn_qkv";

TEST_F(JoinedModules, RanksAndScalesOfTheirOwn) {
  const std::vector<AdapterModule> modules{module("to_q", 3, 3, 1), module("to_k", 2, 5, 3),
                                           module("to_v", 4, 2, 5)};
  write(modules, OutputFormat::kohya);
  const auto written = SafetensorsFile::open(file());
  const std::string name = kJoined;
  EXPECT_EQ(written.find(name + ".lora_down.weight")->shape(), (Shape{9, width_}));
  EXPECT_EQ(written.find(name + ".lora_up.weight")->shape(), (Shape{3 * width_, 9}));
  EXPECT_EQ(written.tensors().size(), 3U);
  EXPECT_EQ(read().size(), 3U);
  expect_same_changes(modules, 1e-6);
}

TEST_F(JoinedModules, OneWithoutAnAdapterIsUnchanged) {
  const std::vector<AdapterModule> modules{module("to_q", 3, 6, 1), module("to_v", 3, 6, 5)};
  write(modules, OutputFormat::comfyui);
  EXPECT_EQ(SafetensorsFile::open(file()).find(std::string(kJoined) + ".lora_up.weight")->shape(),
            (Shape{3 * width_, 6}));
  expect_same_changes(modules, 1e-6);
}

TEST_F(JoinedModules, ComeApartAsTheyWere) {
  std::vector<AdapterModule> modules{module("to_q", 3, 6, 1), module("to_v", 2, 4, 5)};
  write(modules, OutputFormat::comfyui);
  const std::vector<AdapterModule> found = read();
  ASSERT_EQ(found.size(), 2U) << "to_k has no adapter";
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(found[i].path, modules[i].path);
    EXPECT_EQ(found[i].rank, modules[i].rank);
    EXPECT_EQ(found[i].alpha, modules[i].alpha);
    EXPECT_EQ(found[i].down_shape, modules[i].down_shape);
    EXPECT_EQ(found[i].up_shape, modules[i].up_shape);
    EXPECT_EQ(found[i].down, modules[i].down);
    EXPECT_EQ(found[i].up, modules[i].up);
  }
}

TEST_F(JoinedModules, WithoutAChangeAllStay) {
  std::vector<AdapterModule> modules{module("to_q", 3, 6, 1), module("to_k", 3, 6, 3)};
  for (AdapterModule& m : modules) {
    std::ranges::fill(m.up, 0.0F);
  }
  write(modules, OutputFormat::comfyui);
  EXPECT_EQ(read().size(), 3U);
  expect_same_changes(modules, 0);
}

TEST_F(JoinedModules, WhatWasSplitIsJoinedAtItsRank) {
  std::vector<AdapterModule> modules{module("to_q", 3, 6, 1), module("to_k", 3, 6, 3),
                                     module("to_v", 3, 6, 5)};
  modules[1].down = modules[2].down = modules[0].down;
  write(modules, OutputFormat::kohya);
  EXPECT_EQ(SafetensorsFile::open(file()).find(std::string(kJoined) + ".lora_down.weight")->shape(),
            (Shape{3, width_}));
  expect_same_changes(modules, 1e-6);
  const fs::path again = folder_ / "y.safetensors";
  const ConvertResult renamed =
      convert_adapter({.file = file(), .out = again, .format = OutputFormat::comfyui}, base_);
  EXPECT_TRUE(renamed.renamed) << "the same naming";
  EXPECT_EQ(read_text(again), read_text(file()));
}

TEST_F(JoinedModules, DoraPerOutputStaysOne) {
  std::vector<AdapterModule> modules{module("add_q_proj", 2, 2, 1), module("add_k_proj", 3, 3, 3),
                                     module("add_v_proj", 2, 4, 5)};
  for (AdapterModule& m : modules) {
    m.dora_axis = DoraAxis::output;
    m.magnitude = matrix(width_, 1, 7 + m.alpha);
  }
  write(modules, OutputFormat::kohya);
  for (const AdapterModule& m : read()) {
    EXPECT_EQ(m.dora_axis, DoraAxis::output) << m.path;
  }
  EXPECT_EQ(read().size(), 3U);
  expect_same_changes(modules, 1e-6);
}

TEST_F(JoinedModules, ADoraThatCannotBeOneBecomesPlain) {
  std::vector<AdapterModule> modules{module("to_q", 2, 2, 1), module("to_k", 2, 2, 3),
                                     module("to_v", 2, 2, 5)};
  for (AdapterModule& m : modules) {
    m.dora_axis = DoraAxis::input;
    m.magnitude = matrix(width_, 1, 7 + m.alpha);
  }
  const auto expect_plain = [&](const std::vector<AdapterModule>& list) {
    const WrittenAdapter written = write(list, OutputFormat::kohya);
    ASSERT_FALSE(written.notices.empty());
    EXPECT_NE(written.notices.front().text().find("q, k and v as one layer"), std::string::npos);
    for (const AdapterModule& m : read()) {
      EXPECT_FALSE(m.dora_axis) << m.path;
    }
    expect_same_changes(list, 1e-3);
  };
  expect_plain(modules);
  for (AdapterModule& m : modules) {
    m.dora_axis = DoraAxis::output;
  }
  expect_plain({modules[0], modules[2]});
}

/// q, k, v and a feed-forward's entry, four times as wide, of a single block: FLUX.1's in kohya's
/// naming.
class JoinedUnequal : public JoinedModules {
 protected:
  JoinedUnequal() : JoinedModules("flux1_base.safetensors") {}

  AdapterModule module(const std::string& name, int rank, double alpha, double seed) const {
    AdapterModule m;
    m.path = "denoiser.single_transformer_blocks.0." + name;
    m.rank = rank;
    m.alpha = alpha;
    const std::int64_t rows = (name == "proj_mlp" ? 4 : 1) * width_;
    m.down_shape = {rank, width_};
    m.up_shape = {rows, rank};
    m.down = matrix(rank, width_, seed);
    m.up = matrix(rows, rank, seed + 1);
    return m;
  }
  Shape shape_of(const char* tensor) const {
    const std::string name = std::string("lora_unet_single_blocks_0_linear1.") + tensor;
    return SafetensorsFile::open(file()).find(name)->shape();
  }
};

TEST_F(JoinedUnequal, RanksAndScalesOfTheirOwn) {
  const std::vector<AdapterModule> modules{
      module("attn.to_q", 3, 3, 1), module("attn.to_k", 2, 5, 3), module("attn.to_v", 4, 2, 5),
      module("proj_mlp", 2, 3, 7)};
  write(modules, OutputFormat::kohya);
  EXPECT_EQ(shape_of("lora_down.weight"), (Shape{11, width_}));
  EXPECT_EQ(shape_of("lora_up.weight"), (Shape{7 * width_, 11}));
  EXPECT_EQ(read().size(), 4U);
  expect_same_changes(modules, 1e-6);
}

TEST_F(JoinedUnequal, OnesWithoutAnAdapterAreUnchanged) {
  for (const auto& modules :
       {std::vector{module("proj_mlp", 3, 6, 1)},
        std::vector{module("attn.to_k", 3, 6, 1), module("attn.to_v", 2, 6, 5)},
        std::vector{module("attn.to_q", 3, 6, 1), module("proj_mlp", 3, 2, 5)}}) {
    write(modules, OutputFormat::comfyui);
    EXPECT_EQ(shape_of("lora_up.weight")[0], 7 * width_);
    EXPECT_EQ(read().size(), modules.size());
    expect_same_changes(modules, 1e-6);
    fs::remove(file());
  }
}

TEST_F(JoinedUnequal, HaveOneTrainersOwnNames) {
  const std::vector<AdapterModule> modules{module("attn.to_q", 3, 6, 1),
                                           module("proj_mlp", 2, 2, 5)};
  write(modules, OutputFormat::onetrainer);
  const auto written = SafetensorsFile::open(file());
  const std::string block = "lora_transformer_single_transformer_blocks_0_";
  EXPECT_NE(written.find(block + "attn_to_q.lora_down.weight"), nullptr);
  EXPECT_NE(written.find(block + "proj_mlp.lora_up.weight"), nullptr);
  EXPECT_EQ(read().size(), modules.size());
  expect_same_changes(modules, 1e-6);
}

/// The tensors of a file, each under another name.
void rename_tensors(const fs::path& from, const fs::path& to,
                    const std::function<std::string(std::string)>& renamed) {
  const SafetensorsFile file = SafetensorsFile::open(from);
  std::vector<TensorToWrite> tensors;
  for (const TensorInfo& tensor : file.tensors()) {
    tensors.push_back({renamed(tensor.name), DType::f32, tensor.shape(), tensor.data, {}});
  }
  write_safetensors(to, tensors);
}

TEST_F(JoinedUnequal, AreReadByTheNumberedNamesOfTheirShares) {
  std::vector<AdapterModule> modules{module("attn.to_k", 3, 6, 1), module("proj_mlp", 2, 2, 5),
                                     module("proj_out", 2, 1, 7)};
  modules[2].down_shape = {2, 5 * width_};
  modules[2].down = matrix(2, 5 * width_, 9);
  write(modules, OutputFormat::onetrainer);
  const fs::path numbered = folder_ / "numbered.safetensors";
  rename_tensors(file(), numbered, [](std::string name) {
    const std::map<std::string, std::string> modules_of{
        {"attn_to_k", "linear1.1"}, {"proj_mlp", "linear1.3"}, {"proj_out", "linear2"}};
    const std::size_t dot = name.find('.');
    const std::string head = "lora_transformer_single_transformer_blocks_0_";
    return "transformer.single_blocks.0." +
           modules_of.at(name.substr(head.size(), dot - head.size())) + name.substr(dot);
  });
  const std::vector<AdapterModule> wanted = read();
  const std::vector<AdapterModule> found = read_adapter(numbered, base_).modules;
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].path, wanted[i].path);
    EXPECT_EQ(found[i].up, wanted[i].up) << found[i].path;
    EXPECT_EQ(found[i].alpha, wanted[i].alpha);
  }
}

TEST_F(JoinedUnequal, WhatWasSplitIsJoinedAtItsRank) {
  std::vector<AdapterModule> modules{module("attn.to_q", 3, 6, 1), module("attn.to_k", 3, 6, 3),
                                     module("attn.to_v", 3, 6, 5), module("proj_mlp", 3, 6, 7)};
  for (AdapterModule& m : modules) {
    m.down = modules[0].down;
  }
  write(modules, OutputFormat::kohya);
  EXPECT_EQ(shape_of("lora_down.weight"), (Shape{3, width_}));
  expect_same_changes(modules, 1e-6);
}

TEST_F(JoinedUnequal, DoraPerOutputStaysOne) {
  std::vector<AdapterModule> modules{module("attn.to_q", 2, 2, 1), module("attn.to_k", 3, 3, 3),
                                     module("attn.to_v", 2, 4, 5), module("proj_mlp", 2, 4, 7)};
  for (AdapterModule& m : modules) {
    m.dora_axis = DoraAxis::output;
    m.magnitude = matrix(m.up_shape[0], 1, 7 + m.alpha);
  }
  write(modules, OutputFormat::kohya);
  for (const AdapterModule& m : read()) {
    EXPECT_EQ(m.dora_axis, DoraAxis::output) << m.path;
  }
  expect_same_changes(modules, 1e-6);
}

}  // namespace
}  // namespace mantissa
