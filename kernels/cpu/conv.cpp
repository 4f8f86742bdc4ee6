#include <array>
#include <type_traits>
#include <vector>

#include "kernels/check_conv.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/gemm.h"
#include "kernels/cpu/tile.h"

// Convolutions are matrix products whose A is gathered from the image while it is packed: row =
// pixel, column = (tap, channel). Backward data is the same product over d_out with the weight's
// channels swapped; with a stride each residue of the output position is a product of its own, so
// that no zeros are multiplied. Where channels are few, gathering would cost as much as
// multiplying: then lines of the image are copied with their borders, and products read them as
// they lie.

namespace mantissa::MANTISSA_ISA {

namespace {

struct Tap {
  std::int64_t dy, dx;  ///< input pixel = position·step + (dy, dx)
  std::int64_t offset;  ///< ky·kw + kx
};

/// Where the rows of A come from: `rows` positions of a lattice of height x width a sample. Strides
/// and channels count values.
struct Patches {
  const void* data;
  std::int64_t pixel_stride, in_height, in_width, channels;
  std::int64_t height, width, step;
  std::vector<Tap> taps;
};

/// Fewer channels than this are read from lines.
constexpr std::int64_t kLineChannels = 64;

/// Lines of an image, widened, with zeros where taps reach over its border: what the taps of one
/// row of the kernel take for a pixel is one run of width() · channels values, `step` pixels behind
/// that of the pixel before.
template <typename S, typename T>
class Lines {
 public:
  explicit Lines(const Patches& p) : p_(p) {
    while (width_ < taps() && p.taps[static_cast<std::size_t>(width_)].dy == p.taps[0].dy) {
      ++width_;
    }
    height_ = taps() / width_;
    lines_.fill(-1);
  }
  /// Taps lie in a grid of adjoining rows and columns, in order.
  bool fit() const { return height_ <= static_cast<std::int64_t>(lines_.size()); }
  std::int64_t height() const { return height_; }
  std::int64_t width() const { return width_; }
  std::int64_t run() const { return width_ * p_.channels; }
  /// Elements of `memory`, and from a pixel's run to the next pixel's.
  std::int64_t elements() const { return height_ * line_elements(); }
  std::int64_t step() const { return p_.step * p_.channels; }
  void keep_in(T* memory) { memory_ = memory; }

  /// The line under row `tap_row` of the kernel for row `row` of the lattice, counted through all
  /// samples; null where it lies outside the image.
  const T* at(std::int64_t row, std::int64_t tap_row) {
    const Tap& first = p_.taps[static_cast<std::size_t>(tap_row * width_)];
    const std::int64_t iy = row % p_.height * p_.step + first.dy;
    if (iy < 0 || iy >= p_.in_height) {
      return nullptr;
    }
    const std::int64_t line = row / p_.height * p_.in_height + iy, slot = iy % height_;
    T* to = memory_ + slot * line_elements();
    if (lines_[static_cast<std::size_t>(slot)] != line) {
      lines_[static_cast<std::size_t>(slot)] = line;
      copy(static_cast<const S*>(p_.data) + line * p_.in_width * p_.pixel_stride, first.dx, to);
    }
    return to;
  }

 private:
  std::int64_t taps() const { return static_cast<std::int64_t>(p_.taps.size()); }
  std::int64_t pixels() const { return (p_.width - 1) * p_.step + width_; }
  std::int64_t line_elements() const { return pixels() * p_.channels; }
  void copy(const S* from, std::int64_t dx, T* to) const {
    const std::int64_t begin = std::clamp<std::int64_t>(-dx, 0, pixels());
    const std::int64_t end = std::clamp<std::int64_t>(p_.in_width - dx, begin, pixels());
    std::fill(to, to + begin * p_.channels, T(0));
    from += (begin + dx) * p_.pixel_stride;
    if (p_.pixel_stride == p_.channels) {
      widen(from, (end - begin) * p_.channels, to + begin * p_.channels);
    } else {
      for (std::int64_t i = begin; i < end; ++i, from += p_.pixel_stride) {
        widen(from, p_.channels, to + i * p_.channels);
      }
    }
    std::fill(to + end * p_.channels, to + line_elements(), T(0));
  }

