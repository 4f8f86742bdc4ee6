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

// FLUX.1's encoders are told apart by what their files hold, and so are tokenizers.
TEST_F(BaseCommand, TextEncodersComeInAnyOrder) {
  const fs::path flux1 = fs::path(MANTISSA_TEST_DATA) / "golden/models/flux1";
  const auto in = [&](const char* name) { return path_to_utf8(flux1 / name); };
  const std::string transformer = in("transformer/diffusion_pytorch_model.safetensors");
  const std::string clip = in("text_encoder/model.safetensors");
  const std::string t5 = in("text_encoder_2/model.safetensors");
  const std::vector<std::string> start{"base",  "--denoiser",   transformer,
                                       "--out", path("o.json"), "--overwrite"};
  const auto run_with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args = start;
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  };
  for (const bool swapped : {false, true}) {
    std::vector<std::string> given{
        "--text-encoder", clip,          "--text-encoder", t5, "--tokenizer",
        in("tokenizer"),  "--tokenizer", in("tokenizer_2")};
    if (swapped) {
      std::swap(given[1], given[3]);
      std::swap(given[5], given[7]);
    }
    ASSERT_EQ(run_with(given), 0) << err();
    EXPECT_EQ(err().find("is taken as te2") != std::string::npos, swapped) << err();
    const BaseFiles files = read_base_files(folder_ / "o.json");
    EXPECT_EQ(files.parts.at(kTe1), path_from_utf8(clip));
    EXPECT_EQ(files.parts.at(kTe2), path_from_utf8(t5));
    EXPECT_EQ(files.tokenizers.at(kTe1), flux1 / "tokenizer");
    EXPECT_EQ(files.tokenizers.at(kTe2), flux1 / "tokenizer_2");
  }
  ASSERT_EQ(run_with({"--text-encoder", t5}), 0) << err();
  EXPECT_EQ(read_base_files(folder_ / "o.json").parts.at(kTe2), path_from_utf8(t5));
  ASSERT_EQ(run_with({"--tokenizer", in("tokenizer_2")}), 0) << err();
  EXPECT_TRUE(read_base_files(folder_ / "o.json").tokenizers.contains(kTe2));
  EXPECT_EQ(run_with({"--text-encoder", clip, "--text-encoder", clip}), 2);
  EXPECT_THAT(one_error_line(), testing::HasSubstr("holds no text_encoder_2 of FLUX.1"));
  EXPECT_EQ(run_with({"--vae", clip}), 2);
  EXPECT_THAT(one_error_line(), testing::HasSubstr("model.safetensors' lacks the vae weight"));
}

}  // namespace
}  // namespace mantissa
