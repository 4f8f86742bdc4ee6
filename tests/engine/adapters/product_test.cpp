// LoHa and LoKr as trained sets and in files.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/module_weight.h"
#include "engine/adapters/read_adapter.h"
#include "engine/adapters/start.h"
#include "engine/adapters/trained_set.h"
#include "engine/io/json_file.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/adapters/adapter_fixture.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::AdapterFixture;
using testing_support::lora_preset;
using enum AdapterRole;

TEST(SplitDimension, IsLycoriss) {
  for (const auto& row :
       read_json(fs::path(MANTISSA_TEST_DATA) / "golden/reference/products.json")) {
    const auto want = row.get<std::array<std::int64_t, 4>>();
    const DimSplit split = split_dimension(want[0], static_cast<int>(want[1]));
    EXPECT_EQ(split.first, want[2]) << want[0] << " by " << want[1];
    EXPECT_EQ(split.second, want[3]) << want[0] << " by " << want[1];
  }
}

TEST(ProductFactors, LokrsSecondMatrixIsWholeWhereTwoWouldSaveNothing) {
  const auto roles = [](const Shape& weight, int rank, int factor) {
    std::vector<AdapterRole> list;
    for (const ProductFactor& f : product_factors(AdapterType::lokr, weight, rank, factor)) {
      list.push_back(f.role);
    }
    return list;
  };
  const std::vector<AdapterRole> low{lokr_w1, lokr_w2_a, lokr_w2_b}, whole{lokr_w1, lokr_w2};
  EXPECT_EQ(roles({1280, 640}, 15, -1), low);  // 40 by 32
  EXPECT_EQ(roles({1280, 640}, 20, -1), whole);
  EXPECT_EQ(roles({1280, 640}, 79, 8), low);  // 160 by 80
  EXPECT_EQ(roles({1280, 640}, 80, 8), whole);
  const auto conv = product_factors(AdapterType::lokr, {32, 16, 3, 3}, 8, -1);
  EXPECT_EQ(conv[0].shape, (Shape{4, 4}));
  EXPECT_EQ(conv[1].shape, (Shape{8, 4, 3, 3}));
  EXPECT_EQ(product_factors(AdapterType::lokr, {32, 16, 3, 3}, 2, -1)[2].shape, (Shape{2, 36}));
  EXPECT_EQ(product_factors(AdapterType::loha, {32, 16, 3, 3}, 2, -1)[1].shape, (Shape{2, 144}));
}

class Products : public AdapterFixture, public ::testing::WithParamInterface<AdapterType> {
 protected:
  Preset preset(int rank = 2) const {
    Preset p = lora_preset({"linear+conv"}, rank, 1, 3);
    p.adapter.type = GetParam();
    return p;
  }
  /// The set on every target of the model.
  std::unique_ptr<TrainedSet> set(const Preset& preset) {
    auto result = std::make_unique<TrainedSet>(*kernels_, preset, source_.family());
    for (const std::string& path : adaptable_modules(source_)) {
      const auto [part, name] = weight_of_module(path);
      result->request(path, part, source_.shape(part, name));
    }
    result->finalize(5);
    return result;
  }
  /// A set with factors that no start has.
  std::unique_ptr<TrainedSet> trained(const Preset& preset) {
    auto result = set(preset);
    std::map<std::string, std::vector<float>> state;
    float at = 0;
    for (const AdapterTensor& t : result->tensors()) {
      std::vector<float>& values = state[t.name];
      for (std::int64_t i = 0; i < t.tensor->shape.count(); ++i) {
        values.push_back(0.4F * std::sin(at += 0.7F));
      }
    }
    result->load(state);
    return result;
  }
  WrittenAdapter write(const TrainedSet& set, const fs::path& to, OutputFormat format) {
    AdapterExport options;
    options.format = format;
    options.base = source_.model_names();
    return write_adapter_file(to, set.snapshot(), options);
  }
  std::map<std::string, std::vector<float>> changes_of(const TrainedSet& set) {
    std::map<std::string, std::vector<float>> result;
    for (const AdapterModule& m : set.snapshot()) {
      const AdapterModule whole = expanded(m);
      result[m.path] = weight_delta(whole, weight(m.path));
    }
    return result;
  }
  void expect_same(const std::map<std::string, std::vector<float>>& got,
                   const std::map<std::string, std::vector<float>>& want, double limit) {
    ASSERT_EQ(got.size(), want.size());
    for (const auto& [path, change] : want) {
      ASSERT_TRUE(got.contains(path)) << path;
      EXPECT_LE(test::deviation(got.at(path), change), limit) << path;
    }
  }
};

