#include "engine/train/gradient_exchange.h"

#include <algorithm>
#include <span>

namespace mantissa {
namespace {

/// Well below 2 GB, which one call can send.
constexpr std::int64_t kPieceElements = std::int64_t{1} << 26;

std::span<std::byte> bytes_of(const View& view) {
  return {view.as<std::byte>(), static_cast<std::size_t>(view.count()) * dtype_size(view.dtype)};
}

}  // namespace

void GradientExchange::cut(const View& buffer) {
  const auto ranks = static_cast<std::int64_t>(parts_.ranks.size());
  const std::int64_t rank = parts_.ranks.rank();
  const std::size_t size = dtype_size(buffer.dtype);
  for (std::int64_t at = 0; at < buffer.count(); at += kPieceElements) {
    const std::int64_t count = std::min(kPieceElements, buffer.count() - at);
    std::vector<std::size_t> ends;
    for (std::int64_t r = 1; r <= ranks; ++r) {
      ends.push_back(static_cast<std::size_t>(count * r / ranks) * size);
    }
    const std::int64_t begin = count * rank / ranks, end = count * (rank + 1) / ranks;
    pieces_.push_back(
        {View(buffer.as<std::byte>() + static_cast<std::size_t>(at) * size, buffer.dtype, {count}),
         std::move(ends), static_cast<std::size_t>(begin) * size,
         DeviceArray(parts_.kernels, {end - begin}, buffer.dtype)});
    received_.resize(
        std::max(received_.size(), static_cast<std::size_t>((end - begin) * ranks) * size));
  }
}

void GradientExchange::begin() {
  if (pieces_.empty()) {
    for (const AdapterBuffer& buffer : parts_.adapters.buffers()) {
      cut(buffer.gradients);
    }
  }
  parts_.adapters.zero_gradients();
  first_ = true;
}

void GradientExchange::add(int count) {
  for (const Piece& piece : pieces_) {
    const View& sum = piece.sum.view();
    const std::size_t mine = bytes_of(sum).size();
    const auto ranks = static_cast<std::size_t>(parts_.ranks.size());
    parts_.ranks.scatter(bytes_of(piece.whole), piece.ends,
                         std::span(received_).first(mine * ranks));
    for (int rank = 0; rank < count; ++rank) {
      const View part(received_.data() + mine * static_cast<std::size_t>(rank), sum.dtype,
                      sum.shape);
      if (first_ && rank == 0) {
        parts_.kernels.copy(part, sum);
      } else {
        parts_.kernels.add(sum, part, sum);
      }
    }
  }
  parts_.adapters.zero_gradients();
  first_ = false;
}

void GradientExchange::finish() {
  for (const Piece& piece : pieces_) {
    const View& sum = piece.sum.view();
    const View place(piece.whole.as<std::byte>() + piece.begin, sum.dtype, sum.shape);
    parts_.kernels.copy(sum, place);
    parts_.ranks.complete(bytes_of(piece.whole), piece.ends);
  }
}

}  // namespace mantissa
