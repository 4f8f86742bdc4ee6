#include "engine/io/inspect.h"

#include <fmt/format.h>
#include <memory>

#include "engine/cli/adapter_options.h"
#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/reader_options.h"
#include "engine/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/weights.h"
#include "engine/plan/job_paths.h"
#include "engine/preset/names.h"
#include "engine/readers/file_readings.h"
#include "engine/readers/verdict_text.h"
#include "engine/run/run_adapters.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownMetadata = 100;

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

template <typename Key>
std::string counts_text(const std::map<Key, std::int64_t>& map) {
  std::string text;
  for (const auto& [key, count] : map) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", key, count);
  }
  return text;
}

std::string shortened(const std::string& text) {
  if (text.size() <= kShownMetadata) {
    return printable(text);
  }
  std::size_t end = kShownMetadata;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
    --end;
  }
  return printable(text.substr(0, end)) + fmt::format("... ({} bytes)", text.size());
}

/// "Turbo (distilled): it is called …".
std::string variant_text(const ModelSummary& m) {
  const std::string kind = m.variant + (m.distilled ? " (distilled)" : "");
  return m.variant_evidence.empty() ? kind : kind + ": " + printable(m.variant_evidence.text());
}

Json licence_json(const std::optional<WeightsLicence>& licence) {
  return licence
             ? Json{{"name", licence->name}, {"link", licence->link}, {"source", licence->source}}
             : Json();
}

/// "apache-2.0 (README.md), https://…".
std::string licence_text(const WeightsLicence& licence) {
  return shortened(licence.text()) + (licence.link.empty() ? "" : ", " + shortened(licence.link));
}

int inspect_file(CommandSession& session, const std::string& file) {
  const ModelSummary m = inspect(adapter_at(path_from_utf8(file)));
  if (session.json) {
    const auto text = [](const std::string& s) { return s; };
    const auto number = [](auto n) { return fmt::format("{}", n); };
    write_event(session.out(), {{"event", "inspect"},
                                {"path", file},
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
                                {"form", m.form},
                                {"dora", m.dora},
                                {"licence", licence_json(m.licence)},
                                {"metadata", m.metadata}});
    return 0;
  }
  Table table({printable(file), ""});
  table.add({"Holds", kind_name(m.kind) + (m.dora ? " (DoRA)" : "")});
  table.add({"Family", m.family});
  if (!m.variant.empty()) {
    table.add({"Variant", variant_text(m)});
  }
  if (m.licence) {
    table.add({"Licence", licence_text(*m.licence)});
  } else if (m.kind == ModelSummary::Kind::checkpoint) {
    table.add({"Licence", "its files state none"});
  }
  if (m.kind != ModelSummary::Kind::embedding) {
    table.add({"Naming", m.layout.empty() ? "unknown" : m.layout});
  }
  table.add({"Tensors", std::to_string(m.tensors)});
  table.add({"Parameters", std::to_string(m.parameters)});
  table.add({"Size", bytes_text(m.bytes)});
  table.add({"Types", counts_text(m.dtypes)});
  table.add({"Parts", counts_text(m.parts)});
  if (m.kind == ModelSummary::Kind::adapter) {
    table.add({"Form", m.form.empty() ? "unknown" : m.form});
    table.add({"Modules", std::to_string(m.modules)});
    table.add({"Ranks", counts_text(m.ranks)});
    table.add({"Alphas", counts_text(m.alphas)});
  }
  if (m.kind == ModelSummary::Kind::embedding) {
    table.add({"Vectors", std::to_string(m.vectors)});
  }
  for (const auto& [key, value] : m.metadata) {
    table.add({shortened(key), shortened(value)});
  }
  table.print(session.out());
  return 0;
}

struct InspectOptions {
  std::string file, base, axis;
  std::vector<std::string> readers;  ///< keys of --for
};

/// The command that writes a file which a reader reads; empty if no format is one.
std::string conversion(const InspectOptions& o, const ReaderVerdict& verdict,
                       const FileReadings& readings, const WeightSource& base) {
  const bool open = verdict.outcome != ReaderOutcome::as_meant &&
                    verdict.outcome != ReaderOutcome::no_change &&
                    verdict.outcome != ReaderOutcome::unsupported;
  if (!open || readings.modules.empty() || !format_for(*verdict.reader, readings.modules, base)) {
    return {};
  }
  return fmt::format("mantissa convert '{}' --base '{}' --for {} --out FILE.safetensors", o.file,
                     o.base, verdict.reader->key);
}

/// What the programs of --for would make of the file.
int inspect_for(CommandSession& session, const InspectOptions& o) {
  if (o.base.empty()) {
    throw Error(message<"--for needs --base: the base model's layers give the names">());
  }
  const WeightSource base = WeightSource::open(resolve_base(path_from_utf8(o.base)));
  const FileReadings readings = read_file_as(adapter_at(path_from_utf8(o.file)), base,
                                             readers_of(o.readers), dora_axis_of(o.axis));
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
  CLI::App* command = app.add_subcommand(
      "inspect", "What a checkpoint, adapter or embedding holds, from its headers");
  const auto o = std::make_shared<InspectOptions>();
  command
      ->add_option("FILE", o->file,
                   "A .safetensors file, a diffusers folder, or a checkpoint's or run's folder")
      ->type_name("FILE")
      ->required();
  add_readers(*command, o->readers);
  command->add_option("--base", o->base, "With --for: base model that the adapter is for")
      ->type_name("PATH");
  add_dora_axis(*command, o->axis);
  command->callback([&session, &action, o] {
    action = [&session, o] {
      return o->readers.empty() ? inspect_file(session, o->file) : inspect_for(session, *o);
    };
  });
}

}  // namespace mantissa
