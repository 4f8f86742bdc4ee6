#include "tests/kernels/cuda_on_host/both_backends.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/cpu/cpu.h"
#include "kernels/cuda/cublas.h"

#include "machine.h"

namespace mantissa::testing {

namespace {

/// Calls f with a reference to each element.
template <typename F>
void each_element(DType dtype, std::vector<std::uint8_t>& memory, F&& f) {
  dispatch_float(dtype, [&]<typename T>() {
    auto* data = reinterpret_cast<T*>(memory.data());
    for (std::size_t i = 0; i < memory.size() / sizeof(T); ++i) {
      f(i, data[i]);
    }
  });
}

double element(DType dtype, const std::vector<std::uint8_t>& memory, std::int64_t i) {
  return dispatch_float(dtype, [&]<typename T>() {
    return static_cast<double>(
        static_cast<accumulator_t<T>>(reinterpret_cast<const T*>(memory.data())[i]));
  });
}

}  // namespace

BothBackends::BothBackends(std::size_t part_bytes, const MakeDnn& make_dnn)
    : cpu_(make_cpu_kernels(1)) {
  auto context = std::make_unique<cuda::Context>(0);
  if (part_bytes != 0) {
    context->set_part_bytes(part_bytes);
  }
  auto gemm = cuda::make_cublas(*context, {.deterministic = true, .cache_folder = {}});
  auto dnn = make_dnn ? make_dnn(*context) : nullptr;
  cuda_ = std::make_unique<cuda::CudaKernels>(std::move(context), std::move(gemm), std::move(dnn));
}

BothBackends::~BothBackends() {
  for (Twin& t : twins_) {
    cuda_->release(t.cuda.data);
  }
}

Twin& BothBackends::make(DType dtype, const Shape& shape, std::int64_t gap) {
  Twin& t = twins_.emplace_back();
  const std::int64_t stride = shape.cols() + gap;
  t.start.resize(static_cast<std::size_t>(shape.rows() * stride) * dtype_size(dtype));
  t.cpu_memory.resize(t.start.size());
  t.cpu = View(t.cpu_memory.data(), dtype, shape);
  t.cuda = View(cuda_->allocate(t.start.size()), dtype, shape);
  t.cpu.row_stride = t.cuda.row_stride = stride;
  std::fill(t.start.begin(), t.start.end(), std::uint8_t{0xff});
  return t;
}

const Twin& BothBackends::random(DType dtype, const Shape& shape, std::uint64_t seed,
                                 TwinOptions options) {
  Twin& t = make(dtype, shape, options.gap);
  const auto stride = static_cast<std::size_t>(t.cpu.row_stride);
  each_element(dtype, t.start, [&]<typename T>(std::size_t i, T& x) {
    if (i % stride < static_cast<std::size_t>(shape.cols())) {
      std::uint64_t h = (seed * 0x9E3779B97F4A7C15u + i + 1) * 0xD1342543DE82EF95u;
      h = (h ^ (h >> 31)) * 0x9E3779B97F4A7C15u;
      const float u = static_cast<float>(h >> 40) * 0x1p-23F - 1.0F;
      x = T(static_cast<accumulator_t<T>>(u * options.scale + options.offset));
    }
  });
  return t;
}

const Twin& BothBackends::given(DType dtype, const Shape& shape, const void* values,
                                std::int64_t gap) {
  Twin& t = make(dtype, shape, gap);
  const std::size_t row = static_cast<std::size_t>(shape.cols()) * dtype_size(dtype);
  const std::size_t stride = static_cast<std::size_t>(t.cpu.row_stride) * dtype_size(dtype);
  for (std::size_t r = 0; r < static_cast<std::size_t>(shape.rows()); ++r) {
    std::memcpy(t.start.data() + r * stride, static_cast<const std::uint8_t*>(values) + r * row,
                row);
  }
  return t;
}

const Twin& BothBackends::poisoned(DType dtype, const Shape& shape, std::int64_t gap) {
  return make(dtype, shape, gap);
}

void BothBackends::restart(Twin& t) {
  std::copy(t.start.begin(), t.start.end(), t.cpu_memory.begin());
  const auto count = static_cast<std::int64_t>(t.start.size() / dtype_size(t.cuda.dtype));
  cuda_->upload(t.start.data(), View(t.cuda.data, t.cuda.dtype, {count}));
}

void BothBackends::fetch(Twin& t) {
  t.cuda_result.resize(t.start.size());
  const auto count = static_cast<std::int64_t>(t.start.size() / dtype_size(t.cuda.dtype));
  cuda_->download(View(t.cuda.data, t.cuda.dtype, {count}), t.cuda_result.data());
}

void BothBackends::run(const std::function<void(Kernels&, const Choose&)>& call) {
  std::vector<std::vector<std::uint8_t>> first;
  for (const auto order : {cuda_on_host::Order::by_warp, cuda_on_host::Order::in_turn}) {
    cuda_on_host::settings().order = order;
    for (Twin& t : twins_) {
      restart(t);
    }
    call(*cuda_, [](const Twin& t) { return t.cuda; });
    cuda_->synchronize();
    for (Twin& t : twins_) {
      fetch(t);
    }
    if (order == cuda_on_host::Order::by_warp) {
      for (const Twin& t : twins_) {
        first.push_back(t.cuda_result);
      }
    }
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_TRUE(first[i] == twins_[i].cuda_result)
        << "the order of blocks or threads shows in " << twins_[i].cuda.shape.str();
  }
  call(*cpu_, [](const Twin& t) { return t.cpu; });
}

void BothBackends::expect_near(const Twin& t, double tolerance, const std::string& what,
                               double floor) {
  if (!t.cpu) {
    return;
  }
  const std::int64_t cols = t.cpu.cols(), stride = t.cpu.row_stride;
  double top = floor, worst = 0;
  std::int64_t worst_at = -1;
  for (std::int64_t i = 0; i < t.cpu.rows() * stride; ++i) {
    if (i % stride >= cols) {
      EXPECT_TRUE(std::isnan(element(t.cpu.dtype, t.cuda_result, i)))
          << what << ": the gap behind row " << i / stride << " was written";
      continue;
    }
    const double expected = element(t.cpu.dtype, t.cpu_memory, i);
    double off = std::fabs(element(t.cpu.dtype, t.cuda_result, i) - expected);
    if (std::isnan(off)) {
      off = std::numeric_limits<double>::infinity();
    }
    top = std::max(top, std::fabs(expected));
    if (off > worst) {
      worst = off;
      worst_at = i;
    }
  }
  EXPECT_LE(worst, tolerance * top)
      << what << " " << t.cpu.shape.str() << " " << dtype_name(t.cpu.dtype) << " at row "
      << worst_at / stride << ", column " << worst_at % stride << ": cuda "
      << element(t.cpu.dtype, t.cuda_result, std::max<std::int64_t>(0, worst_at)) << ", cpu "
      << element(t.cpu.dtype, t.cpu_memory, std::max<std::int64_t>(0, worst_at));
}

void BothBackends::expect_same(const Twin& t, const std::string& what) {
  const std::size_t size = dtype_size(t.cpu.dtype);
  const auto cols = static_cast<std::size_t>(t.cpu.cols());
  const auto stride = static_cast<std::size_t>(t.cpu.row_stride);
  const auto is_nan = [&](const std::vector<std::uint8_t>& memory, std::size_t i) {
    switch (t.cpu.dtype) {
      case DType::f8_e4m3:
        return (memory[i] & 0x7f) == 0x7f;
      case DType::f8_e5m2:
        return (memory[i] & 0x7f) > 0x7c;
      default:
        return is_compute_dtype(t.cpu.dtype) &&
               std::isnan(element(t.cpu.dtype, memory, static_cast<std::int64_t>(i)));
    }
  };
  for (std::size_t i = 0; i < t.start.size() / size; ++i) {
    const auto* expected = t.cpu_memory.data() + i * size;
    const auto* got = t.cuda_result.data() + i * size;
    if (i % stride >= cols) {
      ASSERT_EQ(std::memcmp(got, t.start.data() + i * size, size), 0)
          << what << ": the gap behind row " << i / stride << " was written";
    } else if (std::memcmp(expected, got, size) != 0 &&
               !(is_nan(t.cpu_memory, i) && is_nan(t.cuda_result, i))) {
      std::string bits[2];
      for (std::size_t b = size; b-- > 0;) {
        constexpr const char* kDigits = "0123456789abcdef";
        for (const auto& [memory, text] :
             {std::pair(expected, &bits[0]), std::pair(got, &bits[1])}) {
          *text += kDigits[memory[b] >> 4];
          *text += kDigits[memory[b] & 15];
        }
      }
      FAIL() << what << " " << t.cpu.shape.str() << " " << dtype_name(t.cpu.dtype) << " at row "
             << i / stride << ", column " << i % stride << ": cuda 0x" << bits[1] << ", cpu 0x"
             << bits[0];
    }
  }
}

double rounding_tolerance(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return 1e-13;
    case DType::f32:
      return 2e-6;
    case DType::f16:
      return 0x1p-10;
    default:
      return 0x1p-7;
  }
}

}  // namespace mantissa::testing
