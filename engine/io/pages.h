#pragma once

#include <cstddef>
#include <span>

namespace mantissa {

/// Bytes of a MappedFile that nobody needs for now: their pages no longer count as this process's
/// memory. They stay readable and come back from the file when they are read. Stands in
/// mapped_file.cpp.
void release_pages(std::span<const std::byte> mapped);

}  // namespace mantissa