  const Patches& p_;
  T* memory_ = nullptr;
  std::int64_t height_ = 0, width_ = 0;
  std::array<std::int64_t, 8> lines_{};  ///< which line each slot holds
};

/// Whether a product reads lines: few channels, and pixels enough for tiles.
inline bool reads_lines(const Patches& p) {
  return p.channels < kLineChannels && p.width >= kTileRows && Lines<float, float>(p).fit();
}

/// One tile of A for gemm_block: pixels [row, row + rows), columns [k0, k0 + depth).
template <typename S, typename T>
void pack_patches(const Patches& p, std::int64_t row, int rows, std::int64_t k0, std::int64_t depth,
                  T* dst) {
  const std::int64_t plane = p.height * p.width;
  for (int i = 0; i < rows; ++i, dst += kTileStride) {
    const std::int64_t sample = (row + i) / plane;
    const std::int64_t y = (row + i) % plane / p.width;
    const std::int64_t x = (row + i) % p.width;
    std::int64_t k = 0;
    std::int64_t tap = k0 / p.channels;
    std::int64_t channel = k0 % p.channels;
    while (k < depth) {
      const Tap& t = p.taps[static_cast<std::size_t>(tap)];
      const std::int64_t n = std::min(depth - k, p.channels - channel);
      const std::int64_t iy = y * p.step + t.dy;
      const std::int64_t ix = x * p.step + t.dx;
      if (iy >= 0 && iy < p.in_height && ix >= 0 && ix < p.in_width) {
        const std::int64_t pixel = (sample * p.in_height + iy) * p.in_width + ix;
        widen(static_cast<const S*>(p.data) + pixel * p.pixel_stride + channel, n, dst + k);
      } else {
        std::fill(dst + k, dst + k + n, T(0));
      }
      k += n;
      channel = 0;
      ++tap;
    }
  }
}

/// Whether rows of A are better read where they lie: then a tile is a run of pixels of one image
/// row, and C is added to once a tap, which pays from about this many channels and pixels on.
template <typename S>
bool reads_in_place(const Patches& p) {
  constexpr std::int64_t kLeastChannels = 64, kLeastWidth = 8;
  return p.channels >= kLeastChannels && p.width >= kLeastWidth &&
         p.step * p.pixel_stride * static_cast<std::int64_t>(sizeof(S)) % 4096 != 0;
}

/// Whether a bf16 convolution can be taken pair by pair of channels.
template <typename S>
bool takes_pairs(const Patches& p) {
  return kMultipliesBf16 && std::is_same_v<S, bfloat16> && p.channels % 2 == 0 &&
         p.pixel_stride % 2 == 0 && reads_in_place<S>(p);
}

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

/// Panel [taps·channels][kTileCols] of B: B[(tap, c)][n] = weight[n·n_stride + c·c_stride + tap].
template <typename S, typename T>
void pack_taps(const S* weight, std::int64_t n_stride, std::int64_t c_stride, const Patches& p,
               std::int64_t n, int cols, T* dst) {
  constexpr int kCols = kTileCols<T>;
  constexpr std::int64_t kRowsAtOnce = 128;
  const auto taps = static_cast<std::int64_t>(p.taps.size());
  if (taps <= kRowsAtOnce && c_stride == taps && n_stride == p.channels * taps) {
    // Forward: a row of the weight is one run of (channel, tap). Transpose a piece of it for all
    // columns, then put its rows where they belong.
    T piece[kRowsAtOnce * kCols];
    const std::int64_t step = kRowsAtOnce / taps;
    for (std::int64_t c = 0; c < p.channels; c += step) {
      const std::int64_t count = std::min(step, p.channels - c);
      pack_panel(weight + c * taps, n_stride, true, n, cols, count * taps, piece);
      for (std::int64_t i = 0; i < count * taps; ++i) {
        std::copy(piece + i * kCols, piece + (i + 1) * kCols,
                  dst + (i % taps * p.channels + c + i / taps) * kCols);
      }
    }
    return;
  }
  for (std::int64_t c = 0; c < p.channels; ++c) {
    for (std::size_t t = 0; t < p.taps.size(); ++t) {
      T* row = dst + (static_cast<std::int64_t>(t) * p.channels + c) * kCols;
      const S* from = weight + n * n_stride + c * c_stride + p.taps[t].offset;
      for (int i = 0; i < cols; ++i) {
        row[i] = static_cast<T>(from[i * n_stride]);
      }
      std::fill(row + cols, row + kCols, T(0));
    }
  }
}

#if defined(__AVX512BF16__)
/// The same for pairs of channels: a run of channels is first brought from [channel][tap] to
/// [tap][channel], for all columns or, where columns lie next to each other, for the pair's rows.
void pack_taps(const bfloat16* weight, std::int64_t n_stride, std::int64_t c_stride,
               const Patches& p, std::int64_t n, int cols, Bf16Pair* dst) {
  constexpr int kCols = kTileCols<Bf16Pair>;
  const auto taps = static_cast<std::int64_t>(p.taps.size());
  const bool columns_adjoin = n_stride < c_stride;
  const std::int64_t run = columns_adjoin ? 2 : 32;
  std::vector<bfloat16> piece(static_cast<std::size_t>(taps * run * kCols));
  for (std::int64_t c = 0; c < p.channels; c += run) {
    const std::int64_t count = std::min(run, p.channels - c);
    const std::int64_t outer = columns_adjoin ? count : cols, inner = columns_adjoin ? cols : count;
    const std::int64_t width = columns_adjoin ? kCols : run;
    for (std::int64_t i = 0; i < outer; ++i) {
      const bfloat16* from = columns_adjoin ? weight + (c + i) * c_stride + n * n_stride
                                            : weight + (n + i) * n_stride + c * c_stride;
      const std::int64_t step = columns_adjoin ? n_stride : c_stride;
      for (std::int64_t t = 0; t < taps; ++t) {
        bfloat16* to = piece.data() + (t * outer + i) * width;
        const bfloat16* tap = from + p.taps[static_cast<std::size_t>(t)].offset;
        for (std::int64_t j = 0; j < inner; ++j) {
          to[j] = tap[j * step];
        }
      }
    }
    for (std::int64_t t = 0; t < taps; ++t) {
      pack_panel(piece.data() + t * outer * width, width, !columns_adjoin, 0, cols, count,
                 dst + (t * p.channels + c) / 2 * kCols);
    }
  }
}
#endif

/// Where the rows of C go: pixel (first + i·step) of an image out_height x out_width.
struct Lattice {
  std::int64_t first_y = 0, first_x = 0, step = 1;
};

/// Weight strides of a product: forward (n = output channel) or backward (n = input channel).
struct WeightStrides {
  std::int64_t n, c;
};

/// out (+)= the product, a row of pixels at a time; `panels` holds B whole.
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

template <typename S, typename E>
void conv_product(ThreadPool& pool, Scratch& scratch, const E* constant, const Patches& p,
                  const S* weight, WeightStrides strides, const View& bias, const View& out,
                  Lattice to, bool accumulate) {
  using T = accumulator_t<S>;
  constexpr bool kPairs = std::is_same_v<E, Bf16Pair>;
  constexpr int kCols = kTileCols<E>;
  const std::int64_t m = out.shape[0] * p.height * p.width;
  const std::int64_t n = out.cols();
  const std::int64_t k = static_cast<std::int64_t>(p.taps.size()) * p.channels;
  if constexpr (!kPairs) {
    if (reads_lines(p)) {
      const E* panels = constant;
      if (panels == nullptr) {
        E* packed = static_cast<E*>(
            scratch.shared(static_cast<std::size_t>(ceil_div(n, kCols) * k * kCols) * sizeof(E)));
        for (std::int64_t c = 0; c < n; c += kCols) {
          pack_taps(weight, strides.n, strides.c, p, c,
                    static_cast<int>(std::min<std::int64_t>(kCols, n - c)), packed + c * k);
        }
        panels = packed;
      }
      add_lines<S, E>(pool, scratch, p, panels, bias, out, to, accumulate);
      return;
    }
  }
  const bool in_place = kPairs || (std::is_same_v<S, T> && reads_in_place<S>(p));
  GemmPlan plan = plan_gemm(m, n, k, kCols, !in_place);
  if (in_place && p.width <= plan.rows) {
    plan.rows = plan.rows / p.width * p.width;  // whole image rows, no scraps of tiles
  } else if (in_place) {
    plan.rows = ceil_div(p.width, ceil_div(p.width, plan.rows));
  }
  const std::int64_t panel = k / TileElement<E>::kDepth * kCols;
  const bool direct = std::is_same_v<S, T> && to.step == 1;
  std::int64_t n_step = n;
  if (constant == nullptr) {
    n_step =
        columns_at_once(plan, panel * static_cast<std::int64_t>(sizeof(E)), kCols, pool.threads());
  }
  const auto out_row = [&](std::int64_t row) {
    if (to.step == 1) {
      return out.as<S>() + row * out.row_stride;
    }
    const std::int64_t plane = p.height * p.width;
    const std::int64_t y = row % plane / p.width * to.step + to.first_y;
    const std::int64_t x = row % p.width * to.step + to.first_x;
    return out.as<S>() + ((row / plane * out.shape[1] + y) * out.shape[2] + x) * out.row_stride;
  };
  for (std::int64_t n_begin = 0; n_begin < n; n_begin += n_step) {
    const std::int64_t n_end = std::min(n, n_begin + n_step);
    const E* panels = constant;
    if (constant == nullptr) {
      const std::int64_t count = ceil_div(n_end - n_begin, kCols);
      E* packed =
          static_cast<E*>(scratch.shared(static_cast<std::size_t>(count * panel) * sizeof(E)));
      for_ranges(pool, count, std::max<std::int64_t>(1, 65536 / panel),
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     const std::int64_t c = n_begin + i * kCols;
                     pack_taps(weight, strides.n, strides.c, p, c,
                               static_cast<int>(std::min<std::int64_t>(kCols, n - c)),
                               packed + i * panel);
                   }
                 });
      panels = packed;
    }
    const std::int64_t base = constant != nullptr ? 0 : n_begin;
    const std::int64_t n_chunks = ceil_div(n_end - n_begin, plan.cols);
    const std::int64_t m_chunks = ceil_div(m, plan.rows);
    pool.run(m_chunks * n_chunks, [&](std::int64_t chunk, int thread) {
      const std::int64_t m0 = chunk % m_chunks * plan.rows;
      const std::int64_t m1 = std::min(m, m0 + plan.rows);
      const std::int64_t n0 = n_begin + chunk / m_chunks * plan.cols;
      const std::int64_t n1 = std::min(n_end, n0 + plan.cols);
      const std::int64_t c_stride = ceil_div(n1 - n0, kCols) * kCols;
      const std::int64_t packed_a = in_place ? 0 : kABlock;
      T* c = static_cast<T*>(scratch.of_thread(
          thread,
          static_cast<std::size_t>(packed_a + (direct ? 0 : (m1 - m0) * c_stride)) * sizeof(T)));
      const auto panel_at = [&](std::int64_t n, std::int64_t depth) {
        return panels + (n - base) / kCols * panel + depth * kCols;
      };
      if (in_place) {
        // Pairs are always read in place, and no pair is ever summed in bf16.
        T* sums = c;
        std::int64_t stride = c_stride;
        if constexpr (std::is_same_v<S, T>) {
          sums = direct ? out.as<T>() + m0 * out.row_stride + n0 : c;
          stride = direct ? out.row_stride : c_stride;
        }
        for (std::int64_t i = 0; i < m1 - m0; ++i) {
          T* row = sums + i * stride;
          if (!direct || !accumulate) {
            std::fill(row, row + (n1 - n0), T(0));
          }
          if constexpr (std::is_same_v<S, T>) {
            if (direct && bias) {
              map_elements(
                  n1 - n0, row, [](Vec<T> a, Vec<T> b) { return a + b; },
                  static_cast<const T*>(row), static_cast<const T*>(bias.as<T>() + n0));
            }
          }
        }
        add_taps<E>(p, m0, m1, n0, n1, panel_at, sums, stride);
      } else if constexpr (!kPairs) {
        T* a_block = c + (direct ? 0 : (m1 - m0) * c_stride);
        const auto pack_a = [&](std::int64_t row, int rows, std::int64_t k0, std::int64_t depth,
                                T* dst) { pack_patches<S>(p, row, rows, k0, depth, dst); };
        const auto panel_b = [&](std::int64_t c, int, std::int64_t k0, std::int64_t) {
          return std::pair(panel_at(c, k0), std::int64_t{kCols});
        };
        if constexpr (std::is_same_v<S, T>) {
          if (direct) {
            gemm_block<T>(m0, m1, n0, n1, k, {TileA::packed_rows, a_block}, pack_a, panel_b,
                          out.as<T>() + m0 * out.row_stride + n0, out.row_stride, T(1), accumulate,
                          bias ? bias.as<T>() + n0 : nullptr);
          }
        }
        if (!direct) {
          gemm_block<T>(m0, m1, n0, n1, k, {TileA::packed_rows, a_block}, pack_a, panel_b, c,
                        c_stride, T(1), false, nullptr);
        }
      }
      if (direct) {
        return;
      }
      store_block<S>(c, c_stride, m1 - m0, n1 - n0, accumulate ? T(1) : T(0),
                     bias ? bias.as<S>() + n0 : nullptr,
                     [&](std::int64_t i) { return out_row(m0 + i) + n0; });
    });
  }
}

