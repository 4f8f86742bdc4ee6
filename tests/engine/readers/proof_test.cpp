// The proof of a written file: each promise, and its failure when the file is broken on purpose.
#include "engine/readers/proof.h"

#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/adapters/adapter_forms.h"
#include "tests/engine/readers/reader_fixture.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

/// Tensors of a file with their own bytes, to break.
struct Copy {
  struct Tensor {
    std::string name;
    DType dtype;
    Shape shape;
    std::vector<std::byte> bytes;
  };
  std::vector<Tensor> tensors;
  std::map<std::string, std::string> metadata;

  explicit Copy(const fs::path& path) {
    const SafetensorsFile file = SafetensorsFile::open(path);
    metadata = file.metadata();
    for (const TensorInfo& t : file.tensors()) {
      tensors.push_back({t.name, t.type.value(), t.shape(), {t.data, t.data + t.bytes}});
    }
  }
  void write(const fs::path& path) const {
    std::vector<TensorToWrite> list;
    for (const Tensor& t : tensors) {
      list.push_back({t.name, t.dtype, t.shape, t.bytes.data(), {}});
    }
    write_safetensors(path, list, metadata);
  }
  Tensor& first(std::string_view ending) {
    return *std::ranges::find_if(tensors,
                                 [&](const Tensor& t) { return t.name.ends_with(ending); });
  }
};

class Proof : public testing::Test {
 protected:
  Proof()
      : base_(WeightSource::open(test::small_base("sdxl"))),
        trained_(test::small_adapter(base_, 12)) {}

  fs::path written(MasterType dtype = MasterType::fp32,
                   OutputFormat format = OutputFormat::comfyui) {
    AdapterExport options;
    options.format = format;
    options.dtype = dtype;
    options.base = base_.model_names();
    const fs::path path = folder_ / "lora.safetensors";
    write_adapter_file(path, trained_, options);
    return path;
  }
  /// ComfyUI's verdict on a file.
  ReaderVerdict comfyui(const fs::path& path, MasterType dtype = MasterType::fp32) {
    return prove({.path = path, .trained = trained_, .dtype = dtype}, base_).front();
  }
  /// ComfyUI's verdict after `breaking` the file.
  template <typename Breaking>
  ReaderVerdict broken(Breaking breaking) {
    Copy copy(written());
    breaking(copy);
    const fs::path path = folder_ / "broken.safetensors";
    copy.write(path);
    return comfyui(path);
  }

  test::TempFolder folder_;
  WeightSource base_;
  std::vector<AdapterModule> trained_;
};

TEST_F(Proof, AWrittenFileIsReadInFullAndAsTrained) {
  const ReaderVerdict verdict = comfyui(written());
  EXPECT_EQ(verdict.outcome, ReaderOutcome::as_meant);
  EXPECT_EQ(verdict.reader->key, "comfyui");
  EXPECT_EQ(verdict.tensors, static_cast<std::int64_t>(3 * trained_.size()));
  EXPECT_EQ(verdict.modules, static_cast<std::int64_t>(trained_.size()));
  ASSERT_FALSE(verdict.layers.empty());
  EXPECT_GT(verdict.layers.front().norm, 0);
  EXPECT_LT(verdict.layers.front().error, 1e-5);
}

TEST_F(Proof, RoundingOfTheFileIsAllowedFor) {
  for (const MasterType dtype : {MasterType::bf16, MasterType::fp16}) {
    const ReaderVerdict verdict = comfyui(written(dtype), dtype);
    EXPECT_EQ(verdict.outcome, ReaderOutcome::as_meant);
    ASSERT_NE(verdict.worst(), nullptr);
    EXPECT_GT(verdict.worst()->error, 1e-5);
    EXPECT_LT(verdict.worst()->error, 0.01);
  }
  // A file in BF16 isn't one that was to be in FP32.
  EXPECT_EQ(comfyui(written(MasterType::bf16)).outcome, ReaderOutcome::differs);
}

TEST_F(Proof, ATensorWithAnotherNameIsNoticed) {
  const ReaderVerdict verdict =
      broken([](Copy& file) { file.first(".alpha").name = "lora_unet_nowhere.alpha"; });
  EXPECT_FALSE(verdict.works());
  ASSERT_EQ(verdict.unread.size(), 1U);
  EXPECT_EQ(verdict.unread.front(), "lora_unet_nowhere.alpha");
}

