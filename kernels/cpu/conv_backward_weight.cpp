// The gradient of a convolution's kernel.
#include "kernels/check_conv.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/conv_patches.h"
#include "kernels/cpu/tile.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// d_weight [co, ci, kh, kw] from lines of x, which are A's columns in place: row = (tap, channel),
/// depth = pixel. Pieces of the image are summed separately, then in order: their number depends on
/// the shape alone.
template <typename S, typename T>
void sum_lines(ThreadPool& pool, Scratch& scratch, const Patches& p, const View& d_out,
               const View& d_weight, bool accumulate) {
  constexpr int kCols = kTileCols<T>;
  constexpr std::int64_t kRowsOfPiece = 32, kMostPieces = 16;
  const std::int64_t rows = d_out.shape[0] * p.height, co = d_out.cols();
  const std::int64_t pieces = std::clamp<std::int64_t>(rows / kRowsOfPiece, 1, kMostPieces);
  const std::int64_t stride = ceil_div(co, kCols) * kCols;
  const auto taps = static_cast<std::int64_t>(p.taps.size());
  const std::int64_t sum_rows = taps * p.channels, sum_size = sum_rows * stride;
  T* sums =
      static_cast<T*>(scratch.shared(static_cast<std::size_t>(pieces * sum_size) * sizeof(T)));
  pool.run(pieces, [&](std::int64_t piece, int thread) {
    Lines<S, T> lines(p);
    T* memory = static_cast<T*>(scratch.of_thread(
        thread, static_cast<std::size_t>(lines.elements() + p.width * stride) * sizeof(T)));
    lines.keep_in(memory);
    T* b = memory + lines.elements();  // [pixels of a row][stride]
    T* c = sums + piece * sum_size;
    std::fill(c, c + sum_size, T(0));
    const std::int64_t tiles = ceil_div(lines.run(), kTileRows);
    for (std::int64_t row = rows * piece / pieces; row < rows * (piece + 1) / pieces; ++row) {
      const S* from = d_out.as<S>() + row * p.width * d_out.row_stride;
      for (std::int64_t i = 0; i < p.width; ++i) {
        widen(from + i * d_out.row_stride, co, b + i * stride);
        std::fill(b + i * stride + co, b + (i + 1) * stride, T(0));
      }
      for (std::int64_t j = 0; j < lines.height(); ++j) {
        const T* line = lines.at(row, j);
        for (std::int64_t n = 0; line != nullptr && n < co; n += kCols) {
          const int cols = static_cast<int>(std::min<std::int64_t>(kCols, co - n));
          for (std::int64_t i = 0; i < tiles; ++i) {
            const std::int64_t first = lines.run() * i / tiles;
            const auto count = static_cast<int>(lines.run() * (i + 1) / tiles - first);
            tile_kernel<T>(count, cols > kTileLanes<T>, TileA::strided_columns)(
                {line + first, lines.step(), b + n, stride, p.width,
                 c + (j * lines.run() + first) * stride + n, stride, cols, T(1), true, nullptr});
          }
        }
      }
    }
  });
  for (std::int64_t i = 0; i < sum_rows; ++i) {
    const std::int64_t tap = i / p.channels, channel = i % p.channels;
    for (std::int64_t o = 0; o < co; ++o) {
      T sum = 0;
      for (std::int64_t piece = 0; piece < pieces; ++piece) {
        sum += sums[piece * sum_size + i * stride + o];
      }
      T& to = d_weight.as<T>()[(o * p.channels + channel) * taps + tap];
      to = accumulate ? to + sum : sum;
    }
  }
}

}  // namespace

