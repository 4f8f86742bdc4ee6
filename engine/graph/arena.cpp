#include "engine/graph/arena.h"

namespace mantissa {

Arena::Arena(const Devices& devices) : kernels_(devices.kernels(0)), devices_(&devices) {
  for (int device = 0; device < devices.count(); ++device) {
    parts_.push_back(std::make_unique<Arena>(devices.kernels(device)));
  }
}

Arena::~Arena() {
  if (data_ != nullptr) {
    kernels_.release(data_);
  }
}

void Arena::reserve(std::size_t bytes) {
  if (bytes <= bytes_) {
    return;
  }
  if (data_ != nullptr) {
    kernels_.release(data_);
    data_ = nullptr;
    bytes_ = 0;
  }
  data_ = static_cast<std::byte*>(kernels_.allocate(bytes));
  bytes_ = bytes;
  ++moves_;
}

int Arena::moves() const {
  int sum = moves_;
  for (const auto& part : parts_) {
    sum += part->moves_;
  }
  return sum;
}

}  // namespace mantissa
