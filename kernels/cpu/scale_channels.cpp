// Adapters: the scaling of channels by DoRA's factor, and dithered sums.
#include <type_traits>

#include "kernels/check_dora.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/tile.h"
#include "kernels/dither.h"

namespace mantissa::MANTISSA_ISA {
namespace {

/// One row of scale_channels: the present optional operands are fixed at compile time.
template <typename S, bool kHasV, bool kHasBias, bool kHasAddend>
struct ChannelRow {
  using T = accumulator_t<S>;
  using V = Vec<T>;
  const S *z, *v, *addend;
  const T *bias, *factor;

  template <typename Load>
  MANTISSA_INLINE V scaled(std::int64_t i, Load&& get) const {
    if constexpr (kHasV) {
      return get(v + i);
    } else {
      V x = get(z + i);
      if constexpr (kHasBias) {
        x = x - get(bias + i);
      }
      if constexpr (kHasAddend) {
        x = x - get(addend + i);
      }
      return x;
    }
  }
  template <typename Load>
  MANTISSA_INLINE V forward(std::int64_t i, Load&& get) const {
    if constexpr (kHasV) {
      if (factor == nullptr) {
        return get(z + i) + get(v + i);
      }
    }
    return fma(get(factor + i) - V(T(1)), scaled(i, get), get(z + i));
  }
};

/// The optional operands of one call, bias widened to T.
template <typename S>
struct ChannelOperands {
  using T = accumulator_t<S>;
  View z, v, addend;
  const T* bias;
  const T* factor;

  template <bool kHasV, bool kHasBias, bool kHasAddend>
  ChannelRow<S, kHasV, kHasBias, kHasAddend> row(std::int64_t r) const {
    const auto at = [r](const View& view) {
      return view ? view.as<S>() + r * view.row_stride : nullptr;
    };
    return {at(z), at(v), at(addend), bias, factor};
  }
  /// Calls f<has v, has bias, has addend>().
  template <typename F>
  void dispatch(F&& f) const {
    if (v) {
      f.template operator()<true, false, false>();
    } else if (bias != nullptr && addend) {
      f.template operator()<false, true, true>();
    } else if (bias != nullptr) {
      f.template operator()<false, true, false>();
    } else if (addend) {
      f.template operator()<false, false, true>();
    } else {
      f.template operator()<false, false, false>();
    }
  }
};

template <typename S>
ChannelOperands<S> operands(Scratch& scratch, const View& z, const View& v, const View& bias,
                            const View& addend, const View& factor) {
  using T = accumulator_t<S>;
  ChannelOperands<S> o{z, v, addend, nullptr, factor ? factor.as<T>() : nullptr};
  if (bias && bias.dtype == factor.dtype) {
    o.bias = bias.as<T>();
  } else if (bias) {
    T* wide =
        static_cast<T*>(scratch.shared(static_cast<std::size_t>(bias.count()) * sizeof(T), 1));
    widen(bias.as<S>(), bias.count(), wide);
    o.bias = wide;
  }
  return o;
}

/// Values rounded together: a few registers, so that the loop over them vectorizes.
constexpr std::int64_t kDithered = 64;

/// values[0, n) dithered to `to`; they begin at element `index` of the whole.
template <typename S>
void store_dithered(accumulator_t<S>* values, std::int64_t n, std::int64_t index, S* to) {
  using T = accumulator_t<S>;
  const auto first = static_cast<std::uint32_t>(index);
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(n); ++i) {
    values[i] = dithered<S>(values[i], first + i);
  }
  map_elements(
      n, to, [](Vec<T> x) { return x; }, static_cast<const T*>(values));
}

}  // namespace

