#include "engine/plan/op_times.h"

#include <algorithm>
#include <cmath>

namespace mantissa {
namespace {

constexpr std::int64_t kAttentionTile = 128;

std::int64_t pieces(std::int64_t size, std::int64_t of) {
  return (size + of - 1) / of;
}

/// Share of the card that a GEMM's tiles occupy. Smaller tiles occupy more of it, but read their
/// operands more often; a long depth is split over several processors.
double occupied(const OpCost& cost, const CardSpec& card) {
  struct Tile {
    std::int64_t rows, cols;
  };
  constexpr Tile kTiles[] = {{128, 160}, {64, 128}, {64, 64}};
  constexpr double kLargest = 128 * 160;
  constexpr std::int64_t kSplit = 2048;
  double best = 0;
  for (const auto [rows, cols] : kTiles) {
    const double tiles =
        static_cast<double>(pieces(cost.m, rows) * pieces(cost.n, cols) * cost.batch *
                            std::max<std::int64_t>(1, cost.k / kSplit));
    const double reuse = std::pow(static_cast<double>(rows * cols) / kLargest, 0.25);
    best = std::max(best, reuse * std::min(1.0, tiles / card.processors));
  }
  return best;
}

/// Times of kernels by class, in µs, without the gaps between them.
class KernelTimes {
 public:
  KernelTimes(const CardSpec& card, const Efficiency& efficiency, bool tf32)
      : card_(card), e_(efficiency), tf32_(tf32) {}

  double us(const OpCost& cost) const {
    switch (cost.kind) {
      case CostKind::gemm:
        return gemm(cost);
      case CostKind::skinny_gemm:
        return skinny(cost);
      case CostKind::convolution:
        return convolution(cost);
      case CostKind::attention:
        return attention(cost);
      default:
        return cost.launches * e_.rate(cost.pace).us + moving(cost, e_.rate(cost.pace));
    }
  }

 private:
  double through_memory(double bytes) const {
    return bytes / (1e3 * card_.copy_gb_per_s * e_.memory);
  }
  double moving(const OpCost& cost, const KernelRate& rate) const {
    const double memory = through_memory(cost.bytes - cost.cached);
    return rate.gb_per_s > 0
               ? std::max(memory, cost.bytes / (1e3 * rate.gb_per_s * card_.processors))
               : memory;
  }
  double multiplying(const OpCost& cost, double share) const {
    return 1e6 * cost.flop / (peak_flops(card_, cost.operands, tf32_) * share);
  }

  const GemmRate& gemm_rate(DType operands) const {
    return is_int8(operands) ? e_.int8 : (dtype_size(operands) == 1 ? e_.fp8 : e_.half);
  }

  double gemm(const OpCost& cost) const {
    const GemmRate& rate = gemm_rate(cost.operands);
    const double products = multiplying(cost, rate.share * occupied(cost, card_)) +
                            rate.exposed * through_memory(cost.written) +
                            e_.gemm_us * static_cast<double>(cost.products);
    return std::max(products, through_memory(cost.bytes)) + e_.clear_us * cost.cleared;
  }

  double skinny(const OpCost& cost) const {
    const bool split = cost.launches - cost.cleared > static_cast<int>(cost.products);
    const double depth = split ? 0 : 1e-3 * e_.skinny_depth_us * static_cast<double>(cost.k);
    return e_.skinny.us + (split ? e_.split_us : 0) +
           std::max({depth, moving(cost, e_.skinny), multiplying(cost, e_.skinny_gemm)});
  }

  double convolution(const OpCost& cost) const {
    const double products =
        e_.convolution_us + multiplying(cost, e_.convolution * occupied(cost, card_));
    return std::max(products, through_memory(cost.bytes)) + e_.clear_us * cost.cleared;
  }

  /// Keys are padded to a tile's; queries of one head are shared out in tiles.
  double attention(const OpCost& cost) const {
    const std::int64_t keys = pieces(cost.n, e_.attention_keys) * e_.attention_keys;
    const double padded = static_cast<double>(keys) / static_cast<double>(cost.n);
    const double tiles = static_cast<double>(pieces(cost.m, kAttentionTile) * cost.batch);
    const double share = e_.attention * std::min(1.0, tiles / card_.processors);
    return e_.attention_us * (cost.launches - cost.cleared) + e_.clear_us * cost.cleared +
           padded * multiplying(cost, share) + through_memory(cost.bytes);
  }

  const CardSpec& card_;
  const Efficiency& e_;
  bool tf32_;
};

}  // namespace

const KernelRate& Efficiency::rate(Pace pace) const {
  switch (pace) {
    case Pace::copy:
      return copy;
    case Pace::row_norm:
      return row_norm;
    case Pace::row_norm_backward:
      return row_norm_backward;
    case Pace::column_norm:
      return column_norm;
    case Pace::channel_scaling:
      return channel_scaling;
    case Pace::channel_scaling_backward:
      return channel_scaling_backward;
    case Pace::weight_norm:
      return weight_norm;
    case Pace::encoding:
      return encoding;
    case Pace::gradient_encoding:
      return gradient_encoding;
    case Pace::block_decoding:
      return block_decoding;
    case Pace::turning:
      return turning;
    case Pace::int8_sums:
      return int8_sums;
  }
  return copy;
}

double peak_flops(const CardSpec& card, DType operands, bool tf32) {
  double tflops = card.half_tflops;
  if (operands == DType::f8_e4m3 || operands == DType::f8_e5m2) {
    tflops = card.fp8_tflops > 0 ? card.fp8_tflops : card.half_tflops;
  } else if (is_int8(operands)) {
    tflops = card.int8_tops;
  } else if (operands == DType::f32) {
    tflops = tf32 ? card.tf32_tflops : card.fp32_tflops;
  }
  return tflops * 1e12;
}

OpTime op_time(const OpCost& cost, const CardSpec& card, const Efficiency& efficiency, bool tf32) {
  const double gaps = efficiency.launch_us * cost.launches + efficiency.clear_gap_us * cost.cleared;
  return {1e-3 * KernelTimes(card, efficiency, tf32).us(cost), 1e-3 * gaps};
}

}  // namespace mantissa
