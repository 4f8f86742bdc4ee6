// LoHa and LoKr with weight decomposition: saved files hold what was trained, and a run resumes
// from them.
#include <cmath>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "engine/adapters/fixed_adapters.h"
#include "engine/adapters/read_adapter.h"
#include "engine/adapters/start.h"
#include "engine/adapters/trained_set.h"
#include "engine/graph/ops.h"
#include "engine/models/stable_diffusion/sd_family.h"
#include "engine/preset/names.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/adapters/adapter_fixture.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_support::AdapterFixture;
using testing_support::lora_preset;
using testing_support::Reference;

struct Form {
  AdapterType type;
  DoraAxis axis;
};

class ProductDora : public AdapterFixture, public ::testing::WithParamInterface<Form> {
 protected:
  /// A model with trained adapters.
  struct Trained {
    Trained(ProductDora& test, const Preset& preset)
        : set(*test.kernels_, preset, test.source_.family()),
          model(test.kernels_.get(), test.source_, &set) {
      model.bind(std::vector<Part>{kDenoiser});
      set.finalize(5);
    }
    TrainedSet set;
    StableDiffusion model;
  };
  static Preset preset(bool decompose = true) {
    Preset p = lora_preset({"linear+conv"}, 2, 1, 3);
    p.adapter.type = GetParam().type;
    p.adapter.decompose = decompose;
    p.adapter.dora_axis = GetParam().axis;
    return p;
  }
  /// With factors and magnitudes that no start has.
  std::unique_ptr<Trained> trained(bool decompose = true) {
    auto result = std::make_unique<Trained>(*this, preset(decompose));
    std::map<std::string, std::vector<float>> state;
    float at = 0;
    for (const AdapterTensor& t : result->set.tensors()) {
      std::vector<float>& values = state[t.name] = result->set.values(*t.tensor);
      for (float& x : values) {
        at += 0.7F;
        x = t.magnitude ? x * (1 + 0.2F * std::sin(at)) : 0.3F * std::sin(at);
      }
    }
    result->set.load(state);
    return result;
  }
  WrittenAdapter write(const TrainedSet& set, const fs::path& to, OutputFormat format) {
    AdapterExport options;
    options.format = format;
    options.base = source_.model_names();
    options.plain_rank = 4096;  // as large as it takes
    options.base_weight = [&](std::string_view path) { return set.base_weight(path); };
    return write_adapter_file(to, set.snapshot(), options);
  }
  /// As `mantissa sample` renders with a file.
  std::vector<float> predicted_with(const fs::path& path) {
    const AdapterContents file = read_file(path);
    const WeightedAdapter use{&file.modules, 1};
    FixedAdapters set(*kernels_, std::span(&use, 1));
    StableDiffusion model(kernels_.get(), source_, &set);
    model.bind(std::vector<Part>{kDenoiser, kTe1, kTe2});
    set.finalize([&](const Tensor& tensor, std::span<const float> values) {
      model.weights().replace(tensor, values);
    });
    return predicted(model);
  }
  static double difference(const std::vector<float>& a, const std::vector<float>& b) {
    return test::deviation(a, b);
  }
};

TEST_P(ProductDora, EveryFormatRendersAsTrained) {
  const auto adapters = trained();
  const std::vector<float> want = predicted(adapters->model);
  for (const OutputFormat format : {OutputFormat::kohya, OutputFormat::onetrainer,
                                    OutputFormat::comfyui, OutputFormat::plain_lora}) {
    const fs::path file = folder_ / std::string(enum_name(format));
    const WrittenAdapter written = write(adapters->set, file, format);
    // ComfyUI divides by another norm per output: it gets a plain LoRA.
    const bool plain = format == OutputFormat::plain_lora ||
                       (format == OutputFormat::comfyui && GetParam().axis == DoraAxis::output);
    EXPECT_LE(difference(predicted_with(file), want), plain ? 1e-4 : 2e-5) << enum_name(format);
    for (const AdapterModule& m : read_file(file).modules) {
      EXPECT_EQ(m.product.has_value(), !plain) << m.path;
      EXPECT_EQ(m.dora_axis.has_value(), !plain) << m.path;
    }
    EXPECT_EQ(written.plain_rank > 0, plain);
  }
  EXPECT_THAT(test::message_of([&] { write(adapters->set, folder_ / "peft", OutputFormat::peft); }),
              HasSubstr("has no magnitudes; set output.format to kohya"));
}

