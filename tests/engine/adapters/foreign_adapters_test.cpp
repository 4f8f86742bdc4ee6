// Adapters that PEFT and LyCORIS save (tests/golden/make_foreign_adapters.py): read to what these
// libraries make of the base model, or refused by the form's name.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/adapters/adapter_forms.h"
#include "engine/adapters/convert.h"
#include "engine/adapters/delta.h"
#include "engine/adapters/export.h"
#include "engine/adapters/merge.h"
#include "engine/adapters/module_weight.h"
#include "engine/adapters/read_adapter.h"
#include "engine/preset/names.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kEveryRow = 16;  // of the script

fs::path foreign() {
  return fs::path(MANTISSA_TEST_DATA) / "golden/foreign";
}

json cases() {
  std::ifstream file(foreign() / "cases.json");
  return file ? json::parse(file).at("cases") : json::object();
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  const json all = cases();
  for (const auto& [name, fields] : all.items()) {
    names.push_back(name);
  }
  return names;
}

class ForeignAdapter : public testing::TestWithParam<std::string> {
 protected:
  ForeignAdapter()
      : base_(WeightSource::open(fs::path(MANTISSA_SOURCE_DIR) /
                                 "resources/demo/mini-sdxl.safetensors")) {}

  static fs::path adapter() {
    const fs::path folder = foreign() / GetParam();
    return fs::exists(folder / "adapter") ? folder / "adapter" : folder / "adapter.safetensors";
  }
  std::vector<float> weight(const std::string& path) const {
    const auto [part, name] = part_and_weight(path);
    std::vector<float> values(static_cast<std::size_t>(base_.shape(part, name).count()));
    base_.read_f32(part, name, values);
    return values;
  }
  /// Changes of every weight that changes, by its path without its part.
  std::map<std::string, std::vector<float>> changes(const AdapterContents& file) const {
    std::map<std::string, std::vector<float>> all;
    for (const AdapterModule& module : file.modules) {
      const std::string path = module.path + ".weight";
      all[path.substr(9)] = weight_delta(module, weight(path));
    }
    for (const WeightChange& change : file.changes) {
      all[change.path.substr(9)] = change.values;
    }
    return all;
  }
  std::size_t rows_of(const std::string& name) const {
    return static_cast<std::size_t>(base_.shape(kDenoiser, name)[0]);
  }

  WeightSource base_;
};

