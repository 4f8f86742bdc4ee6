#pragma once

#include <cstdlib>
#include <dlfcn.h>

#include "tests/engine/train/run_fixture.h"
#include "tests/kernels/cuda_on_host/fault.h"

namespace mantissa::testing_support {

class CudaFixture : public RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    if (std::getenv("MANTISSA_TEST_DEVICE") == nullptr) {
      setenv("MANTISSA_CUDA_LIBRARY", MANTISSA_CUDA_ON_HOST_PLUGIN, 1);
    }
    unsetenv("MANTISSA_CUDA_PROTECTED");
    job_.images = {some_images()};
    job_.preset.training.steps = 3;
    job_.preset.samples.every = 0;
    job_.deterministic = true;
    job_.health_every = 0;
  }

 private:
  /// Four of the demo's images with their captions: encoding takes most of a short run's time here.
  std::filesystem::path some_images() const {
    const std::filesystem::path folder = home_ / "demo-images";
    std::filesystem::create_directories(folder);
    for (const char* name : {"zorb_01", "zorb_02", "zorb_03", "zorb_04"}) {
      for (const char* extension : {".png", ".txt"}) {
        const std::string file = std::string(name) + extension;
        std::filesystem::copy_file(
            std::filesystem::path(MANTISSA_SOURCE_DIR "/resources/demo/images") / file,
            folder / file);
      }
    }
    return folder;
  }
};

/// Memory and recording counters of the test card; absent on a real one.
class CardMemory {
 public:
  CardMemory() {
    if (std::getenv("MANTISSA_TEST_DEVICE") == nullptr) {
      library_ = dlopen(MANTISSA_CUDA_ON_HOST_PLUGIN, RTLD_NOW | RTLD_GLOBAL);
    }
  }
  bool visible() const { return library_ != nullptr; }
  std::size_t peak() const { return call<std::size_t()>("mantissa_on_host_peak")(); }
  std::size_t peak_of(int card) const {
    return call<std::size_t(int)>("mantissa_on_host_peak_of")(card);
  }
  void reset_peak() const { call<void()>("mantissa_on_host_reset_peak")(); }
  void limit(std::size_t bytes) const { call<void(std::size_t)>("mantissa_on_host_limit")(bytes); }
  std::size_t used() const { return call<std::size_t()>("mantissa_on_host_used")(); }
  std::int64_t host_blocks() const {
    return call<std::int64_t()>("mantissa_on_host_host_blocks")();
  }
  /// From now on; a default one repairs the card.
  void fail(const cuda_on_host::Fault& fault) const {
    call<void(const cuda_on_host::Fault*)>("mantissa_on_host_fail")(&fault);
  }
  /// Calls of a kind since `fail`.
  std::int64_t calls(cuda_on_host::Api api) const {
    return call<std::int64_t(cuda_on_host::Api)>("mantissa_on_host_calls")(api);
  }
  /// How the system pages its memory from now on; a default one: not at all.
  void page(const cuda_on_host::Paging& paging) const {
    call<void(const cuda_on_host::Paging*)>("mantissa_on_host_page")(&paging);
  }
  std::int64_t recordings() const { return call<std::int64_t()>("mantissa_on_host_recordings")(); }

 private:
  template <typename F>
  F* call(const char* name) const {
    return reinterpret_cast<F*>(dlsym(library_, name));
  }
  void* library_ = nullptr;
};

}  // namespace mantissa::testing_support
