#include "engine/io/inspect.h"

#include <fmt/format.h>
#include <memory>

#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/text.h"
#include "engine/cli/tool_options.h"
#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/weights.h"
#include "engine/plan/job_paths.h"
#include "engine/preset/names.h"
#include "engine/readers/file_readings.h"
#include "engine/readers/verdict_text.h"
#include "engine/run/run_adapters.h"
#include "engine/tools/tool_commands.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

std::string kind_name(ModelSummary::Kind kind) {
  switch (kind) {
    case ModelSummary::Kind::checkpoint:
      return "checkpoint";
    case ModelSummary::Kind::adapter:
      return "adapter";
    case ModelSummary::Kind::embedding:
      return "embedding";
    case ModelSummary::Kind::unknown:
      return "unknown";
  }
  return "unknown";
}

template <typename Key, typename Name>
Json counts(const std::map<Key, std::int64_t>& map, Name name) {
  Json object = Json::object();
  for (const auto& [key, count] : map) {
    object[name(key)] = count;
  }
  return object;
}

Json licence_json(const std::optional<WeightsLicence>& licence) {
  return licence
             ? Json{{"name", licence->name}, {"link", licence->link}, {"source", licence->source}}
             : Json();
}

int inspect_file(CommandSession& session, const ToolRequest& request) {
  if (session.json) {
    const ModelSummary m = inspect(adapter_at(path_from_utf8(request.file)));
    const auto text = [](const std::string& s) { return s; };
    const auto number = [](auto n) { return fmt::format("{}", n); };
    write_event(session.out(), {{"event", "inspect"},
                                {"path", request.file},
                                {"kind", kind_name(m.kind)},
                                {"family", m.family},
                                {"variant", m.variant},
                                {"distilled", m.distilled},
                                {"layout", m.layout},
                                {"tensors", m.tensors},
                                {"parameters", m.parameters},
                                {"bytes", m.bytes},
                                {"dtypes", counts(m.dtypes, text)},
                                {"parts", counts(m.parts, text)},
                                {"modules", m.modules},
                                {"ranks", counts(m.ranks, number)},
                                {"alphas", counts(m.alphas, number)},
                                {"vectors", m.vectors},
                                {"words", counts(m.words, text)},
                                {"form", m.form},
                                {"dora", m.dora},
                                {"licence", licence_json(m.licence)},
                                {"metadata", m.metadata}});
    return 0;
  }
  ToolWatch watch;
  watch.size_text = bytes_text;
  const ToolResult told = run_tool(Tool::inspect, request, watch);
  Table table({printable(request.file), ""});
  for (const auto& [name, value] : told.rows) {
    table.add({name.text(), value.text()});
  }
  table.print(session.out());
  return 0;
}

/// The command that writes a file which a reader reads; empty if no format is one.
std::string conversion(const ToolRequest& o, const ReaderVerdict& verdict,
                       const FileReadings& readings, const WeightSource& base) {
  const bool open = verdict.outcome != ReaderOutcome::as_meant &&
                    verdict.outcome != ReaderOutcome::no_change &&
                    verdict.outcome != ReaderOutcome::unsupported;
  if (!open || readings.modules.empty() || readings.bundles_words ||
      !format_for(*verdict.reader, readings.modules, base)) {
    return {};
  }
  return convert_command(o, verdict.reader->key);
}

/// What the programs of --for would make of the file.
int inspect_for(CommandSession& session, const ToolRequest& o) {
  if (o.base.empty()) {
    throw Error(message<"--for needs --base: the base model's layers give the names">());
  }
  const WeightSource base = WeightSource::open(resolve_base(path_from_utf8(o.base)));
  const FileReadings readings =
      read_file_as(adapter_at(path_from_utf8(o.file)), base, readers_of(o.readers),
                   enum_from_name<DoraAxis>(o.axis));
  if (!readings.unknown.empty()) {
    session.people() << "warning: " << printable(readings.unknown.text()) << std::endl;
  }
  for (const ReaderVerdict& verdict : readings.verdicts) {
    const std::string convert = conversion(o, verdict, readings, base);
    if (session.json) {
      Json event{{"event", "read_as"}, {"path", o.file}};
      event.update(verdict_json(verdict));
      event["message"] = verdict_message(verdict).text();
      event["convert"] = convert;
      write_event(session.out(), std::move(event));
      continue;
    }
    session.out() << (verdict.works() ? "ok    " : "fails ")
                  << printable(verdict_message(verdict).text()) << std::endl;
    if (!convert.empty()) {
      session.out() << "      a form that works: " << printable(convert) << std::endl;
    }
  }
  return 0;
}

}  // namespace

void add_inspect(CLI::App& app, CommandSession& session, Action& action) {
  const auto o = std::make_shared<ToolArguments>();
  add_tool(app, Tool::inspect, *o)->callback([&session, &action, o] {
    action = [&session, o] {
      return o->request.readers.empty() ? inspect_file(session, o->request)
                                        : inspect_for(session, o->request);
    };
  });
}

}  // namespace mantissa
