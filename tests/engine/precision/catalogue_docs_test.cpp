#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "engine/precision/catalogue.h"

namespace mantissa {
namespace {

TEST(CatalogueDocs, TheCommittedReferenceIsTheTable) {
  std::ifstream in(MANTISSA_SOURCE_DIR "/resources/docs/reference/precision.md", std::ios::binary);
  std::ostringstream committed;
  committed << in.rdbuf();
  EXPECT_TRUE(committed.str() == catalogue_markdown())
      << "write it again: mantissa check --catalogue > resources/docs/reference/precision.md";
}

}  // namespace
}  // namespace mantissa