/// d_weight [co, ci, kh, kw] from lines of x, which are A's columns as they lie: row = (tap,
/// channel), depth = pixel. Pieces of the image are summed apart, then in order: their number
/// depends on the shape alone.
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

/// Calls use(packed) with the weight's panels, made of the elements E that this product takes: kept
/// by keep(key, bytes, make) where the weight is a small constant, else null.
template <typename S, typename Keep, typename Use>
void with_packed_weight(Keep&& keep, const Patches& p, const View& weight,
                        const WeightStrides& strides, std::int64_t n, int layout, Use&& use) {
  const std::int64_t k = static_cast<std::int64_t>(p.taps.size()) * p.channels;
  const auto with = [&]<typename E>() {
    constexpr int kCols = kTileCols<E>;
    const std::int64_t panel = k / TileElement<E>::kDepth * kCols;
    const E* packed = nullptr;
    if (weight.constant_id != 0 && n * k <= kConstantLimit) {
      const int pairs = std::is_same_v<E, Bf16Pair> ? kPairLayouts : 0;
      const PackKey key{weight.constant_id, weight.data, 0, k, n, layout + pairs};
      const auto bytes = static_cast<std::size_t>(ceil_div(n, kCols) * panel) * sizeof(E);
      packed = static_cast<const E*>(keep(key, bytes, [&](void* data) {
        for (std::int64_t c = 0; c < n; c += kCols) {
          pack_taps(weight.as<S>(), strides.n, strides.c, p, c,
                    static_cast<int>(std::min<std::int64_t>(kCols, n - c)),
                    static_cast<E*>(data) + c / kCols * panel);
        }
      }));
    }
    use(packed);
  };
  with_element<S>(takes_pairs<S>(p), with);
}

}  // namespace

