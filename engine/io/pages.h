#pragma once

#include <cstddef>
#include <span>

namespace mantissa {

/// Releases the pages of a MappedFile's bytes from this process's memory. They stay readable and
/// are reloaded from the file on access. Defined in mapped_file.cpp.
void release_pages(std::span<const std::byte> mapped);

}  // namespace mantissa