void CpuKernels::scale_channels(const View& z, const View& v, const View& bias, const View& addend,
                                const View& factor, const View& out) {
  check_channels(z, v, bias, addend, factor, "scale_channels");
  check_like(out, z, "scale_channels", "out");
  const std::int64_t cols = z.cols();
  dispatch_float(z.dtype, [&]<typename S>() {
    constexpr int kLanes = Vec<accumulator_t<S>>::kLanes;
    const ChannelOperands<S> all = operands<S>(scratch_, z, v, bias, addend, factor);
    all.dispatch([&]<bool kV, bool kBias, bool kAddend>() {
      for_ranges(pool_, z.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t r = begin; r < end; ++r) {
          const auto row = all.template row<kV, kBias, kAddend>(r);
          S* to = out.as<S>() + r * out.row_stride;
          accumulator_t<S> values[kDithered];
          for (std::int64_t c = 0; c < cols; c += kDithered) {
            const std::int64_t count = std::min(kDithered, cols - c);
            std::int64_t i = 0;
            for (; i + kLanes <= count; i += kLanes) {
              store(values + i, row.forward(c + i, [](const auto* p) { return load(p); }));
            }
            if (i < count) {
              const int rest = static_cast<int>(count - i);
              store(values + i,
                    row.forward(c + i, [rest](const auto* p) { return load_n(p, rest); }));
            }
            store_dithered(values, count, r * cols + c, to + c);
          }
        }
      });
    });
  });
}

void CpuKernels::scale_channels_backward(const View& d_out, const View& z, const View& v,
                                         const View& bias, const View& addend, const View& factor,
                                         const View& d_v, const View& d_factor) {
  check_scale_channels_backward(d_out, z, v, bias, addend, factor, d_v, d_factor);
  const std::int64_t cols = z.cols(), rows = z.rows();
  // As in sum_per_sample: enough pieces for the threads, few enough to add up.
  const std::int64_t grain = std::max(row_grain(cols), ceil_div(rows, 64));
  const std::int64_t pieces = std::max<std::int64_t>(1, ceil_div(rows, grain));
  dispatch_float(z.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    using V = Vec<T>;
    constexpr int kLanes = V::kLanes;
    const ChannelOperands<S> all = operands<S>(scratch_, z, v, bias, addend, factor);
    T* partial =
        static_cast<T*>(scratch_.shared(static_cast<std::size_t>(pieces * cols) * sizeof(T)));
    const V less(v ? T(1) : T(0));
    all.dispatch([&]<bool kV, bool kBias, bool kAddend>() {
      pool_.run(pieces, [&](std::int64_t piece, int) {
        T* sums = partial + piece * cols;
        std::fill(sums, sums + cols, T(0));
        const std::int64_t end = std::min(rows, (piece + 1) * grain);
        for (std::int64_t r = piece * grain; r < end; ++r) {
          const auto row = all.template row<kV, kBias, kAddend>(r);
          const S* from = d_out.as<S>() + r * d_out.row_stride;
          S* to = d_v ? d_v.as<S>() + r * d_v.row_stride : nullptr;
          const auto step = [&](std::int64_t i, auto&& get, auto&& put) {
            const V d = get(from + i);
            put(sums + i, fma(d, row.scaled(i, get), get(sums + i)));
            if (to != nullptr) {
              put(to + i, d * (get(all.factor + i) - less));
            }
          };
          std::int64_t i = 0;
          for (; i + kLanes <= cols; i += kLanes) {
            step(
                i, [](const auto* p) { return load(p); }, [](auto* p, V x) { store(p, x); });
          }
          if (i < cols) {
            const int rest = static_cast<int>(cols - i);
            step(
                i, [rest](const auto* p) { return load_n(p, rest); },
                [rest](auto* p, V x) { store_n(p, x, rest); });
          }
        }
      });
    });
    T* total = d_factor.as<T>();
    std::copy(partial, partial + cols, total);
    for (std::int64_t piece = 1; piece < pieces; ++piece) {
      map_elements(
          cols, total, [](V a, V b) { return a + b; }, static_cast<const T*>(total),
          static_cast<const T*>(partial + piece * cols));
    }
  });
}

}  // namespace mantissa::MANTISSA_ISA
