// What files state about the licence of a model's weights.
#include "engine/io/weights_licence.h"

#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class WeightsLicenceTest : public testing::Test {
 protected:
  std::string found() const {
    const auto licence = licence_in(folder_.path());
    return licence ? licence->text() + " " + licence->link : "";
  }
  void write(const char* name, const std::string& text) const {
    test::write_file(folder_ / name, text);
  }

  test::TempFolder folder_;
};

TEST_F(WeightsLicenceTest, IsThatOfTheModelCard) {
  write("README.md", "---\nlicense: apache-2.0\ntags:\n- x\n---\n# A model\nlicense: no\n");
  EXPECT_EQ(found(), "apache-2.0 (README.md) ");
  write("README.md",
        "---\r\nlicense: other\r\nlicense_name: \"flux-1-dev-non-commercial-license\"\r\n"
        "license_link: LICENSE.md\r\n---\r\n");
  EXPECT_EQ(found(), "flux-1-dev-non-commercial-license (README.md) LICENSE.md");
  write("README.md", "---\nlicense: openrail++\nlicense_name: a name beside it\n---\n");
  EXPECT_EQ(found(), "openrail++ (README.md) ");
  write("README.md", "---\nlicense: other\n---\n");
  EXPECT_EQ(found(), "other (README.md) ");
}

TEST_F(WeightsLicenceTest, IsTheFirstLineOfALicenceFileWithoutACard) {
  EXPECT_EQ(found(), "");
  write("LICENSE.md", "\n# FLUX Non-Commercial License\n\nText\n");
  EXPECT_EQ(found(), "FLUX Non-Commercial License (LICENSE.md) ");
  write("README.md", "# No front matter\nlicense: mit\n");
  EXPECT_EQ(found(), "FLUX Non-Commercial License (LICENSE.md) ");
  write("README.md", "---\ntags: []\n---\nlicense: mit\n");
  EXPECT_EQ(found(), "FLUX Non-Commercial License (LICENSE.md) ");
  write("README.md", std::string(1 << 20, '-'));
  write("LICENSE", std::string(1 << 20, 'x'));
  EXPECT_LT(found().size(), 200U) << "of a file without an end only the beginning";
}

TEST_F(WeightsLicenceTest, IsThatOfTheMetadata) {
  const auto of = [](const std::map<std::string, std::string>& metadata) {
    const auto licence = licence_of(metadata);
    return licence ? licence->text() + " " + licence->link : "";
  };
  EXPECT_EQ(of({}), "");
  EXPECT_EQ(of({{"modelspec.license", " "}}), "");
  EXPECT_EQ(of({{"modelspec.license", "CreativeML Open RAIL++-M"}}),
            "CreativeML Open RAIL++-M (metadata) ");
  EXPECT_EQ(of({{"general.license", "other"},
                {"general.license.name", "ltx"},
                {"general.license.link", "https://x"}}),
            "ltx (metadata) https://x");
  EXPECT_EQ(of({{"general.license", "mit"}}), "mit (metadata) ");
}

}  // namespace
}  // namespace mantissa
