#include "engine/preset/import_ranks.h"

#include <cmath>
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

double alpha_here(const ImportContext& context, double alpha, double rank_there) {
  if (rank_there <= kMostRank) {
    return alpha;
  }
  const double share = kMostRank / rank_there;
  const bool root = context.chosen().adapter.scaling == AdapterScaling::rslora;
  return alpha * (root ? std::sqrt(share) : share);
}

void take_alpha(ImportContext& context, ImportRow& row, const Json& value, double rank_there,
                ZeroAlpha zero) {
  const std::optional<double> alpha = as_number(value);
  if (!alpha) {
    context.take(row, "adapter.alpha", value);  // refused: it is no number
    return;
  }
  const bool is_rank = *alpha == 0 && zero == ZeroAlpha::rank && rank_there >= 1;
  const double here = alpha_here(context, is_rank ? rank_there : *alpha, rank_there);
  if (is_rank) {
    context.take_changed(row, "adapter.alpha", here, message<"0 stands for the rank there.">());
  } else if (here != *alpha) {
    context.take_changed(row, "adapter.alpha", here,
                         message<"Lowered with the rank, so that both scale alike.">());
  } else {
    context.take(row, "adapter.alpha", value);
  }
}

void take_conv_alpha(ImportContext& context, ImportRow& row, const Json& value, double usual,
                     double rank_there) {
  const std::optional<double> alpha = as_number(value);
  if (!alpha ||
      (*alpha == usual && *alpha == context.chosen().adapter.alpha && rank_there <= kMostRank)) {
    context.take(row, "adapter.alpha", value);  // refused if it is no number
    return;
  }
  const double here = alpha_here(context, *alpha == 0 ? rank_there : *alpha, rank_there);
  const int own = context.chosen().adapter.conv_rank;
  Json entries = Json::array();
  add_conv_entries(entries, own > 0 ? own : context.chosen().adapter.rank, here);
  if (context.take(row, "adapter.ranks", entries) && here != *alpha) {
    context.change(row, *alpha == 0
                            ? message<"0 stands for the rank there.">()
                            : message<"Lowered with the rank, so that both scale alike.">());
  }
}

}  // namespace mantissa
