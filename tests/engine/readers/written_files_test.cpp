// What Mantissa writes, read back by the rules of the programs that it is written for.
#include <gtest/gtest.h>

#include "engine/preset/names.h"
#include "tests/engine/readers/reader_fixture.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using enum ReaderOutcome;

struct Written {
  const char* family;
  OutputFormat format;
  const char* reader;
  ReaderOutcome outcome;
  std::optional<DoraAxis> dora{};
};

class WrittenFile : public testing::TestWithParam<Written> {
 protected:
  test::TempFolder folder_;
  fs::path path_ = folder_ / "read-back.safetensors";
};

TEST_P(WrittenFile, IsReadAsItsProgramDoes) {
  const Written& p = GetParam();
  const WeightSource base = WeightSource::open(test::small_base(p.family));
  const std::vector<AdapterModule> modules = test::small_adapter(base, 24, p.dora);
  ASSERT_FALSE(modules.empty());
  AdapterExport options;
  options.format = p.format;
  options.base = base.model_names();
  write_adapter_file(path_, modules, options);
  const ReaderVerdict verdict = test::read_file_as(p.reader, path_, base, modules);
  std::string detail;
  for (const std::string& name : verdict.unread) {
    detail += " unread " + name;
  }
  for (const std::string& name : verdict.misfits) {
    detail += " misfit " + name;
  }
  if (const CheckedLayer* worst = verdict.worst()) {
    detail += " worst " + worst->path + " " + std::to_string(worst->error);
  }
  EXPECT_EQ(static_cast<int>(verdict.outcome), static_cast<int>(p.outcome)) << detail;
}

using F = OutputFormat;
constexpr auto kOutput = DoraAxis::output;
constexpr auto kInput = DoraAxis::input;

