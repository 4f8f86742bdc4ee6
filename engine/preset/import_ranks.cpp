#include "engine/preset/import_ranks.h"

#include <fmt/format.h>

#include "engine/preset/value_io.h"

namespace mantissa {

using Json = nlohmann::json;

Json rank_entry(std::string_view layers, double rank, double alpha) {
  return {{"layers", fmt::format("denoiser.{}", layers)},
          {"rank", value_io::number_to_json(rank)},
          {"alpha", value_io::number_to_json(alpha)}};
}

void add_conv_entries(Json& entries, double rank, double alpha) {
  for (const char* layers : {"*.conv1", "*.conv2", "*.downsamplers.*", "*.upsamplers.*"}) {
    entries.push_back(rank_entry(layers, rank, alpha));
  }
}

void take_conv_alpha(ImportContext& context, ImportRow& row, const Json& value, double usual) {
  const std::optional<double> alpha = as_number(value);
  if (!alpha || *alpha == usual) {
    context.take(row, "adapter.alpha", value);  // refused if it is no number
    return;
  }
  Json entries = Json::array();
  add_conv_entries(entries, context.chosen().adapter.conv_rank, *alpha);
  context.take(row, "adapter.ranks", entries);
}

}  // namespace mantissa
