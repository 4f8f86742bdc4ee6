#include "engine/readers/verdict_text.h"

#include <nlohmann/json.hpp>

#include "engine/core/percent.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

/// Names of a list that JSON holds.
constexpr std::size_t kNamed = 5;

/// The tensor that a verdict names.
std::string first_left_out(const ReaderVerdict& verdict) {
  return !verdict.unread.empty()    ? verdict.unread.front()
         : !verdict.misfits.empty() ? verdict.misfits.front()
                                    : "";
}

std::size_t left_out_count(const ReaderVerdict& verdict) {
  return verdict.unread.size() + verdict.misfits.size();
}

}  // namespace

std::string_view outcome_name(ReaderOutcome outcome) {
  switch (outcome) {
    case ReaderOutcome::as_meant:
      return "as_meant";
    case ReaderOutcome::differs:
      return "differs";
    case ReaderOutcome::partly:
      return "partly";
    case ReaderOutcome::no_change:
      return "no_change";
    case ReaderOutcome::nothing:
      return "nothing";
    case ReaderOutcome::refused:
      return "refused";
    case ReaderOutcome::unsupported:
      return "unsupported";
  }
  return "unsupported";
}

Message verdict_message(const ReaderVerdict& verdict) {
  const std::string reader(verdict.reader->title);
  const std::string first = first_left_out(verdict);
  const CheckedLayer* worst = verdict.worst();
  switch (verdict.outcome) {
    case ReaderOutcome::as_meant:
      return worst != nullptr
                 ? message<
                       "{reader} reads all {tensors} tensors, for {modules} layers; recomputed "
                       "by its rules, the checked layers differ by at most {error}">(
                       reader, verdict.tensors, verdict.modules, percent_text(worst->error))
                 : message<
                       "{reader} reads all {tensors} tensors, for {modules} layers; no layer's "
                       "values were checked">(reader, verdict.tensors, verdict.modules);
    case ReaderOutcome::differs:
      return message<"{reader} loads the file, but its change of {layer} differs by {error}">(
          reader, worst->path, percent_text(worst->error));
    case ReaderOutcome::partly:
      return message<"{reader} ignores {count} of {tensors} tensors, the first one {tensor}">(
          reader, left_out_count(verdict), verdict.tensors, first);
    case ReaderOutcome::no_change:
      return message<
          "{reader} reads all {tensors} tensors, but every checked layer stays "
          "unchanged">(reader, verdict.tensors);
    case ReaderOutcome::nothing:
      return message<
          "{reader} recognizes no tensor name, such as {tensor}: the file has no effect, "
          "or fails to load">(reader, first);
    case ReaderOutcome::refused:
      return message<"{reader} refuses the file because of {tensor}">(reader, first);
    case ReaderOutcome::unsupported:
      return message<"no verdict: how {reader} names adapters of this base model isn't known here">(
          reader);
  }
  return {};
}

Json verdict_json(const ReaderVerdict& verdict) {
  Json json{{"reader", verdict.reader->key},
            {"title", verdict.reader->title},
            {"outcome", outcome_name(verdict.outcome)},
            {"tensors", verdict.tensors},
            {"modules", verdict.modules},
            {"left_out_count", left_out_count(verdict)}};
  Json names = Json::array();
  for (const auto* list : {&verdict.unread, &verdict.misfits}) {
    for (const std::string& name : *list) {
      if (names.size() < kNamed) {
        names.push_back(name);
      }
    }
  }
  json["left_out"] = std::move(names);
  Json layers = Json::array();
  for (const CheckedLayer& layer : verdict.layers) {
    layers.push_back({{"path", layer.path},
                      {"norm", layer.norm},
                      {"error", layer.error},
                      {"allowed", layer.allowed}});
  }
  json["layers"] = std::move(layers);
  Json rules = Json::array();
  for (const ReaderSource& source : verdict.reader->sources) {
    rules.push_back({{"file", source.file}, {"version", source.version}});
  }
  json["rules"] = std::move(rules);
  return json;
}

}  // namespace mantissa