INSTANTIATE_TEST_SUITE_P(
    Lora, WrittenFile,
    testing::Values(Written{"sdxl", F::comfyui, "comfyui", as_meant},
                    Written{"sdxl", F::kohya, "forge", as_meant},
                    Written{"sdxl", F::kohya, "diffusers", as_meant},
                    Written{"sdxl", F::kohya, "sdcpp", as_meant},
                    Written{"sdxl", F::kohya, "invokeai", as_meant},
                    Written{"sdxl", F::diffusers, "diffusers", as_meant},
                    // Its names of attention have another level, as diffusers had before PEFT.
                    Written{"sdxl", F::diffusers, "comfyui", nothing},
                    Written{"sdxl", F::diffusers, "invokeai", nothing},
                    Written{"sdxl", F::onetrainer, "comfyui", as_meant},
                    Written{"sd15", F::comfyui, "comfyui", as_meant},
                    Written{"sd15", F::kohya, "diffusers", as_meant},
                    Written{"sd15", F::kohya, "sdcpp", as_meant},
                    Written{"sd15", F::kohya, "invokeai", as_meant},
                    Written{"sd15", F::diffusers, "diffusers", as_meant},
                    Written{"z_image", F::comfyui, "comfyui", as_meant},
                    Written{"z_image", F::kohya, "comfyui", nothing},
                    Written{"z_image", F::diffusers, "diffusers", as_meant},
                    Written{"z_image", F::comfyui, "diffusers", as_meant},
                    Written{"z_image", F::comfyui, "sdcpp", as_meant},
                    Written{"z_image", F::comfyui, "invokeai", as_meant},
                    Written{"flux1", F::comfyui, "comfyui", as_meant},
                    Written{"flux1", F::kohya, "diffusers", as_meant},
                    Written{"flux1", F::diffusers, "diffusers", as_meant},
                    Written{"flux1", F::diffusers, "comfyui", as_meant},
                    Written{"flux1", F::onetrainer, "comfyui", as_meant},
                    Written{"flux1", F::onetrainer, "diffusers", as_meant},
                    Written{"flux1", F::onetrainer, "invokeai", as_meant},
                    Written{"flux1", F::kohya, "forge", as_meant},
                    Written{"flux1", F::a1111, "forge", as_meant},
                    Written{"flux1", F::kohya, "sdcpp", as_meant},
                    Written{"flux1", F::diffusers, "sdcpp", as_meant},
                    Written{"flux1", F::kohya, "invokeai", as_meant},
                    Written{"flux1", F::diffusers, "invokeai", as_meant},
                    Written{"flux1", F::comfyui, "invokeai", as_meant},
                    Written{"chroma", F::comfyui, "comfyui", as_meant},
                    Written{"chroma", F::kohya, "diffusers", as_meant},
                    Written{"chroma", F::diffusers, "diffusers", as_meant},
                    Written{"chroma", F::diffusers, "comfyui", as_meant},
                    Written{"chroma", F::onetrainer, "comfyui", as_meant},
                    Written{"chroma", F::kohya, "sdcpp", as_meant},
                    Written{"chroma", F::diffusers, "sdcpp", as_meant},
                    Written{"flux2", F::comfyui, "comfyui", as_meant},
                    Written{"flux2", F::kohya, "diffusers", as_meant},
                    Written{"flux2", F::diffusers, "diffusers", as_meant},
                    Written{"flux2", F::diffusers, "comfyui", as_meant},
                    Written{"krea2", F::comfyui, "comfyui", as_meant},
                    Written{"krea2", F::diffusers, "diffusers", as_meant},
                    Written{"krea2", F::comfyui, "sdcpp", as_meant},
                    Written{"qwen_image_21", F::comfyui, "comfyui", as_meant},
                    Written{"qwen_image_21", F::kohya, "comfyui", as_meant},
                    Written{"qwen_image_21", F::diffusers, "comfyui", as_meant},
                    Written{"qwen_image_21", F::comfyui, "diffusers", as_meant},
                    Written{"qwen_image_21", F::kohya, "diffusers", as_meant},
                    Written{"qwen_image_21", F::diffusers, "diffusers", as_meant},
                    Written{"qwen_image", F::comfyui, "comfyui", as_meant},
                    Written{"qwen_image", F::kohya, "comfyui", as_meant},
                    Written{"qwen_image", F::diffusers, "comfyui", as_meant},
                    Written{"qwen_image", F::comfyui, "diffusers", as_meant},
                    Written{"qwen_image", F::kohya, "diffusers", as_meant},
                    Written{"qwen_image", F::diffusers, "diffusers", as_meant},
                    Written{"ernie_image", F::comfyui, "comfyui", as_meant},
                    Written{"ernie_image", F::kohya, "comfyui", as_meant},
                    Written{"ernie_image", F::diffusers, "comfyui", as_meant},
                    Written{"ernie_image", F::diffusers, "diffusers", as_meant},
                    // It has names without "lora": those of alpha.
                    Written{"ernie_image", F::comfyui, "diffusers", refused},
                    Written{"ernie_image", F::comfyui, "sdcpp", as_meant},
                    Written{"anima", F::comfyui, "comfyui", as_meant},
                    Written{"anima", F::diffusers, "diffusers", as_meant},
                    Written{"pixart", F::diffusers, "comfyui", as_meant},
                    Written{"pixart", F::diffusers, "diffusers", unsupported},
                    Written{"z_image", F::comfyui, "forge", unsupported}));

INSTANTIATE_TEST_SUITE_P(Dora, WrittenFile,
                         testing::Values(Written{"sdxl", F::kohya, "comfyui", differs, kOutput},
                                         Written{"sdxl", F::kohya, "comfyui", as_meant, kInput},
                                         Written{"sdxl", F::kohya, "forge", differs, kOutput},
                                         Written{"sdxl", F::kohya, "invokeai", differs, kOutput},
                                         Written{"sdxl", F::kohya, "invokeai", as_meant, kInput},
                                         Written{"sdxl", F::kohya, "diffusers", differs, kInput},
                                         Written{"sdxl", F::kohya, "sdcpp", differs, kInput},
                                         Written{"sdxl", F::diffusers, "diffusers", as_meant,
                                                 kOutput}));

}  // namespace
}  // namespace mantissa
