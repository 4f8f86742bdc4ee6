// mantissa base: one base model of files that lie apart.
#include "engine/core/paths.h"
#include "engine/io/base_files.h"
#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class BaseCommand : public CliTest {
 protected:
  std::string put(const std::string& part, const std::string& name) {
    const fs::path to = folder_ / name;
    fs::create_directories(to.parent_path());
    for (const auto& entry :
         fs::directory_iterator(fs::path(MANTISSA_TEST_DATA) / "golden/models/z_image" / part)) {
      if (entry.path().extension() == ".safetensors") {
        fs::copy_file(entry.path(), to);
      }
    }
    return path_to_utf8(to);
  }
};

TEST_F(BaseCommand, FindsWhatBelongsToATransformer) {
  const std::string transformer = put("transformer", "diffusion_models/z.safetensors");
  const std::string encoder = put("text_encoder", "text_encoders/q.safetensors");
  EXPECT_EQ(run({"base", transformer}), 2);
  EXPECT_THAT(one_error_line(), testing::HasSubstr("vae (no file fits)"));
  EXPECT_FALSE(fs::exists(folder_ / "diffusion_models/z.base.json"));

  const std::string vae = put("vae", "vae/v.safetensors");
  EXPECT_EQ(run({"base", transformer}), 0) << err();
  EXPECT_THAT(out(), testing::HasSubstr("z.base.json"));
  EXPECT_THAT(out(), testing::Not(testing::HasSubstr("lacks")));
  const BaseFiles files = read_base_files(folder_ / "diffusion_models/z.base.json");
  EXPECT_EQ(files.parts.at(kTe1), path_from_utf8(encoder));
  EXPECT_EQ(files.parts.at(kVae), path_from_utf8(vae));
  EXPECT_EQ(run({"base", transformer}), 2);
  EXPECT_THAT(one_error_line(), testing::HasSubstr("--overwrite"));

  const std::string other = put("vae", "vae/w.safetensors");
  EXPECT_EQ(run({"base", transformer, "--out", path("o.json")}), 2);
  EXPECT_THAT(one_error_line(), testing::HasSubstr("Choose with --vae"));
  EXPECT_EQ(run({"base", transformer, "--vae", other, "--out", path("o.json")}), 0) << err();
  EXPECT_EQ(read_base_files(folder_ / "o.json").parts.at(kVae), path_from_utf8(other));
}

TEST_F(BaseCommand, WithDenoiserListsOnlyWhatIsGiven) {
  const std::string transformer = put("transformer", "diffusion_models/z.safetensors");
  put("vae", "vae/v.safetensors");
  EXPECT_EQ(run({"base", "--denoiser", transformer}), 0) << err();
  EXPECT_THAT(out(), testing::HasSubstr("lacks te1, vae"));
  EXPECT_EQ(run({"base", "--denoiser", transformer, transformer}), 2);
  EXPECT_EQ(run({"base"}), 2);
  EXPECT_THAT(one_error_line(), testing::HasSubstr("transformer"));
}

}  // namespace
}  // namespace mantissa
