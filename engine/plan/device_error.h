#pragma once

#include <utility>

#include "engine/core/message.h"
#include "kernels/device_lost.h"

namespace mantissa {

/// The message about a card that stopped working, and what to do.
inline Message device_lost(Message device, Message reason) {
  return message<
      "{device} stopped working: {reason}. This process can't use it any more: start Mantissa "
      "again and resume the run. If it happens again, look for Xid errors in the system's log and "
      "check the card's power, temperature and driver">(std::move(device), std::move(reason));
}

/// Thrown by run_training for a DeviceLost, with that message and the path of the last checkpoint.
class RunDeviceLost : public DeviceLost {
 public:
  explicit RunDeviceLost(Message message)
      : DeviceLost(message.text()), message_(std::move(message)) {}
  /// what() as a template and its values.
  const Message& message() const { return message_; }

 private:
  Message message_;
};

}  // namespace mantissa
