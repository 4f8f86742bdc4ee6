// Names of text encoders' modules in PEFT's folders: those of the classes that diffusers loads.
#include "engine/adapters/peft_names.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "engine/adapters/adapter_file.h"
#include "engine/io/module_path.h"
#include "engine/io/part_names.h"

namespace mantissa {
namespace {

struct Case {
  const char* model;  ///< of tests/golden/models
  const char* begins;
};

TEST(PeftNames, AreThoseOfTheClassThatIsWrappedAndAreReadBack) {
  for (const Case& one :
       {Case{"z_image", "layers.0."}, Case{"anima", "layers.0."},
        Case{"krea2", "language_model.layers.0."}, Case{"flux2", "model.layers.0."},
        Case{"flux3", "model.language_model.layers.0."},
        Case{"qwen_image_21", "model.language_model.layers.0."},
        Case{"qwen_image", "model.language_model.layers.0."},
        Case{"ernie_image", "language_model.layers.0."}}) {
    const WeightSource base =
        WeightSource::open(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models" / one.model);
    const std::vector<std::string> paths = adaptable_modules(base);
    const ModuleTable table(paths, *base.model_names());
    int met = 0;
    for (const std::string& path : paths) {
      if (!path.starts_with(module_path(kTe1, "model.layers.0."))) {
        continue;
      }
      const auto name = module_name(path, kPeftDialect, *base.model_names());
      ASSERT_TRUE(name && name->starts_with(std::string("base_model.model.") + one.begins))
          << one.model << " " << name.value_or("");
      const NamedModule* found = table.find(*name, part_folder(kTe1));
      ASSERT_NE(found, nullptr) << *name;
      EXPECT_EQ(found->path, path);
      ++met;
    }
    EXPECT_GT(met, 0) << one.model;
  }
}

}  // namespace
}  // namespace mantissa
