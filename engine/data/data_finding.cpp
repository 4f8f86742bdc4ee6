#include "engine/data/data_finding.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "engine/core/paths.h"

namespace mantissa {

namespace {

constexpr std::size_t kSummaryFiles = 5;  // files in a summary

Message named_file(const FoundFile& file) {
  const std::string name = path_to_utf8(file.path.filename());
  return file.detail.empty() ? Message::verbatim(name)
                             : message<"{file} ({reason})">(name, file.detail);
}

}  // namespace

Message kind_text(DataFindingKind kind) {
  switch (kind) {
    case DataFindingKind::no_caption:
      return message<"images without a caption, trained with their folder's name">();
    case DataFindingKind::empty_caption:
      return message<"images with an empty caption, trained without a text">();
    case DataFindingKind::no_trigger:
      return message<"images whose caption lacks the trigger word, trained without preservation">();
    case DataFindingKind::cut_caption:
      return message<"captions and prompts longer than the text encoder reads, cut at its limit">();
    case DataFindingKind::cut_image:
      return message<"images of which more than a third lies outside their bucket">();
    case DataFindingKind::same_name:
      return message<"images whose names look the same, in two Unicode forms">();
    case DataFindingKind::unused_caption:
      return message<"caption files not used, as their image has another">();
    case DataFindingKind::own_output:
      return message<"folders that Mantissa wrote, passed over">();
    case DataFindingKind::overlap:
      return message<"folders that share images with folders for another use">();
    case DataFindingKind::reference_shape:
      return message<"images with a reference of another shape, which isn't cropped as they are">();
  }
  return {};
}

std::string_view kind_name(DataFindingKind kind) {
  switch (kind) {
    case DataFindingKind::no_caption:
      return "no_caption";
    case DataFindingKind::empty_caption:
      return "empty_caption";
    case DataFindingKind::no_trigger:
      return "no_trigger";
    case DataFindingKind::cut_caption:
      return "cut_caption";
    case DataFindingKind::cut_image:
      return "cut_image";
    case DataFindingKind::same_name:
      return "same_name";
    case DataFindingKind::unused_caption:
      return "unused_caption";
    case DataFindingKind::own_output:
      return "own_output";
    case DataFindingKind::overlap:
      return "overlap";
    case DataFindingKind::reference_shape:
      return "reference_shape";
  }
  return {};
}

Message headline(const DataFinding& finding) {
  return message<"{what} ({count})">(kind_text(finding.kind), finding.files.size());
}

Message summary(const DataFinding& finding) {
  std::vector<Message> files;
  for (std::size_t i = 0; i < std::min(kSummaryFiles, finding.files.size()); ++i) {
    files.push_back(named_file(finding.files[i]));
  }
  if (finding.files.size() > kSummaryFiles) {
    files.push_back(message<"and {count} more">(finding.files.size() - kSummaryFiles));
  }
  Message all = message<"{what}: {files}">(headline(finding), joined<", ">(std::move(files)));
  return finding.advice.empty() ? all : message<"{what}. {advice}">(all, finding.advice);
}

LogLevel log_level(const DataFinding& finding) {
  return finding.kind == DataFindingKind::empty_caption ||
                 finding.kind == DataFindingKind::unused_caption ||
                 finding.kind == DataFindingKind::own_output ||
                 finding.kind == DataFindingKind::reference_shape
             ? LogLevel::info
             : LogLevel::warning;
}

DataFinding& finding_of(std::vector<DataFinding>& findings, DataFindingKind kind) {
  const auto found = std::ranges::find(findings, kind, &DataFinding::kind);
  if (found != findings.end()) {
    return *found;
  }
  findings.push_back({kind, {}, {}});
  return findings.back();
}

void add_findings(std::vector<DataFinding>& findings, const std::vector<DataFinding>& others) {
  for (const DataFinding& other : others) {
    DataFinding& own = finding_of(findings, other.kind);
    // One folder may be scanned for two uses.
    const bool may_repeat = other.kind == DataFindingKind::own_output;
    std::ranges::copy_if(other.files, std::back_inserter(own.files), [&](const FoundFile& file) {
      return !may_repeat ||
             std::ranges::find(own.files, file.path, &FoundFile::path) == own.files.end();
    });
    own.advice = own.advice.empty() ? other.advice : own.advice;
  }
}

void drop_kind(std::vector<DataFinding>& findings, DataFindingKind kind) {
  std::erase_if(findings, [&](const DataFinding& f) { return f.kind == kind; });
}

void drop_file(std::vector<DataFinding>& findings, const std::filesystem::path& file) {
  for (DataFinding& finding : findings) {
    std::erase_if(finding.files, [&](const FoundFile& f) { return f.path == file; });
  }
  std::erase_if(findings, [](const DataFinding& f) { return f.files.empty(); });
}

}  // namespace mantissa
