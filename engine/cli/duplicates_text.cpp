#include "engine/cli/duplicates_text.h"

#include <fmt/format.h>

#include "engine/cli/json_observer.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/preflight/dataset_check.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

std::string_view kind_name(DuplicateKind kind) {
  switch (kind) {
    case DuplicateKind::exact:
      return "exact";
    case DuplicateKind::similar:
      return "similar";
    case DuplicateKind::mirrored:
      return "mirrored";
  }
  return {};
}

Json image_event(const ImageItem& item, std::string_view kind) {
  return {{"path", path_to_utf8(item.path)},
          {"kind", kind},
          {"width", item.width},
          {"height", item.height}};
}

void write_groups(std::ostream& out, const DatasetDuplicates& found) {
  Json groups = Json::array();
  for (const DuplicateGroup& group : found.groups) {
    Json images = Json::array({image_event(found.items[group.original], "original")});
    for (const Duplicate& copy : group.duplicates) {
      images.push_back(image_event(found.items[copy.item], kind_name(copy.kind)));
    }
    groups.push_back(std::move(images));
  }
  write_event(out, {{"event", "duplicates"}, {"groups", std::move(groups)}});
}

void print_groups(std::ostream& out, const DatasetDuplicates& found) {
  out << "\nDuplicates\n";
  if (found.groups.empty()) {
    out << fmt::format("  none among {}\n", counted(std::ssize(found.items), "image"));
    return;
  }
  Table table({"  image", "size", "what it is"});
  const auto add = [&](const ImageItem& item, std::string_view indent, std::string what) {
    table.add({std::string(indent) + path_to_utf8(item.path),
               fmt::format("{}x{}", item.width, item.height), std::move(what)});
  };
  for (const DuplicateGroup& group : found.groups) {
    const ImageItem& original = found.items[group.original];
    add(original, "  ", "the largest");
    for (const Duplicate& copy : group.duplicates) {
      const ImageItem& item = found.items[copy.item];
      const bool smaller = item.width != original.width || item.height != original.height;
      add(item, "    ",
          copy.kind == DuplicateKind::exact
              ? "the same file"
              : fmt::format("{}{}", kind_name(copy.kind), smaller ? ", another size" : ""));
    }
  }
  table.print(out);
}

}  // namespace

void report_duplicates(CommandSession& session, const JobSpec& job) {
  if (job.images.empty()) {
    throw Error(message<"--duplicates compares images; name their folder with --images">());
  }
  const bool shows = session.context.err_is_terminal;
  const auto progress = [&](RunPhase, std::int64_t done, std::int64_t total) {
    if (shows) {
      session.err() << fmt::format("\rcomparing images: {} of {}", done, total)
                    << (done == total ? "\n" : "") << std::flush;
    }
  };
  const DatasetDuplicates found = find_dataset_duplicates(
      job.preset, {job.images, job.prior, job.validation, job.references}, progress);
  if (session.json) {
    write_groups(session.out(), found);
  } else {
    print_groups(session.out(), found);
    session.out() << std::flush;
  }
}

}  // namespace mantissa
