// Where the other parts of a model in several files are looked for.
#include "engine/io/neighbour_files.h"

#include <gtest/gtest.h>

#include "tests/test_util.h"
#ifndef _WIN32
#include <sys/stat.h>
#endif

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class NeighbourFiles : public ::testing::Test {
 protected:
  fs::path put(const fs::path& name) {
    fs::create_directories((folder_ / name).parent_path());
    test::write_file(folder_ / name, "x");
    return folder_ / name;
  }
  test::TempFolder folder_;
};

TEST_F(NeighbourFiles, AreThoseOfComfyUIsFolders) {
  const fs::path model = put("diffusion_models/model.safetensors");
  const fs::path own = put("diffusion_models/b.gguf"), te = put("text_encoders/qwen.safetensors"),
                 clip = put("clip/l.safetensors"), vae = put("vae/ae.safetensors");
  put("loras/style.safetensors");
  put("vae/notes.txt");
  put("vae/taesd/decoder.safetensors");
  EXPECT_EQ(neighbour_folders(model),
            (std::vector<fs::path>{folder_ / "diffusion_models", folder_ / "text_encoders",
                                   folder_ / "clip", folder_ / "vae"}));
  EXPECT_EQ(neighbour_files(model), (std::vector<fs::path>{own, te, clip, vae}));
}

TEST_F(NeighbourFiles, OfAFileInTheWorkingFolder) {
  put("models/unet/model.safetensors");
  const fs::path vae = put("models/vae/ae.safetensors");
  const fs::path before = fs::current_path();
  fs::current_path(folder_ / "models/unet");
  const std::vector<fs::path> found = neighbour_files("model.safetensors");
  fs::current_path(before);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(fs::equivalent(found.front(), vae));
}

TEST_F(NeighbourFiles, AreFewHoweverManyThereAre) {
  const fs::path model = put("unet/model.safetensors");
  for (std::size_t i = 0; i < kMostNeighbours + 20; ++i) {
    put("vae/" + std::to_string(i) + ".safetensors");
  }
  const fs::path te = put("text_encoders/te.safetensors");
  EXPECT_EQ(neighbour_files(model).size(), kMostNeighbours + 1);
  EXPECT_EQ(neighbour_files(model).front(), te);
}

#ifndef _WIN32
TEST_F(NeighbourFiles, LinksAndPipesDoNoHarm) {
  const fs::path model = put("unet/model.safetensors");
  const fs::path te = put("text_encoders/te.safetensors");
  fs::create_directory_symlink(folder_ / "text_encoders", folder_ / "clip");
  fs::create_symlink(model, folder_ / "unet/same.safetensors");
  fs::create_directory(folder_ / "vae");
  fs::create_symlink(folder_ / "nowhere", folder_ / "vae/dangling.safetensors");
  fs::create_symlink(folder_ / "vae/loop.safetensors", folder_ / "vae/loop.safetensors");
  ASSERT_EQ(::mkfifo((folder_ / "vae/pipe.safetensors").c_str(), 0600), 0);
  EXPECT_EQ(neighbour_files(model), std::vector<fs::path>{te});
  EXPECT_TRUE(neighbour_files(folder_ / "none/at/all.safetensors").empty());
}
#endif

}  // namespace
}  // namespace mantissa
