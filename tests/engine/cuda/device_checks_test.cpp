// The self-test of devices, on the test card: it finds a card that calculates wrong.
#include <gmock/gmock.h>

#include "engine/plan/backend.h"
#include "engine/plan/device_test.h"
#include "tests/engine/cuda/card.h"

namespace mantissa {
namespace {

using ::testing::HasSubstr;

class DeviceChecks : public testing_support::CudaFixture {
 protected:
  void SetUp() override {
    CudaFixture::SetUp();
    unsetenv("MANTISSA_CUDA_WRONG_PRODUCTS");
    unsetenv("MANTISSA_CUDA_PINNED");
    setenv("MANTISSA_CUDA_UNITS", "90", 1);  // as the card says
  }
  void TearDown() override {
    unsetenv("MANTISSA_CUDA_WRONG_PRODUCTS");
    unsetenv("MANTISSA_CUDA_PINNED");
    unsetenv("MANTISSA_CUDA_UNITS");
    make_backend("cuda:0");  // takes the environment back
    CudaFixture::TearDown();
  }
  static DeviceTest test_card() { return test_device(list_devices().at(1)); }
  static std::vector<std::string> failed(const DeviceTest& test) {
    std::vector<std::string> names;
    for (const KernelCheck& check : test.checks) {
      if (!check.passed()) {
        names.push_back(check.name);
      }
    }
    return names;
  }
};

TEST_F(DeviceChecks, ACardThatWorksPasses) {
  const DeviceTest test = test_card();
  EXPECT_TRUE(test.passed()) << device_test_text(test);
  EXPECT_THAT(failed(test), testing::IsEmpty());
  EXPECT_EQ(test.checks.size(), 18u) << "three of four types, two of codes twice, two copies";
  ASSERT_EQ(test.products.size(), 2u);
  for (const ProductRate& rate : test.products) {
    EXPECT_GT(rate.ours, 0) << rate.codes;
    EXPECT_GT(rate.library, 0) << rate.codes;
  }
  EXPECT_GT(test.pinned_rate, 0);
  EXPECT_GT(test.pageable_rate, 0);
  EXPECT_GT(test.free_bytes, 0u);
  const std::string text = device_test_text(test);
  for (const char* part :
       {"cuda:0: ", "driver", "compute capability", "code for", "GB memory free", "product fp16",
        "convolution bf16", "attention fp32", "product fp8_e4m3", "product int8",
        "our product int8", "our product fp8_e4m3",
        "products of int8 codes: ", "TOPS by our kernel", "page-locked", "passed: 18 of 18"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST_F(DeviceChecks, TheProcessorPasses) {
  const DeviceTest test = test_device(list_devices().front());
  EXPECT_TRUE(test.passed()) << device_test_text(test);
  EXPECT_EQ(test.checks.size(), 14u);
  EXPECT_THAT(device_test_text(test), Not(HasSubstr("page-locked")));
}

TEST_F(DeviceChecks, WrongProductsAreFound) {
  if (std::getenv("MANTISSA_TEST_DEVICE") != nullptr) {
    GTEST_SKIP() << "a card can't be told to calculate wrong";
  }
  setenv("MANTISSA_CUDA_WRONG_PRODUCTS", "1", 1);
  const DeviceTest test = test_card();
  EXPECT_FALSE(test.passed());
  for (const char* name : {"product fp64", "product bf16", "convolution fp32", "attention fp16",
                           "product int8", "product fp8_e4m3"}) {
    EXPECT_THAT(failed(test), testing::Contains(name));
  }
  EXPECT_THAT(failed(test), Not(testing::Contains(HasSubstr("our"))));
  EXPECT_THAT(device_test_text(test), HasSubstr("FAILED: 14 of 18 checks"));
}

TEST_F(DeviceChecks, WhatCanNotBePinnedIsNotMeasured) {
  setenv("MANTISSA_CUDA_PINNED", "20", 1);
  const DeviceTest test = test_card();
  EXPECT_TRUE(test.passed()) << device_test_text(test);
  EXPECT_EQ(test.pinned_rate, 0);
  EXPECT_THAT(device_test_text(test), HasSubstr("not measured page-locked"));
}

TEST_F(DeviceChecks, ALostCardIsAFailure) {
  const testing_support::CardMemory card;
  if (!card.visible()) {
    GTEST_SKIP() << "a card can't be told to fail";
  }
  make_backend("cuda:0");
  card.fail({.api = cuda_on_host::Api::launch, .call = 5, .error = 719, .lost = true});
  const DeviceTest test = test_card();
  card.fail({});
  EXPECT_FALSE(test.passed());
  EXPECT_THAT(device_test_text(test), HasSubstr("stopped: "));
}

}  // namespace
}  // namespace mantissa
