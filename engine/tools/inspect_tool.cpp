// What a file holds, and what programs make of it.
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/inspect.h"
#include "engine/plan/job_paths.h"
#include "engine/preset/names.h"
#include "engine/readers/file_readings.h"
#include "engine/readers/verdict_text.h"
#include "engine/run/run_adapters.h"
#include "engine/tools/run_tool.h"
#include "engine/tools/tool_work.h"

namespace mantissa {
namespace {

using Rows = std::vector<std::pair<Message, Message>>;

constexpr std::size_t kShownMetadata = 100;

Message as_is(std::string text) {
  return Message::verbatim(std::move(text));
}

Message kind_text(const ModelSummary& m) {
  const Message kind = m.kind == ModelSummary::Kind::checkpoint  ? message<"checkpoint">()
                       : m.kind == ModelSummary::Kind::adapter   ? message<"adapter">()
                       : m.kind == ModelSummary::Kind::embedding ? message<"embedding">()
                                                                 : message<"unknown">();
  return m.dora ? message<"{kind} (DoRA)">(kind) : kind;
}

template <typename Key>
Message counts_text(const std::map<Key, std::int64_t>& map) {
  std::string text;
  for (const auto& [key, count] : map) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", key, count);
  }
  return as_is(text);
}

/// Metadata may be a whole preset over many lines; it has one here.
std::string in_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!blank || (!line.empty() && line.back() != ' ')) {
      line += blank ? ' ' : c;
    }
  }
  return line;
}

Message shortened(const std::string& written) {
  const std::string text = in_one_line(written);
  if (text.size() <= kShownMetadata) {
    return as_is(printable(text));
  }
  std::size_t end = kShownMetadata;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
    --end;
  }
  return message<"{beginning}... ({count} bytes)">(printable(text.substr(0, end)), written.size());
}

/// "Turbo (distilled): it is called …".
Message variant_text(const ModelSummary& m) {
  const Message kind = m.distilled ? message<"{variant} (distilled)">(m.variant) : as_is(m.variant);
  return m.variant_evidence.empty() ? kind : message<"{variant}: {why}">(kind, m.variant_evidence);
}

/// "apache-2.0 (README.md), https://…".
Message licence_text(const WeightsLicence& licence) {
  const Message name = shortened(licence.text());
  return licence.link.empty() ? name : joined<", ">({name, shortened(licence.link)});
}

Rows summary_rows(const ModelSummary& m, const std::string& size) {
  Rows rows{{message<"Holds">(), kind_text(m)}, {message<"Family">(), as_is(m.family)}};
  if (!m.variant.empty()) {
    rows.emplace_back(message<"Variant">(), variant_text(m));
  }
  if (m.licence) {
    rows.emplace_back(message<"Licence">(), licence_text(*m.licence));
  } else if (m.kind == ModelSummary::Kind::checkpoint) {
    rows.emplace_back(message<"Licence">(), message<"its files state none">());
  }
  const auto known = [](const std::string& text) {
    return text.empty() ? message<"unknown">() : as_is(text);
  };
  if (m.kind != ModelSummary::Kind::embedding) {
    rows.emplace_back(message<"Naming">(), known(m.layout));
  }
  rows.emplace_back(message<"Tensors">(), as_is(std::to_string(m.tensors)));
  rows.emplace_back(message<"Parameters">(), as_is(std::to_string(m.parameters)));
  rows.emplace_back(message<"Size">(), as_is(size));
  rows.emplace_back(message<"Types">(), counts_text(m.dtypes));
  rows.emplace_back(message<"Parts">(), counts_text(m.parts));
  if (m.kind == ModelSummary::Kind::adapter) {
    rows.emplace_back(message<"Form">(), known(m.form));
    rows.emplace_back(message<"Modules">(), as_is(std::to_string(m.modules)));
    rows.emplace_back(message<"Ranks">(), counts_text(m.ranks));
    rows.emplace_back(message<"Alphas">(), counts_text(m.alphas));
    if (!m.words.empty()) {
      rows.emplace_back(message<"Words and their vectors">(), counts_text(m.words));
    }
  }
  if (m.kind == ModelSummary::Kind::embedding) {
    rows.emplace_back(message<"Vectors">(), as_is(std::to_string(m.vectors)));
  }
  for (const auto& [key, value] : m.metadata) {
    rows.emplace_back(shortened(key), shortened(value));
  }
  return rows;
}

}  // namespace

ToolResult inspect_file(const ToolRequest& request, const ToolWatch& watch) {
  const std::filesystem::path file = adapter_at(path_from_utf8(request.file));
  ToolResult result;
  if (request.readers.empty()) {
    const ModelSummary summary = inspect(file);
    result.rows = summary_rows(summary, watch.size_text(summary.bytes));
    result.summary = kind_text(summary);
    return result;
  }
  if (request.base.empty()) {
    throw Error(message<"--for needs --base: the base model's layers give the names">());
  }
  const WeightSource base = WeightSource::open(resolve_base(path_from_utf8(request.base)));
  const FileReadings readings =
      read_file_as(file, base, readers_of(request.readers), enum_from_name<DoraAxis>(request.axis));
  if (!readings.unknown.empty()) {
    result.notices.push_back(readings.unknown);
  }
  result.verdicts = readings.verdicts;
  return result;
}

}  // namespace mantissa
