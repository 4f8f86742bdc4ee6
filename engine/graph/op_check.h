#pragma once
// Errors of recording, with op, path, dtypes and shapes.

#include <initializer_list>
#include <string>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/graph/graph.h"
#include "kernels/check.h"

namespace mantissa {

inline std::string describe(Value v) {
  const ValueInfo& info = v.graph().values()[static_cast<std::size_t>(v.id())];
  return (info.path.empty() ? std::string("value") : info.path) + " " +
         std::string(dtype_name(info.dtype)) + " " + info.shape.str();
}

/// Throws Error "[op] path: what" unless `ok`; `what` is a text or, as for check_kernel, a function
/// that writes it.
template <typename What>
void check_op(bool ok, const char* op, Value at, const What& what) {
  if (ok) {
    return;
  }
  std::string text = std::string("[") + op + "] ";
  if (const std::string& path = at.graph().path(); !path.empty()) {
    text += path + ": ";
  }
  if constexpr (std::is_invocable_v<const What&>) {
    text += what();
  } else {
    text += what;
  }
  throw Error(Message::verbatim(text));
}

/// All present operands must share one dtype: nothing is promoted.
inline void check_same_dtype(const char* op, std::initializer_list<Value> values) {
  const Value first = *values.begin();
  for (const Value& v : values) {
    if (v) {
      check_op(v.dtype() == first.dtype(), op, first, [&] {
        return "operands must share one dtype; got " + describe(first) + " and " + describe(v) +
               ". Insert a cast in the precision plan";
      });
    }
  }
}

}  // namespace mantissa
