#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/run/run.h"

namespace mantissa::gui {

/// A ring buffer of steps from the engine's thread to the window: one producer, one consumer, no
/// locks. If the window falls behind, new steps are dropped and counted; the database has them all.
template <std::size_t Capacity>
class BasicStepRing {
  static_assert(std::has_single_bit(Capacity));

 public:
  /// Producer. False if full.
  bool push(const StepRecord& record) {
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) == Capacity) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    slots_[head & (Capacity - 1)] = record;
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  /// Consumer. Appends all steps to `out`; returns how many.
  std::size_t drain(std::vector<StepRecord>& out) {
    std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    const std::uint64_t head = head_.load(std::memory_order_acquire);
    const auto count = static_cast<std::size_t>(head - tail);
    for (; tail != head; ++tail) {
      out.push_back(slots_[tail & (Capacity - 1)]);
    }
    tail_.store(tail, std::memory_order_release);
    return count;
  }

  /// Since the last reset().
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

  /// Only while neither side is active.
  void reset() {
    tail_.store(head_.load());
    dropped_.store(0);
  }

 private:
  std::array<StepRecord, Capacity> slots_;
  // On separate cache lines, to avoid false sharing between the two threads.
  alignas(64) std::atomic<std::uint64_t> head_{0};
  alignas(64) std::atomic<std::uint64_t> tail_{0};
  alignas(64) std::atomic<std::uint64_t> dropped_{0};
};

using StepRing = BasicStepRing<4096>;

}  // namespace mantissa::gui
