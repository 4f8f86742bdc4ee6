#include "engine/io/target_kind.h"

#include "engine/core/glob.h"

namespace mantissa {

TargetKind target_kind(std::span<const TargetRow> rows, std::string_view path) {
  for (const TargetRow& row : rows) {
    if (glob_match(row.pattern, path)) {
      return row.kind;
    }
  }
  return TargetKind::other;
}

}  // namespace mantissa
