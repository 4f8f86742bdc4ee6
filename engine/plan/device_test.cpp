#include "engine/plan/device_test.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <random>
#include <stdexcept>

#include "engine/core/error.h"
#include "engine/core/printable.h"
#include "engine/graph/device_values.h"
#include "engine/plan/backend.h"
#include "kernels/load.h"

namespace mantissa {
namespace {

constexpr std::size_t kCopyBytes = std::size_t{64} << 20;
constexpr int kCopies = 8;

/// Host memory of a card, for this object's lifetime.
class HostBlock {
 public:
  HostBlock(Kernels& kernels, std::size_t bytes)
      : kernels_(kernels), data_(static_cast<std::byte*>(kernels.allocate_host(bytes))) {}
  ~HostBlock() { kernels_.release_host(data_); }
  HostBlock(const HostBlock&) = delete;
  HostBlock& operator=(const HostBlock&) = delete;
  std::byte* data() const { return data_; }

 private:
  Kernels& kernels_;
  std::byte* data_;
};

/// Bytes a second of `copy`, after one that isn't counted.
template <typename Copy>
double rate_of(Kernels& kernels, const Copy& copy) {
  copy();
  kernels.synchronize();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCopies; ++i) {
    copy();
  }
  kernels.synchronize();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return static_cast<double>(kCopyBytes) * kCopies / std::max(taken.count(), 1e-9);
}

/// How much of the card's memory isn't `expected`.
void check_copies(DeviceTest& test, const char* name, Kernels& kernels, const View& target,
                  std::byte expected) {
  std::vector<std::byte> there(kCopyBytes);
  kernels.download(target, there.data());
  const auto right = std::ranges::count(there, expected);
  test.checks.push_back(
      {name, 1 - static_cast<double>(right) / static_cast<double>(kCopyBytes), 0, {}});
}

void measure_copies(DeviceTest& test, Kernels& kernels) {
  const DeviceArray target(kernels, {static_cast<std::int64_t>(kCopyBytes)}, DType::u8);
  const HostBlock block(kernels, kCopyBytes);
  constexpr std::byte kFirst{0x5a}, kSecond{0xa5};
  std::fill_n(block.data(), kCopyBytes, kFirst);
  const Transfer transfers[] = {{block.data(), target.view().data, kCopyBytes}};
  const double rate = rate_of(kernels, [&] {
    kernels.prefetch(0, transfers);
    kernels.await_prefetch(0);
  });
  test.pinned_rate = pinned_memory(kernels).pageable == 0 ? rate : 0;
  check_copies(test, "copies of weights", kernels, target.view(), kFirst);
  const std::vector<std::byte> pageable(kCopyBytes, kSecond);
  test.pageable_rate = rate_of(kernels, [&] { kernels.upload(pageable.data(), target.view()); });
  check_copies(test, "copies of inputs", kernels, target.view(), kSecond);
}

/// Codes that are numbers in every type, and unlike each other.
void fill_codes(Kernels& kernels, const View& codes) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(codes.count()));
  std::minstd_rand random(1);
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(random() >> 8 & 0xf7U);
  }
  kernels.upload(bytes.data(), codes);
}

/// Of products of [n, n] codes, so large that one takes two milliseconds.
double operations_a_second(Kernels& kernels, DType codes, DType result) {
  constexpr std::int64_t kLeast = 128, kMost = 4096;
  constexpr double kEnough = 2e-3;
  constexpr int kMore = 10;
  for (std::int64_t n = kLeast;; n *= 2) {
    const DeviceArray a(kernels, {n, n}, codes), b(kernels, {n, n}, codes);
    const DeviceArray a_scale(kernels, {n}, DType::f32), b_scale(kernels, {n}, DType::f32);
    const DeviceArray out(kernels, {n, n}, result);
    fill_codes(kernels, a.view());
    fill_codes(kernels, b.view());
    const auto seconds = [&](int count) {
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < count; ++i) {
        kernels.matmul_codes(a.view(), a_scale.view(), b.view(), b_scale.view(), {}, out.view(),
                             {.transpose_b = true});
      }
      kernels.synchronize();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
             count;
    };
    seconds(1);
    const double once = seconds(1);
    if (once >= kEnough || n == kMost) {
      return 2.0 * static_cast<double>(n * n * n) / (n == kMost ? seconds(kMore) : once);
    }
  }
}