void CpuKernels::conv2d(const View& x_given, const View& weight_given, const View& bias,
                        const View& out, const ConvOptions& options, bool accumulate) {
  check_conv2d(x_given, weight_given, bias, out, options);
  const View x = options.tf32 ? rounded_tf32(x_given, 2) : x_given;
  const View weight = options.tf32 ? rounded_tf32(weight_given, 3) : weight_given;
  const std::int64_t co = weight.shape[0], ci = weight.shape[1];
  const std::int64_t kh = weight.shape[2], kw = weight.shape[3];
  if (out.count() == 0) {
    return;
  }
  Patches p{x.data,       x.row_stride, x.shape[1],     x.shape[2], ci,
            out.shape[1], out.shape[2], options.stride, {}};
  for (std::int64_t ky = 0; ky < kh; ++ky) {
    for (std::int64_t kx = 0; kx < kw; ++kx) {
      p.taps.push_back({ky - options.pad_top, kx - options.pad_left, ky * kw + kx});
    }
  }
  const auto keep = [this](const PackKey& key, std::size_t bytes, auto&& make) {
    return constant(key, bytes, make);
  };
  dispatch_float(x.dtype, [&]<typename S>() {
    const WeightStrides strides{ci * kh * kw, kh * kw};
    with_packed_weight<S>(keep, p, weight, strides, co, 2, [&]<typename E>(const E* packed) {
      conv_product<S, E>(pool_, scratch_, packed, p, weight.as<S>(), strides, bias, out, {},
                         accumulate);
    });
  });
}

