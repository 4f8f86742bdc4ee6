#include "kernels/check_conv.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/conv_pack.h"
#include "kernels/cpu/conv_patches.h"
#include "kernels/cpu/gemm_blocks.h"
#include "kernels/cpu/tile.h"

// Convolutions are GEMMs whose A is gathered from the image while packing: row = pixel, column =
// (tap, channel). Backward data is the same GEMM over d_out with the weight's channels swapped;
// with a stride each residue of the output position is a separate GEMM, so that no zeros are
// multiplied. With few channels, gathering would cost as much as multiplying: then lines of the
// image are copied with their borders, and GEMMs read them in place.

namespace mantissa::MANTISSA_ISA {

namespace {

/// The placement of C's rows: pixel (first + i·step) of an image out_height x out_width.
struct Lattice {
  std::int64_t first_y = 0, first_x = 0, step = 1;
};

/// C += A·B for pixels [m0, m1) and columns [n0, n1), A read in place; C holds the start values.
/// panel_b(column, k) is B's panel from depth k on.
template <typename E, typename PanelB>
void add_taps(const Patches& p, std::int64_t m0, std::int64_t m1, std::int64_t n0, std::int64_t n1,
              PanelB&& panel_b, tile_sum_t<E>* c, std::int64_t c_stride) {
  constexpr int kPer = TileElement<E>::kDepth;
  const E* image = static_cast<const E*>(p.data);
  const std::int64_t channels = p.channels / kPer, pixel_stride = p.pixel_stride / kPer;
  for (std::size_t t = 0; t < p.taps.size(); ++t) {
    const Tap& tap = p.taps[t];
    // The pixels whose source column lies inside the image.
    const std::int64_t first_x = tap.dx >= 0 ? std::int64_t{0} : ceil_div(-tap.dx, p.step);
    const std::int64_t last_x =
        std::min(p.width, p.in_width > tap.dx ? ceil_div(p.in_width - tap.dx, p.step) : 0);
    for (std::int64_t k0 = 0; k0 < channels; k0 += kDepth) {
      const std::int64_t depth = std::min<std::int64_t>(kDepth, channels - k0);
      for (std::int64_t n = n0; n < n1; n += kTileCols<E>) {
        const int cols = static_cast<int>(std::min<std::int64_t>(kTileCols<E>, n1 - n));
        const E* panel = panel_b(n, static_cast<std::int64_t>(t) * channels + k0);
        for (std::int64_t row = m0 / p.width; row * p.width < m1; ++row) {
          const std::int64_t iy = row % p.height * p.step + tap.dy;
          if (iy < 0 || iy >= p.in_height) {
            continue;
          }
          const std::int64_t begin = std::max(m0 - row * p.width, first_x);
          const std::int64_t end = std::min(m1 - row * p.width, last_x);
          const std::int64_t tiles = ceil_div(end - begin, kTileRows);
          for (std::int64_t i = 0; i < tiles; ++i) {
            const std::int64_t x = begin + (end - begin) * i / tiles;
            const auto count = static_cast<int>(begin + (end - begin) * (i + 1) / tiles - x);
            const std::int64_t pixel =
                (row / p.height * p.in_height + iy) * p.in_width + x * p.step + tap.dx;
            tile_kernel<E>(count, cols > kTileLanes<E>, TileA::strided_rows)(
                {image + pixel * pixel_stride + k0, p.step * pixel_stride, panel, kTileCols<E>,
                 depth, c + (row * p.width + x - m0) * c_stride + (n - n0), c_stride, cols, 1, true,
                 nullptr});
          }
        }
      }
    }
  }
}

/// out (+)= the GEMM, one row of pixels at a time; `panels` holds B whole.
template <typename S, typename T>
void add_lines(ThreadPool& pool, Scratch& scratch, const Patches& p, const T* panels,
               const View& bias, const View& out, Lattice to, bool accumulate) {
  constexpr int kCols = kTileCols<T>;
  constexpr std::int64_t kRowsOfChunk = 8;
  const std::int64_t rows = out.shape[0] * p.height, n = out.cols();
  const std::int64_t panel = static_cast<std::int64_t>(p.taps.size()) * p.channels * kCols;
  const std::int64_t tiles = ceil_div(p.width, kTileRows);
  const bool direct = std::is_same_v<S, T> && to.step == 1;
  const std::int64_t sum_stride = direct ? out.row_stride : ceil_div(n, kCols) * kCols;
  for_ranges(pool, rows, kRowsOfChunk, [&](std::int64_t begin, std::int64_t end, int thread) {
    Lines<S, T> lines(p);
    T* memory = static_cast<T*>(scratch.of_thread(
        thread, static_cast<std::size_t>(lines.elements() + (direct ? 0 : p.width * sum_stride)) *
                    sizeof(T)));
    lines.keep_in(memory);
    for (std::int64_t row = begin; row < end; ++row) {
      T* sums = memory + lines.elements();
      const T* plus = nullptr;
      if constexpr (std::is_same_v<S, T>) {
        sums = direct ? out.as<T>() + row * p.width * out.row_stride : sums;
        plus = direct && bias ? bias.as<T>() : nullptr;
      }
      bool add = direct && accumulate, written = false;
      const auto multiply = [&](const T* line, std::int64_t tap_row, std::int64_t depth) {
        for (std::int64_t c = 0; c < n; c += kCols) {
          const int cols = static_cast<int>(std::min<std::int64_t>(kCols, n - c));
          const T* b = panels + c / kCols * panel + tap_row * lines.run() * kCols;
          for (std::int64_t i = 0; i < tiles; ++i) {
            const std::int64_t x = p.width * i / tiles;
            const auto count = static_cast<int>(p.width * (i + 1) / tiles - x);
            tile_kernel<T>(count, cols > kTileLanes<T>, TileA::strided_rows)(
                {line + x * lines.step(), lines.step(), b, kCols, depth, sums + x * sum_stride + c,
                 sum_stride, cols, T(1), add, plus == nullptr ? nullptr : plus + c});
          }
        }
        add = written = true;
        plus = nullptr;
      };
      for (std::int64_t j = 0; j < lines.height(); ++j) {
        if (const T* line = lines.at(row, j)) {
          multiply(line, j, lines.run());
        }
      }
      if (!written) {
        multiply(memory, 0, 0);  // every tap lies outside the image
      }
      if (!direct) {
        const std::int64_t y = row % p.height * to.step + to.first_y;
        const std::int64_t first = (row / p.height * out.shape[1] + y) * out.shape[2] + to.first_x;
        store_block<S>(
            sums, sum_stride, p.width, n, accumulate ? T(1) : T(0), bias ? bias.as<S>() : nullptr,
            [&](std::int64_t i) { return out.as<S>() + (first + i * to.step) * out.row_stride; });
      }
    }
  });
}

/// out (+)= the GEMM of elements S with panels of B of elements E.
template <typename S, typename E>
class ConvGemm {
 public:
  using T = accumulator_t<S>;
  ConvGemm(const Patches& p, const View& bias, const View& out, Lattice to, bool accumulate)
      : p_(p),
        bias_(bias),
        out_(out),
        to_(to),
        accumulate_(accumulate),
        in_place_(kPairs || (std::is_same_v<S, T> && reads_in_place<S>(p))),
        direct_(std::is_same_v<S, T> && to.step == 1),
        m_(out.shape[0] * p.height * p.width),
        n_(out.cols()),
        k_(static_cast<std::int64_t>(p.taps.size()) * p.channels) {}