TEST_P(ProductDora, FilesHaveLycorissScaleAndMetadata) {
  const auto adapters = trained();
  write(adapters->set, folder_ / "x.safetensors", OutputFormat::kohya);
  const SafetensorsFile file = SafetensorsFile::open(folder_ / "x.safetensors");
  const auto args = nlohmann::json::parse(file.metadata().at("ss_network_args"));
  EXPECT_EQ(args.at("algo"), enum_name(GetParam().type));
  EXPECT_EQ(args.at("dora_wd"), "True");
  EXPECT_EQ(args.at("wd_on_output"), GetParam().axis == DoraAxis::output ? "True" : "False");
  std::size_t scales = 0;
  for (const TensorInfo& t : file.tensors()) {
    if (t.name.ends_with(".dora_scale")) {
      ++scales;
      EXPECT_EQ(t.type, DType::f32);
      EXPECT_EQ(t.shape()[GetParam().axis == DoraAxis::output ? 1 : 0], 1) << t.name;
    }
  }
  EXPECT_EQ(scales, adapters->set.adapters().size());
}

TEST_P(ProductDora, GoesOnFromItsFile) {
  const auto adapters = trained();
  const fs::path file = folder_ / "x.safetensors";
  write(adapters->set, file, OutputFormat::kohya);
  Trained next(*this, preset());
  start_from(next.set, read_file(file).modules, "x");
  EXPECT_LE(difference(predicted(next.model), predicted(adapters->model)), 1e-5);
  Trained without(*this, preset(false));
  EXPECT_THAT(test::message_of([&] { start_from(without.set, read_file(file).modules, "x"); }),
              HasSubstr("adapter.decompose is off"));
  Preset other = preset();
  other.adapter.dora_axis =
      GetParam().axis == DoraAxis::output ? DoraAxis::input : DoraAxis::output;
  Trained turned(*this, other);
  EXPECT_THAT(test::message_of([&] { start_from(turned.set, read_file(file).modules, "x"); }),
              HasSubstr("adapter.dora_axis"));
}

TEST_P(ProductDora, AFileWithoutMagnitudesGetsThoseOfItsNorms) {
  const auto plain = trained(false);
  const fs::path file = folder_ / "x.safetensors";
  write(plain->set, file, OutputFormat::kohya);
  Trained next(*this, preset());
  start_from(next.set, read_file(file).modules, "x");
  EXPECT_LE(difference(predicted(next.model), predicted(plain->model)), 1e-5);
}

TEST_P(ProductDora, MagnitudesCountInTheSetsMemory) {
  const auto with = trained(), without = trained(false);
  std::int64_t channels = 0;
  for (const Adapter& adapter : with->set.adapters()) {
    EXPECT_EQ(adapter.dora->batch, nullptr) << "only a LoRA's norms are taken together";
    channels += adapter.dora->magnitude.shape.count();
  }
  EXPECT_GT(channels, 0);
  EXPECT_EQ(with->set.parameter_count() - without->set.parameter_count(), channels);
  EXPECT_EQ(with->set.bytes() - without->set.bytes(),
            static_cast<std::size_t>(channels) * 3 * sizeof(float));
}

INSTANTIATE_TEST_SUITE_P(Forms, ProductDora,
                         ::testing::Values(Form{AdapterType::loha, DoraAxis::output},
                                           Form{AdapterType::loha, DoraAxis::input},
                                           Form{AdapterType::lokr, DoraAxis::output},
                                           Form{AdapterType::lokr, DoraAxis::input}),
                         [](const auto& info) {
                           return std::string(enum_name(info.param.type)) + "_" +
                                  std::string(enum_name(info.param.axis));
                         });

}  // namespace
}  // namespace mantissa
