#include "engine/cli/split_text.h"

#include <fmt/format.h>

#include "engine/cli/check_text.h"
#include "engine/cli/style.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/plan/scaling.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

std::string time_of(double ms) {
  return ms > 0 ? step_time_text(1e-3 * ms) : "unknown";
}

std::string bytes_of(double bytes) {
  return bytes_text(static_cast<std::uint64_t>(bytes));
}

/// Absent if unknown.
Json known(double ms) {
  return ms > 0 ? Json(ms) : Json();
}

}  // namespace

void print_split(std::ostream& out, const CardSplit& split) {
  out << fmt::format(
      "\nLayers split over cards (train so with --split-cards)\n  one card would "
      "need {}\n",
      bytes_text(split.alone_bytes));
  if (split.stages.empty()) {
    out << "  no cut makes every part fit its card\n";
  } else {
    Table table({"  card", "from", "to", "weights", "adapter", "activations", "in all", "ms"});
    for (const SplitStage& s : split.stages) {
      table.add({"  " + s.card, s.first, s.last, bytes_text(s.weight_bytes),
                 bytes_text(s.adapter_bytes), bytes_text(s.arena_bytes), bytes_text(s.bytes()),
                 s.ms > 0 ? fmt::format("{:.1f}", s.ms) : ""});
    }
    table.print(out);
  }
  Table ways({"  way", "a step", "copied in a step"});
  if (!split.stages.empty()) {
    ways.add({"  split", time_of(split.ms),
              fmt::format("{} from card to card", bytes_of(split.sent_bytes))});
  }
  if (split.streamed_bytes > 0) {
    ways.add({"  weight streaming",
              split.streaming_fits ? time_of(split.streaming_ms) : "too large",
              fmt::format("{} to the first card", bytes_of(split.copied_bytes))});
  } else {
    ways.add({"  the first card alone", time_of(split.streaming_ms), "nothing"});
  }
  ways.print(out);
  out << wrapped(fmt::format("Estimated like bench --roofline, at {:.0f}% of each link's rate; one "
                             "card computes at a time, and what is sent isn't overlapped.",
                             100 * kLinkEfficiency),
                 2, paragraph_columns(out));
}

Json split_event(const CardSplit& split) {
  Json stages = Json::array();
  for (const SplitStage& s : split.stages) {
    stages.push_back({{"card", s.card},
                      {"first", s.first},
                      {"last", s.last},
                      {"weight_bytes", s.weight_bytes},
                      {"adapter_bytes", s.adapter_bytes},
                      {"arena_bytes", s.arena_bytes},
                      {"ms", known(s.ms)}});
  }
  return {{"event", "split"},
          {"alone_bytes", split.alone_bytes},
          {"stages", std::move(stages)},
          {"sent_bytes", split.sent_bytes},
          {"ms", known(split.ms)},
          {"sending_ms", known(split.sending_ms)},
          {"streaming",
           {{"streamed_bytes", split.streamed_bytes},
            {"peak_bytes", split.streaming_peak_bytes},
            {"fits", split.streaming_fits},
            {"copied_bytes", split.copied_bytes},
            {"ms", known(split.streaming_ms)}}}};
}

}  // namespace mantissa