TEST_P(Products, StartFromNoChangeWithAGradient) {
  const auto fresh = set(preset()), again = set(preset());
  for (const auto& [path, change] : changes_of(*fresh)) {
    EXPECT_EQ(std::ranges::count_if(change, [](float x) { return x != 0; }), 0) << path;
  }
  for (const Adapter& adapter : fresh->adapters()) {
    int zeros = 0;
    for (const ProductAdapter::Member& m : adapter.product->members) {
      const std::vector<float> values = fresh->values(m.tensor);
      const bool zero = std::ranges::all_of(values, [](float x) { return x == 0; });
      zeros += zero ? 1 : 0;
      EXPECT_EQ(values, again->values(*again->find(m.tensor.name)->tensor)) << m.tensor.name;
    }
    EXPECT_EQ(zeros, 1) << adapter.path << ": two zeros would never leave it";
  }
}

TEST_P(Products, StartsHaveLycorissSpread) {
  Preset p = lora_preset({"*"}, 64, 0, 3);
  p.adapter.type = GetParam();
  p.adapter.factor = 4;
  TrainedSet one(*kernels_, p, kSdxl);
  one.request("denoiser.x", kDenoiser, {1024, 1024});
  one.finalize(9);
  const auto deviation = [&](const char* name) {
    double squares = 0;
    const std::vector<float> values =
        one.values(*one.find(std::string("denoiser.x.") + name)->tensor);
    for (const float x : values) {
      squares += static_cast<double>(x) * static_cast<double>(x);
    }
    return std::sqrt(squares / static_cast<double>(values.size()));
  };
  if (GetParam() == AdapterType::loha) {
    EXPECT_NEAR(deviation("hada_w1_a"), 0.1, 0.003);
    EXPECT_NEAR(deviation("hada_w1_b"), 1, 0.03);
    EXPECT_NEAR(deviation("hada_w2_b"), 1, 0.03);
    EXPECT_EQ(deviation("hada_w2_a"), 0);
  } else {
    EXPECT_LE(deviation("lokr_w1"), 0.5) << "uniform in ±1/sqrt(4)";
    EXPECT_NEAR(deviation("lokr_w2_a"), 1 / std::sqrt(3.0 * 64), 0.003);
    EXPECT_EQ(deviation("lokr_w2_b"), 0);
  }
}

TEST_P(Products, EveryFormatReadsBackAsTheSameChange) {
  const auto adapters = trained(preset());
  const auto want = changes_of(*adapters);
  for (const OutputFormat format :
       {OutputFormat::kohya, OutputFormat::onetrainer, OutputFormat::comfyui, OutputFormat::a1111,
        OutputFormat::peft, OutputFormat::plain_lora}) {
    const fs::path file = folder_ / std::string(enum_name(format));
    const WrittenAdapter written = write(*adapters, file, format);
    const AdapterContents back = read_file(file);
    const bool plain = format == OutputFormat::plain_lora;
    expect_same(changes(back), want, plain ? 0.15 : 1e-5);
    for (const AdapterModule& m : back.modules) {
      EXPECT_EQ(m.product.has_value(), !plain) << enum_name(format) << " " << m.path;
    }
    EXPECT_LE(written.plain_error, 0.15);
  }
  EXPECT_THAT(test::message_of(
                  [&] { write(*adapters, folder_ / "x.safetensors", OutputFormat::diffusers); }),
              HasSubstr("set output.format to kohya, peft or plain_lora"));
}

