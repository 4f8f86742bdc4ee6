#pragma once
// The images that convolutions gather from.

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/cpu/tile.h"
#include "kernels/kernels.h"

namespace mantissa::MANTISSA_ISA {

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

/// The values of `x` that each pixel of `out` reads: all channels under every tap of a kernel with
/// `weight`'s extents.
inline Patches patches_of(const View& x, const View& weight, const View& out,
                          const ConvOptions& options) {
  const std::int64_t kh = weight.shape[2], kw = weight.shape[3];
  Patches p{x.data,       x.row_stride, x.shape[1],     x.shape[2], x.shape[3],
            out.shape[1], out.shape[2], options.stride, {}};
  for (std::int64_t tap = 0; tap < kh * kw; ++tap) {
    p.taps.push_back({tap / kw - options.pad_top, tap % kw - options.pad_left, tap});
  }
  return p;
}

/// With fewer channels than this, patches are read from lines.
inline constexpr std::int64_t kLineChannels = 64;

/// Lines of an image, widened, with zeros where taps reach over its border: one kernel row's taps
/// for a pixel are a contiguous run of width() · channels values, `step` pixels after the previous
/// pixel's run.
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
  /// Taps form a grid of adjoining rows and columns, in order.
  bool fit() const { return height_ <= static_cast<std::int64_t>(lines_.size()); }
  std::int64_t height() const { return height_; }
  std::int64_t width() const { return width_; }
  std::int64_t run() const { return width_ * p_.channels; }
  /// Elements of `memory`, and the stride between neighbouring pixels' runs.
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
  std::int64_t height_ = 0, width_ = 1;
  std::array<std::int64_t, 8> lines_{};  ///< which line each slot holds
};

/// Whether a GEMM reads lines: few channels, and enough pixels for tiles.
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

/// Whether rows of A are better read in place: a tile is then a run of pixels of one image row, and
/// C is accumulated once per tap, which pays off above about this many channels and pixels.
template <typename S>
bool reads_in_place(const Patches& p) {
  constexpr std::int64_t kLeastChannels = 64, kLeastWidth = 8;
  return p.channels >= kLeastChannels && p.width >= kLeastWidth &&
         p.step * p.pixel_stride * static_cast<std::int64_t>(sizeof(S)) % 4096 != 0;
}

/// Whether a bf16 convolution can process channels in pairs.
template <typename S>
bool takes_pairs(const Patches& p) {
  return kMultipliesBf16 && std::is_same_v<S, bfloat16> && p.channels % 2 == 0 &&
         p.pixel_stride % 2 == 0 && reads_in_place<S>(p);
}

}  // namespace mantissa::MANTISSA_ISA
