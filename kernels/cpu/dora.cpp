// DoRA: what magnitudes and norms make, and the gradients of magnitudes.
#include <span>

#include "kernels/check_dora.h"
#include "kernels/cpu/backend.h"

namespace mantissa::MANTISSA_ISA {
namespace {

template <typename T>
T divided(T numerator, T norm, T squares, T least, T otherwise) {
  // Written so that a NaN norm divides: it must show.
  const bool vanishes = norm < least || squares < least * least;
  return vanishes ? otherwise : numerator / norm;
}

}  // namespace

void CpuKernels::divide_by_norm(const View& numerator, const View& norm, const View& squares,
                                float least, float otherwise, const View& out) {
  check_divide_by_norm(numerator, norm, squares, out);
  dispatch_float(numerator.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    for (std::int64_t i = 0; i < out.count(); ++i) {
      out.as<T>()[i] = divided<T>(numerator.as<T>()[i], norm.as<T>()[i], squares.as<T>()[i],
                                  static_cast<T>(least), static_cast<T>(otherwise));
    }
  });
}

void CpuKernels::dora_factors(std::span<const DoraFactorArgs> layers, float least) {
  check_dora_factors(layers);
  for (const DoraFactorArgs& l : layers) {
    dora_norm(l.layer, l.norm);
    divide_by_norm(l.magnitude, l.norm, l.layer.squares, least, 1.0F, l.factor);
  }
}

void CpuKernels::add_magnitude_gradients(std::span<const MagnitudeGradient> layers, float least) {
  check_magnitude_gradients(layers);
  for (const MagnitudeGradient& l : layers) {
    dispatch_float(l.d_factor.dtype, [&]<typename S>() {
      using T = accumulator_t<S>;
      for (std::int64_t i = 0; i < l.norm.count(); ++i) {
        l.d_magnitude.as<T>()[i] += divided<T>(l.d_factor.as<T>()[i], l.norm.as<T>()[i],
                                               l.squares.as<T>()[i], static_cast<T>(least), T(0));
      }
    });
  }
}

}  // namespace mantissa::MANTISSA_ISA
