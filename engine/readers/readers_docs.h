#pragma once

#include <string>

namespace mantissa {

/// The readers with the versions that their rules were read from, and what each supports, as
/// Markdown: resources/docs/reference/readers.md.
std::string readers_markdown();

}  // namespace mantissa