void CpuKernels::conv2d_backward_data(const View& d_out_given, const View& weight_given,
                                      const View& d_x, const ConvOptions& options,
                                      bool accumulate) {
  check_conv2d_backward_data(d_out_given, weight_given, d_x, options);
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
        // From the last column on: then their pixels adjoin from left to right.
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
        const WeightStrides strides{kh * kw, ci * kh * kw};
        const int layout = static_cast<int>(16 + (s * 64 + ry) * 64 + rx);
        with_packed_weight<S>(keep, p, weight, strides, ci, layout,
                              [&]<typename E>(const E* packed) {
                                conv_product<S, E>(pool_, scratch_, packed, p, weight.as<S>(),
                                                   strides, {}, d_x, {py, px, s}, accumulate);
                              });
      });
    }
  }
}

void CpuKernels::conv2d_backward_weight(const View& x_given, const View& d_out_given,
                                        const View& d_weight, const ConvOptions& options,
                                        bool accumulate) {
  check_conv2d_backward_weight(x_given, d_out_given, d_weight, options);
  const View x = options.tf32 ? rounded_tf32(x_given, 2) : x_given;
  const View d_out = options.tf32 ? rounded_tf32(d_out_given, 3) : d_out_given;
  const std::int64_t co = d_weight.shape[0], ci = d_weight.shape[1];
  const std::int64_t kh = d_weight.shape[2], kw = d_weight.shape[3];
  const std::int64_t taps = kh * kw;
  const std::int64_t out_height = d_out.shape[1], out_width = d_out.shape[2];
  const std::int64_t pixels = d_out.shape[0] * out_height * out_width;
  Patches p{x.data,     x.row_stride, x.shape[1],     x.shape[2], ci,
            out_height, out_width,    options.stride, {}};
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    p.taps.push_back({tap / kw - options.pad_top, tap % kw - options.pad_left, tap});
  }
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
      const std::int64_t dy = tap / kw - options.pad_top, dx = tap % kw - options.pad_left;
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
          const std::int64_t iy = pixel % plane / out_width * options.stride + dy;
          const std::int64_t ix = pixel % out_width * options.stride + dx;
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
