#include <gtest/gtest.h>

#include "tests/kernels/cuda_on_host/both_backends.h"

namespace mantissa::testing {
namespace {

/// A bias one element after an aligned address.
TEST(GemmOnHost, TakesABiasWhereverItLies) {
  for (const DType type : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    BothBackends both;
    const Twin &a = both.random(type, {5, 24}, 1), &b = both.random(type, {16, 24}, 2),
               &longer = both.random(type, {17}, 3), &out = both.poisoned(type, {5, 16}, 3);
    both.run([&](Kernels& k, const BothBackends::Choose& of) {
      View bias = of(longer);
      bias.data = bias.as<std::byte>() + dtype_size(type);
      bias.shape = {16};
      k.matmul(of(a), of(b), bias, of(out), {.transpose_b = true});
    });
    both.expect_near(out, rounding_tolerance(type), "with a bias");
  }
}

}  // namespace
}  // namespace mantissa::testing