TEST_F(Proof, AMissingTensorIsNoticed) {
  const ReaderVerdict verdict = broken([](Copy& file) {
    std::erase_if(file.tensors, [first = file.first(".lora_up.weight").name](const auto& t) {
      return t.name == first;
    });
  });
  EXPECT_EQ(verdict.outcome, ReaderOutcome::partly);
  EXPECT_EQ(verdict.misfits.size(), 1U);
}

TEST_F(Proof, AWrongShapeIsNoticed) {
  const ReaderVerdict verdict = broken([](Copy& file) {
    auto& up = file.first(".lora_up.weight");
    up.shape = {up.shape[1], up.shape[0]};
  });
  EXPECT_EQ(verdict.outcome, ReaderOutcome::partly);
  ASSERT_EQ(verdict.misfits.size(), 1U);
  EXPECT_TRUE(verdict.misfits.front().ends_with(".lora_up.weight"));
}

TEST_F(Proof, ALayerOfAnotherWidthIsNoticed) {
  const ReaderVerdict verdict = broken([](Copy& file) {
    auto& up = file.first(".lora_up.weight");
    up.shape[0] /= 2;
    up.bytes.resize(up.bytes.size() / 2);
  });
  EXPECT_EQ(verdict.outcome, ReaderOutcome::partly);
  EXPECT_EQ(verdict.misfits.size(), 1U);
}

TEST_F(Proof, AnotherScaleIsNoticed) {
  const ReaderVerdict verdict = broken([](Copy& file) {
    for (auto& tensor : file.tensors) {
      if (tensor.name.ends_with(".alpha")) {
        const float twice = 2;
        std::memcpy(tensor.bytes.data(), &twice, sizeof(twice));
      }
    }
  });
  EXPECT_EQ(verdict.outcome, ReaderOutcome::differs);
  EXPECT_NEAR(verdict.worst()->error, 1, 1e-4);
}

TEST_F(Proof, AChangeOfZeroIsNoticed) {
  for (AdapterModule& module : trained_) {
    std::ranges::fill(module.up, 0.0F);
  }
  EXPECT_EQ(comfyui(written()).outcome, ReaderOutcome::no_change);
}

TEST_F(Proof, ProductsAreRecomputedToo) {
  for (const AdapterType type : {AdapterType::loha, AdapterType::lokr}) {
    for (AdapterModule& module : trained_) {
      const auto [part, name] = weight_of_module(module.path);
      ProductModule product{.type = type, .rank = 2, .alpha = 1};
      std::mt19937 random(3);
      std::normal_distribution<float> normal(0, 0.3F);
      for (const ProductFactor& factor : product_factors(type, base_.shape(part, name), 2, -1)) {
        std::vector<float> values(static_cast<std::size_t>(factor.shape.count()));
        std::ranges::generate(values, [&] { return normal(random); });
        product.members.push_back({factor.role, factor.shape, std::move(values)});
      }
      module.product = std::move(product);
      module.rank = 0;
      module.down.clear();
      module.up.clear();
    }
    const ReaderVerdict verdict = comfyui(written(MasterType::fp32, OutputFormat::kohya));
    EXPECT_EQ(verdict.outcome, ReaderOutcome::as_meant);
    ASSERT_NE(verdict.worst(), nullptr);
    EXPECT_LT(verdict.worst()->error, 1e-5);
    // Factors that don't fit each other.
    Copy copy(written(MasterType::fp32, OutputFormat::kohya));
    auto& factor = copy.first(type == AdapterType::loha ? ".hada_w2_b" : ".lokr_w1");
    factor.shape = {factor.shape.count(), 1};
    const fs::path path = folder_ / "broken.safetensors";
    copy.write(path);
    const ReaderVerdict broken = comfyui(path);
    EXPECT_EQ(broken.outcome, ReaderOutcome::partly);
    EXPECT_EQ(broken.misfits.size(), 1U);
  }
}

TEST_F(Proof, TheStampHoldsEveryVerdictWithTheRulesVersions) {
  const auto verdicts = prove({.path = written(), .trained = trained_}, base_);
  const auto stamp = result_stamp("lora.safetensors", 12, verdicts);
  EXPECT_EQ(stamp.at("mantissa_result"), 1);
  EXPECT_EQ(stamp.at("step"), 12);
  EXPECT_EQ(stamp.at("readers").size(), readers().size());
  for (const auto& reader : stamp.at("readers")) {
    EXPECT_FALSE(reader.at("rules").empty());
    EXPECT_EQ(reader.at("outcome"), "as_meant") << reader;
  }
  EXPECT_EQ(proof_message(verdicts).text().substr(0, 46),
            "Read back by the rules of ComfyUI, Forge, diff");
}

}  // namespace
}  // namespace mantissa