TEST_P(ForeignAdapter, IsReadAsItsLibraryMergesItOrRefusedByItsName) {
  const json expected = cases().at(GetParam());
  if (expected.contains("refused") && !fs::exists(foreign() / GetParam() / "changes.safetensors")) {
    const std::string message = test::message_of([&] { read_adapter(adapter(), base_); });
    EXPECT_NE(message.find(expected.at("refused").get<std::string>()), std::string::npos)
        << message;
    EXPECT_NE(message.find("mantissa extract"), std::string::npos) << "no way on: " << message;
    EXPECT_EQ(message.find("another base model"), std::string::npos) << message;
    return;
  }
  const auto got = changes(read_adapter(adapter(), base_));
  const SafetensorsFile want =
      SafetensorsFile::open(foreign() / GetParam() / "changes.safetensors");
  for (const TensorInfo& tensor : want.tensors()) {
    ASSERT_TRUE(got.contains(tensor.name)) << tensor.name;
    const std::vector<float>& values = got.at(tensor.name);
    const std::vector<float> rows = tensor_floats(tensor, want.label());
    const std::size_t columns = values.size() / rows_of(tensor.name);
    const std::size_t kept = (rows_of(tensor.name) + kEveryRow - 1) / kEveryRow;
    ASSERT_EQ(rows.size(), kept * columns) << tensor.name;
    double worst = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t at = i / columns * kEveryRow * columns + i % columns;
      worst = std::max(worst, std::fabs(double(values[at]) - double(rows[i])));
    }
    EXPECT_LE(worst, 1e-6) << tensor.name;
  }
  for (const auto& [name, values] : got) {
    const auto zero = [](float x) { return std::fabs(x) <= 1e-6F; };
    EXPECT_TRUE(want.find(name) != nullptr || std::ranges::all_of(values, zero))
        << name << " changes, and for its library it doesn't";
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ForeignAdapter, testing::ValuesIn(case_names()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ForeignAdapter);

/// Those of one program have the shapes of the other's, and a scale that LyCORIS doesn't apply.
TEST(FactorsOfLohaAndLokr, StayInEveryFormatThatHasNamesForThem) {
  const WeightSource base =
      WeightSource::open(fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/mini-sdxl.safetensors");
  const test::TempFolder folder;
  for (const std::string name : {"lycoris-lokr", "lycoris-lokr-whole", "lycoris-loha", "peft-lokr",
                                 "peft-lokr-whole", "peft-loha"}) {
    ConvertRequest request;
    request.file = foreign() / name;
    request.file /= fs::exists(request.file / "adapter") ? "adapter" : "adapter.safetensors";
    const AdapterContents want = read_adapter(request.file, base);
    for (const OutputFormat format :
         {OutputFormat::kohya, OutputFormat::comfyui, OutputFormat::peft}) {
      SCOPED_TRACE(name + " as " + std::string(enum_name(format)));
      request.format = format;
      request.out = folder / (name + std::string(enum_name(format)) +
                              (format == OutputFormat::peft ? "" : ".safetensors"));
      convert_adapter(request, base);
      const AdapterContents got = read_adapter(request.out, base);
      ASSERT_EQ(got.modules.size(), want.modules.size());
      for (std::size_t i = 0; i < got.modules.size(); ++i) {
        EXPECT_TRUE(got.modules[i].product.has_value());
        const auto [part, weight] = weight_of_module(got.modules[i].path);
        const std::vector<float> none(static_cast<std::size_t>(base.shape(part, weight).count()));
        EXPECT_LE(test::deviation(weight_delta(got.modules[i], none),
                                  weight_delta(want.modules[i], none)),
                  1e-6);
      }
      if (format == OutputFormat::peft) {
        std::ifstream file(request.out / "unet/adapter_config.json");
        const json config = json::parse(file);
        EXPECT_EQ(config.at("peft_type"), name.ends_with("loha") ? "LOHA" : "LOKR");
        if (name == "lycoris-lokr-whole") {  // [16, 8] stays whole from rank 8 on
          EXPECT_GE(config.at("r"), 8);
          EXPECT_EQ(config.at("alpha"), config.at("r"));
        }
      }
    }
  }
}

/// Changes of norms and biases are kept in the formats that have names for them.
TEST(ChangesOfNormsAndBiases, AreWrittenInKohyasNamesAndInPeftFolders) {
  const WeightSource base =
      WeightSource::open(fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/mini-sdxl.safetensors");
  const test::TempFolder folder;
  for (const std::string name :
       {"peft-bias-all", "peft-bias-lora-only", "peft-lora-bias", "peft-modules-to-save"}) {
    ConvertRequest request;
    request.file = foreign() / name / "adapter";
    const AdapterContents want = read_adapter(request.file, base);
    ASSERT_FALSE(want.changes.empty()) << name;
    for (const OutputFormat format :
         {OutputFormat::kohya, OutputFormat::onetrainer, OutputFormat::peft}) {
      SCOPED_TRACE(name + " as " + std::string(enum_name(format)));
      request.format = format;
      request.out = folder / (name + (format == OutputFormat::peft
                                          ? ""
                                          : std::string(enum_name(format)) + ".safetensors"));
      convert_adapter(request, base);
      const AdapterContents got = read_adapter(request.out, base);
      EXPECT_EQ(got.modules.size(), want.modules.size());
      ASSERT_EQ(got.changes.size(), want.changes.size());
      for (const WeightChange& change : want.changes) {
        const auto same = std::ranges::find(got.changes, change.path, &WeightChange::path);
        ASSERT_NE(same, got.changes.end()) << change.path;
        ASSERT_EQ(same->values.size(), change.values.size());
        for (std::size_t i = 0; i < change.values.size(); ++i) {
          ASSERT_NEAR(same->values[i], change.values[i], 1e-6) << change.path;
        }
      }
    }
    request.format = OutputFormat::diffusers;
    request.out = folder / (name + "-diffusers.safetensors");
    const std::string refused = test::message_of([&] { convert_adapter(request, base); });
    EXPECT_NE(refused.find("Write it in the format kohya or peft"), std::string::npos) << refused;
  }
  std::ifstream file(folder / "peft-modules-to-save/unet/adapter_config.json");
  EXPECT_EQ(json::parse(file).at("modules_to_save"),
            json::array({"down_blocks.1.attentions.0.transformer_blocks.0.norm1"}));
}

/// PEFT's adapter has a layer at least: norms alone are kohya's.
TEST(ChangesOfNormsAndBiases, AloneMakeNoPeftFolder) {
  const WeightSource base =
      WeightSource::open(fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/mini-sdxl.safetensors");
  const test::TempFolder folder;
  ConvertRequest request;
  request.file = foreign() / "lycoris-norm" / "adapter.safetensors";
  request.format = OutputFormat::peft;
  request.out = folder / "peft";
  const std::string refused = test::message_of([&] { convert_adapter(request, base); });
  EXPECT_NE(refused.find("Write it in the format kohya, or"), std::string::npos) << refused;
  request.format = OutputFormat::kohya;
  request.out = folder / "kohya.safetensors";
  convert_adapter(request, base);
  EXPECT_EQ(read_adapter(request.out, base).changes.size(), 2U);
}

/// A LoRA whose trainer also saved a difference of the same weight.
TEST(DifferenceBesideFactors, BothChangeTheWeight) {
  const std::vector<float> down{1, 2}, up{3, 5}, diff{10, 20, 30, 40};
  const auto tensor = [](const char* name, std::vector<std::int64_t> dims,
                         const std::vector<float>& values) {
    TensorInfo info;
    info.name = name;
    info.dtype = "F32";
    info.type = DType::f32;
    info.dims = std::move(dims);
    info.data = reinterpret_cast<const std::byte*>(values.data());
    info.bytes = values.size() * sizeof(float);
    return info;
  };
  const TensorInfo a = tensor("x.lora_down.weight", {1, 2}, down);
  const TensorInfo b = tensor("x.lora_up.weight", {2, 1}, up);
  const TensorInfo d = tensor("x.diff", {2, 2}, diff);
  ModuleTensors module{.name = "x"};
  module.by_role = {{AdapterRole::down, &a}, {AdapterRole::up, &b}, {AdapterRole::diff, &d}};
  EXPECT_EQ(adapter_module("unet.x", module, 2.0, "file").dense,
            (std::vector<float>{16, 32, 40, 60}));
}

}  // namespace
}  // namespace mantissa
