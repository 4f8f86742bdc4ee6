#pragma once

#include <filesystem>
#include <string>

#include "engine/core/error.h"
#include "engine/io/file_stamp.h"

namespace mantissa {

/// A file that is no longer what was read from it first. Nothing made from it may be kept, nor may
/// the file be left out as if it were damaged.
class InputChanged : public Error {
 public:
  explicit InputChanged(const std::filesystem::path& file);
};

/// Call it after reading a file again, and before keeping what was made from it. Costs one call of
/// the system if the stamp is still `known`. Another inode, device, size or modification time
/// throws InputChanged. Where only the change time differs, the content decides by its `sha256`,
/// and `known` takes the new stamp; with an empty `sha256` that throws, too.
void require_unchanged(const std::filesystem::path& file, FileStamp& known,
                       const std::string& sha256);

}  // namespace mantissa
