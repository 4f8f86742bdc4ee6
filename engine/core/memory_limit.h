#pragma once

#include <cstdint>

namespace mantissa {

/// A limit on the memory that this process may still fill: beyond it allocations fail, in place of
/// other programs being ended. No effect where the platform has no such limit.
void limit_own_memory(std::uint64_t bytes);

}  // namespace mantissa
