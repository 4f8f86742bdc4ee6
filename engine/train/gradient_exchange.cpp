#include "engine/train/gradient_exchange.h"

#include <algorithm>

namespace mantissa {
namespace {

/// Well below 2 GB, which one call can send.
constexpr std::int64_t kPieceElements = std::int64_t{1} << 26;

}  // namespace

GradientExchange::GradientExchange(const RunParts& parts)
    : parts_(parts), exchange_(parts.ranks, parts.kernels) {
  if (!exchange_.way().empty()) {
    parts.log.line(exchange_.lacks_nccl() ? LogLevel::warning : LogLevel::info, exchange_.way());
  }
}

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
  }
}

std::int64_t GradientExchange::received_bytes(const Piece& piece) const {
  const View& sum = piece.sum.view();
  return sum.count() * static_cast<std::int64_t>(dtype_size(sum.dtype)) * parts_.ranks.size();
}

void GradientExchange::begin() {
  if (pieces_.empty()) {
    for (const AdapterBuffer& buffer : parts_.adapters.buffers()) {
      cut(buffer.gradients);
    }
    std::int64_t most = 0;
    for (const Piece& piece : pieces_) {
      most = std::max(most, received_bytes(piece));
    }
    received_.emplace(parts_.kernels, Shape{most}, DType::u8);
  }
  parts_.adapters.zero_gradients();
  first_ = true;
}

void GradientExchange::add(int count) {
  for (const Piece& piece : pieces_) {
    const View& sum = piece.sum.view();
    const View received(received_->view().data, DType::u8, {received_bytes(piece)});
    exchange_.scatter(piece.whole, piece.ends, received);
    for (int rank = 0; rank < count; ++rank) {
      const View part(received.as<std::byte>() + rank * received.count() / parts_.ranks.size(),
                      sum.dtype, sum.shape);
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
    exchange_.complete(piece.whole, piece.ends);
  }
}

}  // namespace mantissa
