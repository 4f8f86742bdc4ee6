#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>

#include "engine/core/error.h"

namespace mantissa {

/// Error(out_of_disk) that says where room is missing, so that a run can wait for it.
class DiskFull : public Error {
 public:
  /// `needed`: bytes that must be free in `folder` for another try; 0 where nobody knows.
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
