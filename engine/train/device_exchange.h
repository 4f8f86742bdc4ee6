#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "engine/core/message.h"
#include "engine/ranks/ranks.h"
#include "kernels/card_link.h"
#include "kernels/kernels.h"

namespace mantissa {

/// Ranks::scatter and complete for the memory of each process's device: of cards by NCCL, or where
/// it can't be used through host memory and MPI. Both move the same bytes. Made and used by all
/// processes together.
class DeviceExchange {
 public:
  /// References must outlive this.
  DeviceExchange(Ranks& ranks, Kernels& kernels);
  ~DeviceExchange();
  DeviceExchange(const DeviceExchange&) = delete;
  DeviceExchange& operator=(const DeviceExchange&) = delete;

  /// How cards exchange, for the log; empty for the host's memory.
  const Message& way() const { return way_; }
  /// Whether that is slower than it could be.
  bool lacks_nccl() const { return !kernels_.host_memory() && !link_; }

  /// `whole` and `parts` are packed bytes of the device.
  void scatter(const View& whole, std::span<const std::size_t> ends, const View& parts);
  void complete(const View& whole, std::span<const std::size_t> ends);

 private:
  void open_link();
  /// Calls the link; a failure of NCCL is one of this process.
  template <typename Call>
  void linked(const Call& call);
  void reserve(std::size_t bytes);
  std::span<std::byte> staged(std::size_t at, std::size_t bytes) { return {staging_ + at, bytes}; }

  Ranks& ranks_;
  Kernels& kernels_;
  Message way_;
  std::unique_ptr<CardLink> link_;
  std::byte* staging_ = nullptr;  ///< page-locked
  std::size_t staging_bytes_ = 0;
};

}  // namespace mantissa
