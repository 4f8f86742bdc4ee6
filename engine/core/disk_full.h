#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

#include "engine/core/error.h"

namespace mantissa {

/// Error(out_of_disk) with the full folder, so that a run can wait for free space.
class DiskFull : public Error {
 public:
  /// `needed`: bytes that must be free in `folder` for a retry; 0 if unknown.
  DiskFull(std::filesystem::path folder, std::uint64_t needed, Message message)
      : Error(ErrorKind::out_of_disk, std::move(message)),
        folder_(std::move(folder)),
        needed_(needed) {}
  const std::filesystem::path& folder() const { return folder_; }
  std::uint64_t needed() const { return needed_; }

 private:
  std::filesystem::path folder_;
  std::uint64_t needed_ = 0;
};

}  // namespace mantissa
