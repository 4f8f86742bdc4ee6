// Z-Image's base and Turbo are told apart by names and scheduler, as inspect and the plan tell.
#include "engine/models/z_image/z_image_variant.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/io/inspect.h"
#include "engine/io/json_file.h"
#include "engine/io/weights.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using testing_support::golden_model;

class ZImageVariants : public ::testing::Test {
 protected:
  /// The tiny model's folder, whose scheduler has shift 6, under another name.
  fs::path model(const fs::path& name) {
    fs::create_directories((folder_ / name).parent_path());
    fs::copy(golden_model("z_image"), folder_ / name, fs::copy_options::recursive);
    return folder_ / name;
  }
  static void change(const fs::path& file, const char* field, const nlohmann::json& value) {
    nlohmann::json json = read_json(file);
    json[field] = value;
    std::ofstream(file) << json;
  }
  static void expect(const fs::path& path, const std::string& name, bool distilled,
                     const std::string& evidence) {
    const ModelVariant found = z_image_variant(WeightSource::open(path));
    EXPECT_EQ(found.name, name) << path;
    EXPECT_EQ(found.distilled, distilled) << path;
    EXPECT_EQ(found.evidence.text(), evidence);
    const ModelSummary told = inspect(path);
    EXPECT_EQ(told.variant, name.empty() ? "unknown" : name) << path;
    EXPECT_EQ(told.distilled, distilled) << path;
    EXPECT_EQ(told.variant_evidence.text(), evidence);
  }
  test::TempFolder folder_;
};

TEST_F(ZImageVariants, ByTheScheduler) {
  const fs::path path = model("mine");
  const fs::path scheduler = path / "scheduler/scheduler_config.json";
  expect(path, "base", false, "its scheduler's shift is 6");
  change(scheduler, "shift", 3.0);
  expect(path, "Turbo", true, "its scheduler's shift is 3");
  expect(fs::path(path.string() + "/"), "Turbo", true, "its scheduler's shift is 3");
  change(scheduler, "shift", 1.0);
  expect(path, "", false, "");
  fs::remove(scheduler);
  expect(path, "", false, "");
}

TEST_F(ZImageVariants, ByTheNameWhateverTheShift) {
  expect(model("my_zImageTURBO"), "Turbo", true, "it is called 'my_zImageTURBO'");
  expect(model("Z-Image-De-Turbo"), "De-Turbo", false, "it is called 'Z-Image-De-Turbo'");
  const fs::path file = folder_ / "z_image_turbo_bf16.safetensors";
  fs::copy(golden_model("z_image_bare.safetensors"), file);
  expect(file, "Turbo", true, "it is called 'z_image_turbo_bf16.safetensors'");
  expect(golden_model("z_image_bare.safetensors"), "", false, "");
}

TEST_F(ZImageVariants, ByItsOrigin) {
  for (const char* config : {"model_index.json", "transformer/config.json"}) {
    const fs::path path = model(fs::path("of") / fs::path(config).filename());
    change(path / config, "_name_or_path", "Tongyi-MAI/Z-Image-Turbo");
    expect(path, "Turbo", true, "it is called 'Tongyi-MAI/Z-Image-Turbo'");
  }
  expect(model("models--Tongyi-MAI--Z-Image-Turbo/snapshots/0123"), "Turbo", true,
         "it is called 'models--Tongyi-MAI--Z-Image-Turbo'");
}

TEST(ModelVariants, FamiliesWithOneHaveNone) {
  EXPECT_EQ(inspect(golden_model("a.safetensors")).variant, "");
}

}  // namespace
}  // namespace mantissa
