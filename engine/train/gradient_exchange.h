#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/graph/device_values.h"
#include "engine/run/run_parts.h"
#include "engine/train/device_exchange.h"

namespace mantissa {

/// Sums a step's gradients over several processes, exactly as GradientSum does in one: in the order
/// of the micro-steps. Each process sums its own part of all gradients, so that none receives more
/// than it needs; in the end all have the whole sum.
class GradientExchange {
 public:
  /// Made by all processes together.
  explicit GradientExchange(const RunParts& parts);

  /// At the start of a step: zeroes the adapters' gradients.
  void begin();
  /// After `count` micro-steps that follow one another were run, one in each process from rank 0
  /// on: adds the adapters' gradients of these, and zeroes them.
  void add(int count);
  /// After the last: the adapters' gradients become the sum.
  void finish();

 private:
  /// A piece of a flat buffer that is sent at once.
  struct Piece {
    View whole;
    std::vector<std::size_t> ends;  ///< of each process's part, in bytes
    std::size_t begin = 0;          ///< of this process's part
    DeviceArray sum;                ///< of this process's part
  };
  void cut(const View& buffer);
  std::int64_t received_bytes(const Piece& piece) const;

  RunParts parts_;
  DeviceExchange exchange_;
  std::vector<Piece> pieces_;
  std::optional<DeviceArray> received_;  ///< the parts of a piece that all processes sent here
  bool first_ = true;
};

}  // namespace mantissa