void measure_products(DeviceTest& test, Kernels& kernels, int capability) {
  const DType result = capability >= 80 ? DType::bf16 : DType::f16;
  for (const DType codes : {DType::i8, DType::f8_e4m3}) {
    if (codes == DType::i8 || capability >= 89) {
      ProductRate& rate = test.products.emplace_back();
      rate.codes = dtype_name(codes);
      kernels.choose_products(Kernels::CodesProducts::ours);
      rate.ours = operations_a_second(kernels, codes, result);
      kernels.choose_products(Kernels::CodesProducts::library);
      rate.library = operations_a_second(kernels, codes, result);
    }
  }
  kernels.choose_products(Kernels::CodesProducts::faster);
}

std::string gigabytes(double bytes) {
  return fmt::format("{:.1f} GB", bytes / 1e9);
}

std::string check_line(const KernelCheck& check) {
  return fmt::format("  {:<20} {:<7} {}\n", check.name, check.passed() ? "ok" : "FAILED",
                     check.failure.empty()
                         ? fmt::format("error {:.1e}, at most {:.1e}", check.error, check.bound)
                         : printable(check.failure));
}

std::string card_lines(const DeviceTest& test) {
  const DeviceInfo& d = test.device;
  std::string text = fmt::format("  driver {}; {}\n", d.driver, d.libraries);
  text += fmt::format("  compute capability {}; the CUDA library has code for {}{}\n",
                      d.compute_capability, d.capabilities,
                      d.compiles ? ", which the driver compiles for this card" : "");
  return text + (d.display ? "  draws the screen: work on it has a time limit\n" : "");
}

std::string copy_lines(const DeviceTest& test) {
  const auto rate = [](double bytes) {
    return bytes > 0 ? gigabytes(bytes) + "/s" : std::string("not measured");
  };
  return fmt::format("  copies to the card: {} page-locked, {} pageable\n", rate(test.pinned_rate),
                     rate(test.pageable_rate)) +
         fmt::format("  page-locked memory: at most {}\n",
                     gigabytes(static_cast<double>(test.pinned_limit)));
}

std::string product_lines(const DeviceTest& test) {
  std::string text;
  for (const ProductRate& rate : test.products) {
    text += fmt::format("  products of {} codes: {:.3g} TOPS by our kernel, {:.3g} by cuBLASLt's\n",
                        rate.codes, rate.ours / 1e12, rate.library / 1e12);
  }
  return text;
}

}  // namespace

bool DeviceTest::passed() const {
  return failure.empty() && std::ranges::all_of(checks, &KernelCheck::passed);
}

DeviceTest test_device(const DeviceInfo& device) {
  DeviceTest test;
  test.device = device;
  if (!device.usable) {
    return test;
  }
  try {
    const auto kernels = make_backend(device.id);
    const bool is_card = !kernels->host_memory();
    test.free_bytes = is_card ? kernels->memory().free : device.free_bytes;
    const int capability = device_facts(device.id).compute_capability;
    test.checks = check_kernels(*kernels, capability);
    if (is_card) {
      measure_products(test, *kernels, capability);
      test.pinned_limit = pinned_memory_limit();
      measure_copies(test, *kernels);
    }
    test.notices = kernels->take_notices();
  } catch (const std::exception& e) {
    test.failure = message_of(e).text();
  }
  return test;
}

std::string device_test_text(const DeviceTest& test) {
  const DeviceInfo& d = test.device;
  std::string text = d.id + (d.name.empty() ? "" : ": " + printable(d.name)) + "\n";
  if (!test.tested()) {
    return text + "  not tested, it can't be used: " + d.reason.text() + "\n";
  }
  if (!d.compute_capability.empty()) {
    text += card_lines(test);
  }
  text += fmt::format("  {} of {} memory free\n", gigabytes(static_cast<double>(test.free_bytes)),
                      gigabytes(static_cast<double>(d.memory_bytes)));
  for (const KernelCheck& check : test.checks) {
    text += check_line(check);
  }
  text += product_lines(test);
  if (test.pinned_limit > 0) {
    text += copy_lines(test);
  }
  for (const std::string& notice : test.notices) {
    text += "  note: " + printable(notice) + "\n";
  }
  if (!test.failure.empty()) {
    text += "  stopped: " + printable(test.failure) + "\n";
  }
  const std::size_t all = test.checks.size();
  const auto passed =
      static_cast<std::size_t>(std::ranges::count_if(test.checks, &KernelCheck::passed));
  return text + (test.passed() ? fmt::format("  passed: {} of {} checks\n", passed, all)
                               : fmt::format("  FAILED: {} of {} checks\n", all - passed, all));
}

}  // namespace mantissa
