// Gated linear units whose results are codes at once: the fp16 or bf16 values, rounded as `glu` and
// `glu_backward` store them, stay in registers.
#include <algorithm>

#include "kernels/check_glu.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/encode_rows.cuh"
#include "kernels/cuda/gates.cuh"

namespace mantissa::cuda {
namespace {

/// Rows of results.
template <Unary kKind, typename S, int N>
struct UnitRows {
  using Value = S;
  static constexpr int kWidth = N, kParts = 1, kHeld = 4;
  std::int64_t rows, cols;
  Rows<const S> gate, value;

  __device__ RowPacks<S, N, 1> stored(std::int64_t row, std::int64_t p) const {
    const auto g = load_pack<N>(gate.at(row, p * N)), v = load_pack<N>(value.at(row, p * N));
    RowPacks<S, N, 1> packs;
#pragma unroll
    for (int j = 0; j < N; ++j) {
      packs.part[0].value[j] = rounded<S>(Gated<kKind, S>{}(load(&g.value[j]), load(&v.value[j])));
    }
    return packs;
  }
  __device__ Pack<float, N> wide(const Pack<S, N>& pack, int, std::int64_t) const {
    return scaled_pack(pack, nullptr);
  }
  __device__ int place(int) const {
    return 0;
  }
};

/// Rows of gradients: those of gates and those of values, in the order of their halves.
template <Unary kKind, typename S, int N>
struct UnitGradientRows {
  using Value = S;
  static constexpr int kWidth = N, kParts = 2, kHeld = 2;
  std::int64_t rows, cols;
  Rows<const S> d_out, gate, value;
  bool gate_first;
  const float* factor;

  __device__ RowPacks<S, N, 2> stored(std::int64_t row, std::int64_t p) const {
    const auto to = gradients_of<kKind, N>(load_pack<N>(d_out.at(row, p * N)),
                                           load_pack<N>(gate.at(row, p * N)),
                                           load_pack<N>(value.at(row, p * N)));
    return {{to.gate, to.value}};
  }
  __device__ Pack<float, N> wide(const Pack<S, N>& pack, int part, std::int64_t p) const {
    return scaled_pack(pack, factor == nullptr ? nullptr : factor + place(part) * cols + p * N);
  }
  __device__ int place(int part) const { return gate_first ? part : 1 - part; }
};

/// f<N>() with the packs that the rows of all views and their factors allow.
template <typename S, typename F>
void dispatch_units(const View& factor, std::initializer_list<const View*> views, F&& f) {
  const bool whole = reinterpret_cast<std::uintptr_t>(factor.data) % 16 == 0;
  dispatch_pack<S>(
      whole && std::ranges::all_of(views, [](const View* v) { return in_packs<kPack<S>>(*v); }), f);
}

}  // namespace

void CudaKernels::glu_codes(Unary kind, const View& gate, const View& value, const View& codes,
                            const View& scale) {
  check_glu_codes(kind, gate, value, codes, scale);
  if (gate.count() == 0) {
    return;
  }
  dispatch_unit_codes<float8_e4m3>(
      kind, gate.dtype, codes.dtype, [&]<Unary kKind, typename S, typename C>() {
        dispatch_units<S>({}, {&codes, &gate, &value}, [&]<int N>() {
          const UnitRows<kKind, S, N> rows{gate.rows(), gate.cols(), rows_of<const S>(gate),
                                           rows_of<const S>(value)};
          encode_rows<C>(stream(), rows, scale.as<float>(), codes.as<std::uint8_t>());
        });
      });
}

void CudaKernels::glu_backward_codes(Unary kind, const View& d_out, const View& gate,
                                     const View& value, const View& column_factor,
                                     const View& d_gate, const View& d_value, const View& scale) {
  check_glu_backward_codes(kind, d_out, gate, value, column_factor, d_gate, d_value, scale);
  if (gate.count() == 0) {
    return;
  }
  const bool gate_first = d_gate.as<std::uint8_t>() < d_value.as<std::uint8_t>();
  const View& first = gate_first ? d_gate : d_value;
  dispatch_unit_codes<float8_e5m2>(
      kind, gate.dtype, first.dtype, [&]<Unary kKind, typename S, typename C>() {
        dispatch_units<S>(column_factor, {&first, &d_out, &gate, &value}, [&]<int N>() {
          const UnitGradientRows<kKind, S, N> rows{gate.rows(),
                                                   gate.cols(),
                                                   rows_of<const S>(d_out),
                                                   rows_of<const S>(gate),
                                                   rows_of<const S>(value),
                                                   gate_first,
                                                   column_factor.as<float>()};
          encode_rows<C>(stream(), rows, scale.as<float>(), first.as<std::uint8_t>());
        });
      });
}

}  // namespace mantissa::cuda
