#include "engine/train/steady_memory.h"

namespace mantissa {

template <typename Use>
void SteadyMemory::each_device(Use&& use) const {
  if (parts_.devices == nullptr) {
    use(parts_.kernels);
    return;
  }
  for (int device = 0; device < parts_.devices->count(); ++device) {
    use(parts_.devices->kernels(device));
  }
}

std::uint64_t SteadyMemory::allocations() const {
  std::uint64_t sum = 0;
  each_device([&](const Kernels& kernels) { sum += kernels.allocations(); });
  return sum;
}

void SteadyMemory::begin() {
  each_device([](Kernels& kernels) { kernels.settle_scratch(); });
  taken_ = allocations();
}

void SteadyMemory::tell() const {
  if (!taken_) {
    return;
  }
  if (const std::uint64_t more = allocations() - *taken_; more > 0) {
    parts_.log.line(LogLevel::warning,
                    message<"memory was taken {count} times after the first step began, more than "
                            "was planned">(more));
  } else {
    parts_.log.line(LogLevel::debug, message<"no memory was taken after the first step began">());
  }
}

}  // namespace mantissa