  /// `constant`: B's panels, or null for panels that `pack` makes.
  void run(ThreadPool& pool, Scratch& scratch, const E* constant, const PackTaps<E>& pack) const {
    if (constant != nullptr) {
      const GemmPlan plan = plan_gemm(m_, n_, k_, kCols, !in_place_);
      const std::int64_t block = whole_lines(plan.rows), tall = ceil_div(m_, block);
      pool.run(tall * ceil_div(n_, plan.cols), [&](std::int64_t chunk, int thread) {
        const std::int64_t m0 = chunk % tall * block, n0 = chunk / tall * plan.cols;
        multiply(m0, std::min(m_, m0 + block), n0, std::min(n_, n0 + plan.cols), constant, 0,
                 scratch.of_thread(thread, block_bytes(block, plan.cols)));
      });
      return;
    }
    GemmShare share = share_gemm(m_, n_, k_, panel() * static_cast<std::int64_t>(sizeof(E)), kCols,
                                 pool.threads());
    share.block = whole_lines(share.block);
    share.rows = ceil_div(share.rows, share.block) * share.block;
    for_shares<E>(
        pool, scratch, share, m_, n_, kCols, panel(), block_bytes(share.block, share.cols), pack,
        [&](std::int64_t m0, std::int64_t m1, std::int64_t n0, std::int64_t n1, const E* panels,
            void* memory) { multiply(m0, m1, n0, n1, panels, n0, memory); });
  }

