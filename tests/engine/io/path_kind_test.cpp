// The detected kind of a dropped file or folder.
#include "engine/io/path_kind.h"

#include <fstream>
#include <gtest/gtest.h>

#include "engine/io/safetensors.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/preset_library.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

void make_file(const fs::path& file, const std::string& text = "{}") {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

TEST(PathKind, FoldersAreModelsOrImages) {
  const test::TempFolder folder;
  make_file(folder / "index" / "model_index.json");
  make_file(folder / "unet" / "unet" / "config.json");
  make_file(folder / "transformer" / "transformer" / "config.json");
  make_file(folder / "photos" / "a.png", "");
  make_file(folder / "photos" / "config.json");
  for (const char* model : {"index", "unet", "transformer"}) {
    EXPECT_EQ(path_kind(folder / model), PathKind::model) << model;
  }
  EXPECT_EQ(path_kind(folder / "photos"), PathKind::images);
  EXPECT_EQ(path_kind(folder / "unet" / "unet"), PathKind::images) << "a part is no model";
}

TEST(PathKind, WeightsAreAModelUnlessTheyCarrySettings) {
  const test::TempFolder folder;
  write_safetensors(folder / "base.SAFETENSORS", {}, {});
  write_safetensors(folder / "adapter.safetensors", {},
                    {{std::string(kPresetMetadataKey), to_json(Preset{}, WriteMode::full)}});
  write_safetensors(folder / "flux1.safetensors", {},
                    {{"ss_network_dim", "4"}, {"ss_base_model_version", "flux1"}});
  make_file(folder / "broken.safetensors", "no weights");
  EXPECT_EQ(path_kind(folder / "base.SAFETENSORS"), PathKind::model);
  EXPECT_EQ(path_kind(folder / "adapter.safetensors"), PathKind::settings);
  EXPECT_EQ(path_kind(folder / "flux1.safetensors"), PathKind::settings) << "told by the import";
  EXPECT_EQ(path_kind(folder / "broken.safetensors"), PathKind::model);
}

TEST(PathKind, GgufFilesAndListsOfFilesAreModels) {
  const test::TempFolder folder;
  make_file(folder / "z.GGUF", "GGUF");
  make_file(folder / "unnamed", "GGUF and more");
  make_file(folder / "broken.gguf", "no weights");
  make_file(folder / "z.base.json", R"({"mantissa_base": 1, "denoiser": "z.gguf"})");
  make_file(folder / "other-name.json", R"({"denoiser": "z.gguf", "mantissa_base": 1})");
  make_file(folder / "broken.base.JSON", "{");
  for (const char* file :
       {"z.GGUF", "unnamed", "broken.gguf", "z.base.json", "other-name.json", "broken.base.JSON"}) {
    EXPECT_EQ(path_kind(folder / file), PathKind::model) << file;
  }
  make_file(folder / "preset.base.json", to_json(Preset{}, WriteMode::full));
  make_file(folder / "broken.json", "{");
  EXPECT_EQ(path_kind(folder / "preset.base.json"), PathKind::settings) << "by its content";
  EXPECT_EQ(path_kind(folder / "broken.json"), PathKind::settings);
}

TEST(PathKind, EveryOtherFileIsReadAsSettings) {
  const test::TempFolder folder;
  make_file(folder / "kohya.toml", "a = 1");
  make_file(folder / "notes", "words");
  for (const char* file : {"kohya.toml", "notes", "missing.json"}) {
    EXPECT_EQ(path_kind(folder / file), PathKind::settings) << file;
  }
}

}  // namespace
}  // namespace mantissa
