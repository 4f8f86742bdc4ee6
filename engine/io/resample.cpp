#include "engine/io/resample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace mantissa {

namespace {

// Weights of one output position: inputs first .. first + weights.size() - 1.
struct Tap {
  int first = 0;
  std::vector<float> weights;
};

double lanczos3(double x) {
  if (x == 0) {
    return 1;
  }
  if (std::abs(x) >= 3) {
    return 0;
  }
  const double a = std::numbers::pi * x;
  return 3 * std::sin(a) * std::sin(a / 3) / (a * a);
}

// Lanczos with three lobes; when shrinking, the kernel widens by the factor, so nothing aliases.
std::vector<Tap> taps(int from, int to, int begin, int count) {
  const double scale = static_cast<double>(from) / to;
  const double widened = std::max(1.0, scale);
  std::vector<Tap> result(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double centre = (begin + i + 0.5) * scale;
    const int first = std::max(0, static_cast<int>(centre - 3 * widened + 0.5));
    const int last = std::min(from, static_cast<int>(centre + 3 * widened + 0.5));
    Tap& tap = result[static_cast<std::size_t>(i)];
    tap.first = first;
    double sum = 0;
    std::vector<double> weights;
    for (int k = first; k < last; ++k) {
      weights.push_back(lanczos3((k - centre + 0.5) / widened));
      sum += weights.back();
    }
    for (double w : weights) {
      tap.weights.push_back(static_cast<float>(w / sum));
    }
  }
  return result;
}

[[noreturn]] void refuse_part(const ScaledPart& p) {
  throw Error(Message::verbatim(
      fmt::format("can't cut {} x {} at ({}, {}) from an image scaled to {} x {}", p.width,
                  p.height, p.left, p.top, p.scaled_width, p.scaled_height)));
}

// Where a position falls between pixels, in steps of 1/1024: the rest is below what 8 bits show.
constexpr int kPhases = 1024;
constexpr int kTaps = 6;  // of an interpolation without scaling: pixels -2 to +3
using Phase = std::array<float, kTaps>;

std::vector<Phase> interpolation_weights() {
  std::vector<Phase> phases(kPhases);
  for (int p = 0; p < kPhases; ++p) {
    std::array<double, kTaps> weights{};
    double sum = 0;
    for (int k = 0; k < kTaps; ++k) {
      const auto at = static_cast<std::size_t>(k);
      weights[at] = lanczos3(k - 2 - static_cast<double>(p) / kPhases);
      sum += weights[at];
    }
    std::transform(weights.begin(), weights.end(), phases[static_cast<std::size_t>(p)].begin(),
                   [&](double w) { return static_cast<float>(w / sum); });
  }
  return phases;
}

// Values between the pixels of an image of floats.
class Interpolator {
 public:
  Interpolator(std::vector<float> values, int width, int height)
      : values_(std::move(values)), width_(width), height_(height) {}

  // At (x, y), pixel centres at halves.
  void add(std::vector<float>& out, double x, double y) const {
    const auto [column, across] = split(x);
    const auto [row, down] = split(y);
    std::array<float, 3> sum{};
    for (int j = 0; j < kTaps; ++j) {
      const int line = std::clamp(row + j - 2, 0, height_ - 1);
      const float* values =
          values_.data() + static_cast<std::ptrdiff_t>(line) * width_ * std::ptrdiff_t{3};
      std::array<float, 3> inner{};
      for (int i = 0; i < kTaps; ++i) {
        const float* pixel = values + 3 * std::clamp(column + i - 2, 0, width_ - 1);
        const float weight = (*across)[static_cast<std::size_t>(i)];
        for (std::size_t c = 0; c < 3; ++c) {
          inner[c] += weight * pixel[c];
        }
      }
      for (std::size_t c = 0; c < 3; ++c) {
        sum[c] += (*down)[static_cast<std::size_t>(j)] * inner[c];
      }
    }
    out.insert(out.end(), sum.begin(), sum.end());
  }

 private:
  // The pixel at or before a position, and the weights around it.
  std::pair<int, const Phase*> split(double position) const {
    const double steps = std::floor((position - 0.5) * kPhases + 0.5);
    const double pixel = std::floor(steps / kPhases);
    return {static_cast<int>(pixel), &phases_[static_cast<std::size_t>(steps - pixel * kPhases)]};
  }

  std::vector<float> values_;
  int width_, height_;
  std::vector<Phase> phases_ = interpolation_weights();
};

}  // namespace

