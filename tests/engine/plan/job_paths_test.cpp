#include "engine/plan/job_paths.h"

#include <cstdlib>
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/io/weights.h"
#include "tests/environment.h"

namespace mantissa {
namespace {

TEST(JobPaths, DemoIsWhatTheProgramShips) {
  test::set_environment("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources");
  EXPECT_TRUE(std::filesystem::is_regular_file(resolve_base("demo")));
  EXPECT_EQ(WeightSource::open(resolve_base("demo-z-image")).family().id(), ModelFamily("z_image"));
  EXPECT_TRUE(is_built_in("demo"));
  EXPECT_TRUE(is_built_in("demo-z-image"));
  EXPECT_FALSE(is_built_in("demo/x"));
  JobSpec job;
  job.images = {"demo", "/elsewhere"};
  job.prior = {"demo"};
  const SetFolders folders = job_folders(job);
  EXPECT_TRUE(std::filesystem::is_directory(folders.images[0]));
  EXPECT_EQ(folders.images[1], "/elsewhere");
  EXPECT_EQ(folders.prior[0], folders.images[0]);
  EXPECT_TRUE(folders.validation.empty());
}

TEST(JobPaths, MissingOnesAreNamed) {
  EXPECT_THROW(resolve_base(""), Error);
  EXPECT_THROW(resolve_base("/no/such/model.safetensors"), Error);
  EXPECT_THROW(job_folders({}), Error) << "nothing to train on";
}

}  // namespace
}  // namespace mantissa
