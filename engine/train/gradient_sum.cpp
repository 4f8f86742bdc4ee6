#include "engine/train/gradient_sum.h"

namespace mantissa {

bool GradientSum::separate() const {
  return gradient_copies(parts_.plan, parts_.kernels).separate;
}

void GradientSum::begin() {
  parts_.adapters.zero_gradients();
  first_ = true;
}

void GradientSum::add() {
  if (first_ || !separate()) {
    return;
  }
  std::size_t i = 0;
  for (const AdapterBuffer& buffer : parts_.adapters.buffers()) {
    buffer.device->add(sums_[i++].view(), buffer.gradients, buffer.gradients);
  }
}

void GradientSum::next() {
  if (!separate()) {
    return;
  }
  const std::vector<AdapterBuffer> buffers = parts_.adapters.buffers();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const View& gradients = buffers[i].gradients;
    if (sums_.size() == i) {
      sums_.emplace_back(*buffers[i].device, gradients.shape, gradients.dtype);
    }
    buffers[i].device->copy(gradients, sums_[i].view());
  }
  parts_.adapters.zero_gradients();
  first_ = false;
}

}  // namespace mantissa