void CpuKernels::conv2d_backward_weight(const View& x_given, const View& d_out_given,
                                        const View& d_weight, const ConvOptions& options,
                                        bool accumulate) {
  check_conv2d_backward_weight(x_given, d_out_given, d_weight, options);
  const View x = options.tf32 ? rounded_tf32(x_given, 2) : x_given;
  const View d_out = options.tf32 ? rounded_tf32(d_out_given, 3) : d_out_given;
  const std::int64_t co = d_weight.shape[0], ci = d_weight.shape[1];
  const std::int64_t taps = d_weight.shape[2] * d_weight.shape[3];
  const std::int64_t out_height = d_out.shape[1], out_width = d_out.shape[2];
  const std::int64_t pixels = d_out.shape[0] * out_height * out_width;
  const Patches p = patches_of(x, d_weight, d_out, options);
  if (pixels > 0 && reads_lines(p) && co < kLineChannels) {
    dispatch_float(x.dtype, [&]<typename S>() {
      using T = accumulator_t<S>;
      sum_lines<S, T>(pool_, scratch_, p, d_out, d_weight, accumulate);
    });
    return;
  }
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    constexpr int kCols = kTileCols<T>;
    // [co, pixels] · [pixels, ci] for each tap; a chunk is one block of rows and columns.
    const std::int64_t rows = ceil_div(co, ceil_div(co, kBlockRows));
    const std::int64_t cols = 2 * kCols;
    const std::int64_t row_chunks = ceil_div(co, rows), col_chunks = ceil_div(ci, cols);
    pool_.run(taps * row_chunks * col_chunks, [&](std::int64_t chunk, int thread) {
      const std::int64_t tap = chunk / (row_chunks * col_chunks);
      const std::int64_t m0 = chunk / col_chunks % row_chunks * rows;
      const std::int64_t m1 = std::min(co, m0 + rows);
      const std::int64_t n0 = chunk % col_chunks * cols, n1 = std::min(ci, n0 + cols);
      const Tap& at = p.taps[static_cast<std::size_t>(tap)];
      const std::int64_t panel_elements = static_cast<std::int64_t>(kDepth) * kCols;
      T* a_block = static_cast<T*>(scratch_.of_thread(
          thread,
          static_cast<std::size_t>(kABlock + panel_elements + (m1 - m0) * cols) * sizeof(T)));
      T* panel = a_block + kABlock;
      T* c = panel + panel_elements;
      const auto pack_a = [&](std::int64_t row, int count, std::int64_t k0, std::int64_t depth,
                              T* dst) {
        pack_rows(d_out.as<S>(), d_out.row_stride, true, row, count, k0, depth, dst);
      };
      const auto panel_b = [&](std::int64_t n, int count, std::int64_t k0, std::int64_t depth) {
        for (std::int64_t k = 0; k < depth; ++k) {
          const std::int64_t pixel = k0 + k;
          const std::int64_t plane = out_height * out_width;
          const std::int64_t iy = pixel % plane / out_width * options.stride + at.dy;
          const std::int64_t ix = pixel % out_width * options.stride + at.dx;
          T* row = panel + k * kCols;
          if (iy >= 0 && iy < x.shape[1] && ix >= 0 && ix < x.shape[2]) {
            const std::int64_t from = (pixel / plane * x.shape[1] + iy) * x.shape[2] + ix;
            widen(x.as<S>() + from * x.row_stride + n, count, row);
            std::fill(row + count, row + kCols, T(0));
          } else {
            std::fill(row, row + kCols, T(0));
          }
        }
        return std::pair(static_cast<const T*>(panel), std::int64_t{kCols});
      };
      if (pixels == 0) {
        std::fill(c, c + (m1 - m0) * cols, T(0));
      }
      gemm_block<T>(m0, m1, n0, n1, pixels, {TileA::packed_columns, a_block}, pack_a, panel_b, c,
                    cols, T(1), false, nullptr);
      for (std::int64_t i = m0; i < m1; ++i) {
        for (std::int64_t j = n0; j < n1; ++j) {
          T& to = d_weight.as<T>()[(i * ci + j) * taps + tap];
          const T value = c[(i - m0) * cols + (j - n0)];
          to = accumulate ? to + value : value;
        }
      }
    });
  });
}

}  // namespace mantissa::MANTISSA_ISA
