#include "engine/plan/backend.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "engine/core/error.h"
#include "engine/plan/memory_needs.h"

namespace mantissa {
namespace {

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

TEST(DeviceOfProcess, IsTheCardAtItsPlace) {
  EXPECT_EQ(device_of_process("cpu", {3, 4}), "cpu");
  EXPECT_EQ(device_of_process("cuda:0,2", {0, 2}), "cuda:0");
  EXPECT_EQ(device_of_process("cuda:0,2", {1, 2}), "cuda:2");
  EXPECT_EQ(device_of_process("cuda:1", {0, 1}), "cuda:1") << "one on each of several machines";
}

TEST(DeviceOfProcess, RefusesTooFewCards) {
  EXPECT_THAT(error_of([] {
                device_of_process("cuda:0,2", {2, 3});
              }),
              testing::HasSubstr("3 processes were started on"));
  EXPECT_THAT(error_of([] {
                device_of_process("cuda:0,2", {2, 3});
              }),
              testing::HasSubstr("--device cuda:0,2 gives them 2 cards"));
}

TEST(DeviceOfProcess, RefusesWhatNamesNoCards) {
  for (const char* device : {"cuda:", "cuda:0,", "cuda:0,x", "cuda:-1", "cuda:0;2", "cuda0", "gpu",
                             "cuda:0,,2", "cuda:99999999999"}) {
    EXPECT_THAT(error_of([&] { device_of_process(device, {}); }),
                testing::HasSubstr("device '" + std::string(device) + "' is unknown"));
  }
}

TEST(DevicesOf, AreTheCardsOfAName) {
  EXPECT_EQ(devices_of("cpu"), std::vector<std::string>{"cpu"});
  EXPECT_EQ(devices_of("cuda"), std::vector<std::string>{"cuda"});
  EXPECT_EQ(devices_of("cuda:3"), std::vector<std::string>{"cuda:3"});
  const std::vector<std::string> three{"cuda:0", "cuda:2", "cuda:11"};
  EXPECT_EQ(devices_of("cuda:0,2,11"), three);
  EXPECT_EQ(device_of(three), "cuda:0,2,11");
  EXPECT_EQ(device_of({"cuda:1"}), "cuda:1");
  EXPECT_EQ(device_of({}), "cpu");
  EXPECT_THAT(error_of([] { devices_of("cuda:0,2,0"); }),
              testing::HasSubstr("names card cuda:0 twice"));
  EXPECT_THAT(error_of([] { devices_of("cuda:0,x"); }), testing::HasSubstr("is unknown"));
}

TEST(MakeBackend, SeveralCardsAreForTraining) {
  EXPECT_THAT(error_of([] { make_backend("cuda:0,2"); }),
              testing::HasSubstr("names 2 cards, which only `mantissa train` uses together"));
}

TEST(GradientCopies, AreCounted) {
  EXPECT_EQ((GradientCopies{false, 1}.bytes(100)), 0U);
  EXPECT_EQ((GradientCopies{true, 1}.bytes(100)), 100U) << "the sum so far";
  EXPECT_EQ((GradientCopies{true, 4}.bytes(100)), 125U) << "what all sent, and a part of the sum";
}

}  // namespace
}  // namespace mantissa