 private:
  static constexpr bool kPairs = std::is_same_v<E, Bf16Pair>;
  static constexpr int kCols = kTileCols<E>;

  std::int64_t panel() const { return k_ / TileElement<E>::kDepth * kCols; }
  /// At most `rows`; of images read in place as many whole lines or an even part of one, so that
  /// tiles are full.
  std::int64_t whole_lines(std::int64_t rows) const {
    if (!in_place_) {
      return rows;
    }
    return p_.width <= rows ? rows / p_.width * p_.width
                            : ceil_div(p_.width, ceil_div(p_.width, rows));
  }
  std::size_t block_bytes(std::int64_t rows, std::int64_t cols) const {
    return static_cast<std::size_t>((direct_ ? 0 : rows * cols) + (in_place_ ? 0 : kABlock)) *
           sizeof(T);
  }

  /// Row `row` of C in the image.
  S* out_row(std::int64_t row) const {
    if (to_.step == 1) {
      return out_.as<S>() + row * out_.row_stride;
    }
    const std::int64_t plane = p_.height * p_.width;
    const std::int64_t y = row % plane / p_.width * to_.step + to_.first_y;
    const std::int64_t x = row % p_.width * to_.step + to_.first_x;
    return out_.as<S>() + ((row / plane * out_.shape[1] + y) * out_.shape[2] + x) * out_.row_stride;
  }

  /// Rows [m0, m1), at most kBlockRows, and columns [n0, n1) of C; `panels` begin at column
  /// `first`.
  void multiply(std::int64_t m0, std::int64_t m1, std::int64_t n0, std::int64_t n1, const E* panels,
                std::int64_t first, void* memory) const {
    T* c = static_cast<T*>(memory);
    std::int64_t c_stride = ceil_div(n1 - n0, kCols) * kCols;
    E* const a_block = reinterpret_cast<E*>(c + (direct_ ? 0 : (m1 - m0) * c_stride));
    if constexpr (std::is_same_v<S, T>) {
      if (direct_) {
        c = out_.as<T>() + m0 * out_.row_stride + n0;
        c_stride = out_.row_stride;
      }
    }
    const auto panel_at = [&](std::int64_t column, std::int64_t depth) {
      return panels + (column - first) / kCols * panel() + depth * kCols;
    };
    if (in_place_) {
      set_start(c, c_stride, m1 - m0, n0, n1);
      add_taps<E>(p_, m0, m1, n0, n1, panel_at, c, c_stride);
    } else if constexpr (!kPairs) {
      const auto pack_a = [&](std::int64_t row, int rows, std::int64_t k0, std::int64_t depth,
                              T* to) { pack_patches<S>(p_, row, rows, k0, depth, to); };
      const auto panel_b = [&](std::int64_t column, int, std::int64_t k0, std::int64_t) {
        return std::pair(panel_at(column, k0), std::int64_t{kCols});
      };
      const T* bias = nullptr;
      if constexpr (std::is_same_v<S, T>) {
        bias = direct_ && bias_ ? bias_.as<T>() + n0 : nullptr;
      }
      gemm_block<T>(m0, m1, n0, n1, k_, {TileA::packed_rows, a_block}, pack_a, panel_b, c, c_stride,
                    T(1), direct_ && accumulate_, bias);
    }
    if (!direct_) {
      store_block<S>(c, c_stride, m1 - m0, n1 - n0, accumulate_ ? T(1) : T(0),
                     bias_ ? bias_.as<S>() + n0 : nullptr,
                     [&](std::int64_t i) { return out_row(m0 + i) + n0; });
    }
  }