TEST_P(Products, FilesHaveLycorissNamesAndMetadata) {
  const auto adapters = trained(preset());
  write(*adapters, folder_ / "x.safetensors", OutputFormat::kohya);
  const SafetensorsFile file = SafetensorsFile::open(folder_ / "x.safetensors");
  const bool loha = GetParam() == AdapterType::loha;
  EXPECT_EQ(file.metadata().at("ss_network_module"), "lycoris.kohya");
  const auto args = nlohmann::json::parse(file.metadata().at("ss_network_args"));
  EXPECT_EQ(args.at("algo"), loha ? "loha" : "lokr");
  EXPECT_EQ(args.at("conv_dim"), "1");
  EXPECT_EQ(file.metadata().at("ss_network_dim"), "2");
  int firsts = 0;
  for (const TensorInfo& t : file.tensors()) {
    EXPECT_TRUE(t.name.starts_with("lora_unet_")) << t.name;
    firsts += t.name.ends_with(loha ? ".hada_w1_a" : ".lokr_w1") ? 1 : 0;
  }
  EXPECT_EQ(static_cast<std::size_t>(firsts), adapters->adapters().size());
}

TEST_P(Products, PeftsConfigNamesTheFormRanksAndAlphas) {
  const auto adapters = trained(preset());
  write(*adapters, folder_ / "peft", OutputFormat::peft);
  const nlohmann::json config = read_json(folder_ / "peft/unet/adapter_config.json");
  EXPECT_EQ(config.at("peft_type"), GetParam() == AdapterType::loha ? "LOHA" : "LOKR");
  EXPECT_EQ(config.at("use_effective_conv2d"), false);
  EXPECT_FALSE(config.contains("lora_alpha"));
  EXPECT_FALSE(config.at("rank_pattern").empty()) << "convolutions have a rank of their own";
}

TEST_P(Products, GoOnFromTheirFile) {
  const auto adapters = trained(preset());
  write(*adapters, folder_ / "x.safetensors", OutputFormat::kohya);
  Preset p = preset();
  p.adapter.alpha = 6;  // the file's scale is half of this
  const auto next = set(p);
  start_from(*next, read_file(folder_ / "x.safetensors").modules, "x");
  expect_same(changes_of(*next), changes_of(*adapters), 1e-6);
  const auto wider = set(preset(3));
  EXPECT_THAT(test::message_of(
                  [&] { start_from(*wider, read_file(folder_ / "x.safetensors").modules, "x"); }),
              HasSubstr("factors of other shapes"));
  Preset other = preset();
  other.adapter.type = GetParam() == AdapterType::loha ? AdapterType::lokr : AdapterType::loha;
  const auto another = set(other);
  EXPECT_THAT(test::message_of(
                  [&] { start_from(*another, read_file(folder_ / "x.safetensors").modules, "x"); }),
              HasSubstr("can't be continued as one"));
}

TEST_P(Products, ScaleIsAlphaOverRankOrItsRoot) {
  for (const AdapterScaling scaling : {AdapterScaling::standard, AdapterScaling::rslora}) {
    Preset p = preset();
    p.adapter.scaling = scaling;
    const auto adapters = trained(p);
    write(*adapters, folder_ / "x.safetensors", OutputFormat::kohya);
    expect_same(changes(read_file(folder_ / "x.safetensors")), changes_of(*adapters), 1e-5);
    for (const Adapter& adapter : adapters->adapters()) {
      const double divisor =
          scaling == AdapterScaling::rslora ? std::sqrt(adapter.rank) : adapter.rank;
      EXPECT_FLOAT_EQ(adapter.scale,
                      adapter.product->has_scale() ? static_cast<float>(3 / divisor) : 1.0F)
          << adapter.path;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Products, ::testing::Values(AdapterType::loha, AdapterType::lokr),
                         [](const auto& info) { return std::string(enum_name(info.param)); });

}  // namespace
}  // namespace mantissa