std::vector<float> resample(const Image& image, const ScaledPart& part) {
  if (image.width < 1 || image.height < 1 || part.width < 1 || part.height < 1 || part.left < 0 ||
      part.top < 0 || part.left > part.scaled_width - part.width ||
      part.top > part.scaled_height - part.height) {
    refuse_part(part);
  }
  const std::vector<Tap> across = taps(image.width, part.scaled_width, part.left, part.width);
  const std::vector<Tap> down = taps(image.height, part.scaled_height, part.top, part.height);
  const int first_row = down.front().first;
  const int last_row = down.back().first + static_cast<int>(down.back().weights.size());
  const auto row_floats = static_cast<std::size_t>(part.width) * 3;
  std::vector<float> rows(row_floats * static_cast<std::size_t>(last_row - first_row));
  for (int y = first_row; y < last_row; ++y) {
    const std::uint8_t* in = image.pixels.data() + static_cast<std::size_t>(y) *
                                                       static_cast<std::size_t>(image.width) * 3;
    float* out = rows.data() + static_cast<std::size_t>(y - first_row) * row_floats;
    for (const Tap& tap : across) {
      float red = 0, green = 0, blue = 0;
      const std::uint8_t* pixel = in + static_cast<std::size_t>(tap.first) * 3;
      for (float w : tap.weights) {
        red += w * pixel[0];
        green += w * pixel[1];
        blue += w * pixel[2];
        pixel += 3;
      }
      out[0] = red;
      out[1] = green;
      out[2] = blue;
      out += 3;
    }
  }
  std::vector<float> result(row_floats * static_cast<std::size_t>(part.height));
  for (int y = 0; y < part.height; ++y) {
    const Tap& tap = down[static_cast<std::size_t>(y)];
    float* sum = result.data() + static_cast<std::size_t>(y) * row_floats;
    const float* in = rows.data() + static_cast<std::size_t>(tap.first - first_row) * row_floats;
    for (float w : tap.weights) {
      for (std::size_t i = 0; i < row_floats; ++i) {
        sum[i] += w * in[i];
      }
      in += row_floats;
    }
  }
  return result;
}

Image resize_crop(const Image& image, int scaled_width, int scaled_height, int left, int top,
                  int width, int height) {
  const ScaledPart part{scaled_width, scaled_height, left, top, width, height};
  return {width, height, to_bytes(resample(image, part)), image.notice};
}

Image rotated_crop(const Image& image, const ScaledPart& part, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const double x = part.left + part.width / 2.0, y = part.top + part.height / 2.0;
  // Half the upright box around the turned part.
  const double across = (part.width * std::abs(cosine) + part.height * std::abs(sine)) / 2;
  const double down = (part.width * std::abs(sine) + part.height * std::abs(cosine)) / 2;
  constexpr double kRounding = 1e-6;
  if (part.width < 1 || part.height < 1 || x - across < -kRounding || y - down < -kRounding ||
      x + across > part.scaled_width + kRounding || y + down > part.scaled_height + kRounding) {
    refuse_part(part);
  }
  ScaledPart below = part;
  below.left = std::max(0, static_cast<int>(std::floor(x - across)) - kTaps / 2);
  below.top = std::max(0, static_cast<int>(std::floor(y - down)) - kTaps / 2);
  below.width =
      std::min(part.scaled_width, static_cast<int>(std::ceil(x + across)) + kTaps / 2) - below.left;
  below.height =
      std::min(part.scaled_height, static_cast<int>(std::ceil(y + down)) + kTaps / 2) - below.top;
  const Interpolator interpolator(resample(image, below), below.width, below.height);
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(part.width) * static_cast<std::size_t>(part.height) * 3);
  for (int row = 0; row < part.height; ++row) {
    for (int column = 0; column < part.width; ++column) {
      const double right = column + 0.5 - part.width / 2.0, low = row + 0.5 - part.height / 2.0;
      interpolator.add(values, x - below.left + right * cosine - low * sine,
                       y - below.top + right * sine + low * cosine);
    }
  }
  return {part.width, part.height, to_bytes(values), image.notice};
}

std::vector<std::uint8_t> to_bytes(const std::vector<float>& values) {
  std::vector<std::uint8_t> bytes(values.size());
  std::transform(values.begin(), values.end(), bytes.begin(), [](float value) {
    return static_cast<std::uint8_t>(std::clamp(value + 0.5F, 0.0F, 255.0F));
  });
  return bytes;
}

}  // namespace mantissa