  /// What add_taps adds to: zero or, where C is the result itself, what it holds, with the bias.
  void set_start(T* c, std::int64_t c_stride, std::int64_t rows, std::int64_t n0,
                 std::int64_t n1) const {
    for (std::int64_t i = 0; i < rows; ++i) {
      T* row = c + i * c_stride;
      if (!direct_ || !accumulate_) {
        std::fill(row, row + (n1 - n0), T(0));
      }
      if constexpr (std::is_same_v<S, T>) {
        if (direct_ && bias_) {
          map_elements(
              n1 - n0, row, [](Vec<T> a, Vec<T> b) { return a + b; }, static_cast<const T*>(row),
              static_cast<const T*>(bias_.as<T>() + n0));
        }
      }
    }
  }

  const Patches& p_;
  const View &bias_, &out_;
  Lattice to_;
  bool accumulate_;
  bool in_place_;  ///< A is read in place, as pairs always are
  bool direct_;    ///< C is accumulated in the result; pairs never are
  std::int64_t m_, n_, k_;
};

template <typename S, typename E>
void conv_product(ThreadPool& pool, Scratch& scratch, const E* constant, const PackTaps<E>& pack,
                  const Patches& p, const View& bias, const View& out, Lattice to,
                  bool accumulate) {
  if constexpr (!std::is_same_v<E, Bf16Pair>) {
    if (reads_lines(p)) {
      constexpr int kCols = kTileCols<E>;
      const std::int64_t n = out.cols();
      const std::int64_t k = static_cast<std::int64_t>(p.taps.size()) * p.channels;
      const E* panels = constant;
      if (panels == nullptr) {
        E* packed = static_cast<E*>(
            scratch.shared(static_cast<std::size_t>(ceil_div(n, kCols) * k * kCols) * sizeof(E)));
        for (std::int64_t c = 0; c < n; c += kCols) {
          pack(c, static_cast<int>(std::min<std::int64_t>(kCols, n - c)), packed + c * k);
        }
        panels = packed;
      }
      add_lines<S, E>(pool, scratch, p, panels, bias, out, to, accumulate);
      return;
    }
  }
  ConvGemm<S, E>(p, bias, out, to, accumulate).run(pool, scratch, constant, pack);
}

void check_codes(const View& weight, const ConvOptions& options, const char* kernel) {
  check_kernel(!is_quantized(weight.dtype) || !options.tf32, kernel, "codes are not read as TF32");
}

}  // namespace

void CpuKernels::conv2d(const View& x_given, const View& weight_given, const View& bias,
                        const View& out, const ConvOptions& options, bool accumulate) {
  check_conv2d(x_given, read_as(weight_given, x_given.dtype, "conv2d"), bias, out, options);
  check_codes(weight_given, options, "conv2d");
  const View x = options.tf32 ? rounded_tf32(x_given, 2) : x_given;
  const View weight = options.tf32 ? rounded_tf32(weight_given, 3) : weight_given;
  const std::int64_t co = weight.shape[0], ci = weight.shape[1];
  const std::int64_t kh = weight.shape[2], kw = weight.shape[3];
  if (out.count() == 0) {
    return;
  }
  const Patches p = patches_of(x, weight, out, options);
  const auto keep = [this](const PackKey& key, std::size_t bytes, auto&& make) {
    return constant(key, bytes, make);
  };
  dispatch_float(x.dtype, [&]<typename S>() {
    const WeightStrides strides{ci * kh * kw, kh * kw, true};
    with_packed_weight<S>(
        keep, p, weight, strides, co, 2, [&]<typename E>(const E* packed, const PackTaps<E>& pack) {
          conv_product<S, E>(pool_, scratch_, packed, pack, p, bias, out, {}, accumulate);
        });
  });
}

void CpuKernels::conv2d_backward_data(const View& d_out_given, const View& weight_given,
                                      const View& d_x, const ConvOptions& options,
                                      bool accumulate) {
  const char* kernel = "conv2d_backward_data";
  check_conv2d_backward_data(d_out_given, read_as(weight_given, d_out_given.dtype, kernel), d_x,
                             options);
  check_codes(weight_given, options, kernel);
  const View d_out = options.tf32 ? rounded_tf32(d_out_given, 2) : d_out_given;
  const View weight = options.tf32 ? rounded_tf32(weight_given, 3) : weight_given;
  const std::int64_t co = weight.shape[0], ci = weight.shape[1];
  const std::int64_t kh = weight.shape[2], kw = weight.shape[3];
  const std::int64_t s = options.stride;
  if (d_x.count() == 0) {
    return;
  }
  const auto keep = [this](const PackKey& key, std::size_t bytes, auto&& make) {
    return constant(key, bytes, make);
  };
  // d_x[y] gathers the ky with (y + pad - ky) divisible by the stride, from d_out at the quotient.
  for (std::int64_t py = 0; py < std::min(s, d_x.shape[1]); ++py) {
    for (std::int64_t px = 0; px < std::min(s, d_x.shape[2]); ++px) {
      Patches p{d_out.data,
                d_out.row_stride,
                d_out.shape[1],
                d_out.shape[2],
                co,
                ceil_div(d_x.shape[1] - py, s),
                ceil_div(d_x.shape[2] - px, s),
                1,
                {}};
      const std::int64_t ry = (py + options.pad_top) % s, rx = (px + options.pad_left) % s;
      for (std::int64_t ky = ry; ky < kh; ky += s) {
        // Starting with the last column, so that their pixels adjoin from left to right.
        for (std::int64_t i = ceil_div(kw - rx, s) - 1; i >= 0; --i) {
          const std::int64_t kx = rx + i * s;
          p.taps.push_back(
              {(py + options.pad_top - ky) / s, (px + options.pad_left - kx) / s, ky * kw + kx});
        }
      }
      dispatch_float(d_x.dtype, [&]<typename S>() {
        if (p.taps.empty()) {
          for (std::int64_t row = 0; !accumulate && row < d_x.shape[0] * p.height * p.width;
               ++row) {
            const std::int64_t plane = p.height * p.width;
            const std::int64_t y = row % plane / p.width * s + py;
            const std::int64_t x = row % p.width * s + px;
            S* to = d_x.as<S>() +
                    ((row / plane * d_x.shape[1] + y) * d_x.shape[2] + x) * d_x.row_stride;
            std::fill(to, to + ci, S(0));
          }
          return;
        }
        const WeightStrides strides{kh * kw, ci * kh * kw, false};
        const int layout = static_cast<int>(16 + (s * 64 + ry) * 64 + rx);
        with_packed_weight<S>(keep, p, weight, strides, ci, layout,
                              [&]<typename E>(const E* packed, const PackTaps<E>& pack) {
                                conv_product<S, E>(pool_, scratch_, packed, pack, p, {}, d_x,
                                                   {py, px, s}, accumulate);
                              });
      });
    }
  }
}

}  // namespace mantissa::MANTISSA_ISA
