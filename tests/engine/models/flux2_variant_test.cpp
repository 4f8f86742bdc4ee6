// FLUX.2's base and distilled models are told apart by model_index.json, else by names.
#include "engine/models/flux2/flux2_variant.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/io/base_files.h"
#include "engine/io/inspect.h"
#include "engine/io/json_file.h"
#include "engine/io/weights.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using testing_support::golden_model;

void expect(const fs::path& path, const std::string& name, bool distilled,
            const std::string& evidence) {
  const ModelSummary told = inspect(path);
  EXPECT_EQ(told.variant, name) << path;
  EXPECT_EQ(told.distilled, distilled) << path;
  EXPECT_EQ(told.variant_evidence.text(), evidence);
}

TEST(Flux2Variants, ByTheIndexWhateverTheName) {
  const test::TempFolder folder;
  const fs::path path = folder / "FLUX.2-klein-4B", index = path / "model_index.json";
  fs::copy(golden_model("flux2"), path, fs::copy_options::recursive);
  expect(path, "base", false, "model_index.json has is_distilled false");
  nlohmann::json json = read_json(index);
  json["is_distilled"] = true;
  std::ofstream(index) << json;
  expect(path, "4-step", true, "model_index.json has is_distilled true");
  json["is_distilled"] = "yes";
  std::ofstream(index) << json;
  test::expect_error_with([&] { flux2_variant(WeightSource::open(path)); },
                          {"model_index.json", "is_distilled", "true or false", "yes"});
  json.erase("is_distilled");
  std::ofstream(index) << json;
  expect(path, "4-step", true, "it is called 'FLUX.2-klein-4B'");
}

TEST(Flux2Variants, ByTheName) {
  const test::TempFolder folder;
  for (const auto& [name, variant, distilled] :
       {std::tuple("flux-2-klein-4b-fp8", "4-step", true),
        std::tuple("flux-2-klein-base-4b", "base", false)}) {
    const std::string file = std::string(name) + ".safetensors";
    fs::copy(golden_model("flux2_bare.safetensors"), folder / file);
    expect(folder / file, variant, distilled, "it is called '" + file + "'");
  }
  expect(golden_model("flux2_bare.safetensors"), "unknown", false, "");
  BaseFiles files;
  files.parts[kDenoiser] = folder / "flux-2-klein-base-4b.safetensors";
  write_base_files(folder / "klein.json", files);
  expect(folder / "klein.json", "base", false, "it is called 'flux-2-klein-base-4b.safetensors'");
}

}  // namespace
}  // namespace mantissa
