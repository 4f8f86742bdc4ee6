#include "engine/run/run_beginning.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/printable.h"

namespace mantissa {

void refuse_several(RunReader& reader, const std::string& beginning) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> ids;
  for (const RunSummary& run : reader.summaries()) {
    if (run.id.starts_with(beginning)) {
      ids.push_back(printable(run.id));
    }
  }
  if (beginning.empty() || ids.size() < 2) {
    return;
  }
  const std::size_t count = ids.size();
  ids.resize(std::min(count, kNamed));
  throw Error(message<"{run}: {count} runs begin so, the newest of them {runs}. Give more of the "
                      "id; `mantissa runs list` shows them">(
      printable(beginning), count, fmt::format("{}", fmt::join(ids, ", "))));
}

}  // namespace mantissa
