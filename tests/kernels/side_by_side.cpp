#include "tests/kernels/side_by_side.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "kernels/check.h"
#include "kernels/cpu/cpu.h"
#include "tests/kernels/golden_cases.h"

namespace mantissa::testing {

namespace {

double element(DType dtype, const std::vector<std::uint8_t>& memory, std::int64_t i) {
  return dispatch_float(dtype, [&]<typename T>() {
    return static_cast<double>(
        static_cast<accumulator_t<T>>(reinterpret_cast<const T*>(memory.data())[i]));
  });
}

bool is_nan(DType dtype, const std::vector<std::uint8_t>& memory, std::int64_t i) {
  const int code = memory[static_cast<std::size_t>(i)] & 0x7f;
  switch (dtype) {
    case DType::f8_e4m3:
      return code == 0x7f;
    case DType::f8_e5m2:
      return code > 0x7c;
    default:
      return is_compute_dtype(dtype) && std::isnan(element(dtype, memory, i));
  }
}

std::string hex(const std::uint8_t* bytes, std::size_t size) {
  std::string text = "0x";
  for (std::size_t i = size; i-- > 0;) {
    text += "0123456789abcdef"[bytes[i] >> 4];
    text += "0123456789abcdef"[bytes[i] & 15];
  }
  return text;
}

/// "what [3, 5] fp32 at row 1, column 2"
std::string place(const Pair& p, const std::string& what, std::int64_t i) {
  return what + " " + p.cpu.shape.str() + " " + std::string(dtype_name(p.cpu.dtype)) + " at row " +
         std::to_string(i / p.cpu.row_stride) + ", column " + std::to_string(i % p.cpu.row_stride);
}

}  // namespace

SideBySide::SideBySide(const TestBackend& backend)
    : cpu_(make_cpu_kernels(1)), other_(backend.make()) {}

Pair& SideBySide::make(DType dtype, const Shape& shape, std::int64_t gap) {
  Pair& p = pairs_.emplace_back();
  const std::int64_t stride = shape.cols() + gap;
  p.start.assign(static_cast<std::size_t>(shape.rows() * stride) * dtype_size(dtype), 0xff);
  p.cpu_memory = p.other_memory = p.start;
  p.cpu = View(p.cpu_memory.data(), dtype, shape);
  p.other = View(p.other_memory.data(), dtype, shape);
  p.cpu.row_stride = p.other.row_stride = stride;
  return p;
}

const Pair& SideBySide::random(DType dtype, const Shape& shape, std::uint64_t seed,
                               PairOptions options) {
  const Tensor values = hash_tensor(dtype, shape, seed, options.scale, options.offset);
  return given(dtype, shape, values.bytes.data(), options.gap);
}

const Pair& SideBySide::given(DType dtype, const Shape& shape, const void* values,
                              std::int64_t gap) {
  Pair& p = make(dtype, shape, gap);
  const std::size_t row = static_cast<std::size_t>(shape.cols()) * dtype_size(dtype);
  const std::size_t stride = static_cast<std::size_t>(p.cpu.row_stride) * dtype_size(dtype);
  for (std::size_t r = 0; row > 0 && r < static_cast<std::size_t>(shape.rows()); ++r) {
    std::memcpy(p.start.data() + r * stride, static_cast<const std::uint8_t*>(values) + r * row,
                row);
  }
  return p;
}

const Pair& SideBySide::poisoned(DType dtype, const Shape& shape, std::int64_t gap) {
  return make(dtype, shape, gap);
}

void SideBySide::restart() {
  // In place: the views keep their addresses.
  for (Pair& p : pairs_) {
    std::copy(p.start.begin(), p.start.end(), p.cpu_memory.begin());
    std::copy(p.start.begin(), p.start.end(), p.other_memory.begin());
  }
}

void SideBySide::run(const std::function<void(Kernels&, const Choose&)>& call) {
  std::vector<std::vector<std::uint8_t>> first;
  for (int turn = 0; turn < 2; ++turn) {
    restart();
    call(*other_, [](const Pair& p) { return p.other; });
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (turn == 0) {
        first.push_back(pairs_[i].other_memory);
      } else {
        EXPECT_TRUE(first[i] == pairs_[i].other_memory) << "two runs differ";
      }
    }
  }
  call(*cpu_, [](const Pair& p) { return p.cpu; });
}

void SideBySide::expect_same(const Pair& p, const std::string& what) {
  const std::size_t size = dtype_size(p.cpu.dtype);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(p.start.size() / size); ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * size;
    const auto *expected = p.cpu_memory.data() + at, *got = p.other_memory.data() + at;
    if (i % p.cpu.row_stride >= p.cpu.cols()) {
      ASSERT_EQ(std::memcmp(got, p.start.data() + at, size), 0)
          << place(p, what, i) << ": the gap was written";
    } else if (std::memcmp(expected, got, size) != 0 &&
               !(is_nan(p.cpu.dtype, p.cpu_memory, i) && is_nan(p.cpu.dtype, p.other_memory, i))) {
      FAIL() << place(p, what, i) << ": " << hex(got, size) << ", the CPU has "
             << hex(expected, size);
    }
  }
}

void SideBySide::expect_near(const Pair& p, double tolerance, const std::string& what,
                             double floor) {
  double top = floor, worst = 0;
  std::int64_t worst_at = 0;
  for (std::int64_t i = 0; i < p.cpu.rows() * p.cpu.row_stride; ++i) {
    if (i % p.cpu.row_stride >= p.cpu.cols()) {
      ASSERT_TRUE(std::isnan(element(p.other.dtype, p.other_memory, i)))
          << place(p, what, i) << ": the gap was written";
      continue;
    }
    const double expected = element(p.cpu.dtype, p.cpu_memory, i);
    const double off = std::fabs(element(p.cpu.dtype, p.other_memory, i) - expected);
    top = std::max(top, std::fabs(expected));
    if (!(off <= worst)) {
      worst = off;
      worst_at = i;
    }
  }
  EXPECT_LE(worst, tolerance * top) << place(p, what, worst_at);
}

}  // namespace mantissa::testing
