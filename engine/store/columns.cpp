#include "engine/store/columns.h"

#include <algorithm>
#include <cstdint>

namespace mantissa {
namespace {

/// Columns of the tables in files before the eighth format, and what they are called since.
struct Renamed {
  const char *table, *before, *now;
};
constexpr Renamed kRenamed[] = {{"validation", "pictures", "images"}};

}  // namespace

std::string pack_histogram(const Histogram& bins) {
  const auto used = [](std::int64_t n) { return n != 0; };
  const auto first = std::find_if(bins.begin(), bins.end(), used);
  const auto last = std::find_if(bins.rbegin(), bins.rend(), used).base();
  std::string bytes;
  if (first == bins.end()) {
    return bytes;
  }
  bytes.push_back(static_cast<char>(first - bins.begin()));
  for (auto bin = first; bin != last; ++bin) {
    const auto n = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(*bin, 0, std::numeric_limits<std::uint32_t>::max()));
    for (int shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<char>(n >> shift & 0xffU));
    }
  }
  return bytes;
}

void unpack_histogram(const std::string& bytes, Histogram& bins) {
  std::size_t bin = bytes.empty() ? bins.size() : static_cast<unsigned char>(bytes[0]);
  for (std::size_t at = 1; at + 4 <= bytes.size() && bin < bins.size(); at += 4, ++bin) {
    for (std::size_t i = 0; i < 4; ++i) {
      bins[bin] |= static_cast<std::int64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    }
  }
}

std::vector<StepTable> step_tables() {
  return {{"metrics", columns_of<StepRow>()},
          {"part_metrics", columns_of<StepKey, PartFigures>()},
          {"health", columns_of<HealthRecord, HealthRow>()},
          {"validation", columns_of<ValidationRow>()},
          {"validation_images", columns_of<StepKey, ImageLoss>()},
          {"image_losses", columns_of<ImageLossRecord, TrainedImageLoss>()},
          {"rates", columns_of<RunRates>()},
          {"process_rates", columns_of<StepKey, ProcessRate>()},
          {"pauses", columns_of<PauseRow>()},
          {"samples", columns_of<SampleRow>()},
          {"checkpoints", columns_of<CheckpointRow>()}};
}

std::set<std::string> columns_in(Database& db, const std::string& table) {
  std::set<std::string> names;
  Statement s(db, "SELECT name FROM pragma_table_info(?1)");
  s.bind(1, table);
  while (s.row()) {
    names.insert(s.text(0));
  }
  return names;
}

void add_missing_columns(Database& db, const StepTable& table) {
  const std::set<std::string> present = columns_in(db, table.name);
  for (const Column& column : table.columns) {
    if (!present.contains(column.name)) {
      db.execute((std::string("ALTER TABLE ") + table.name + " ADD COLUMN " + column.name + " " +
                  column.type)
                     .c_str());
    }
  }
}

std::string selection(const std::string& table, const std::vector<Column>& columns,
                      const std::set<std::string>& present) {
  std::string list;
  for (const Column& column : columns) {
    std::string from = present.contains(column.name) ? column.name : "NULL";
    for (const Renamed& r : kRenamed) {
      if (table == r.table && column.name == r.now && present.contains(r.before)) {
        from = r.before;
      }
    }
    list += (list.empty() ? "" : ", ") + from;
  }
  return list;
}

std::string insertion(const std::string& table, const std::vector<Column>& columns) {
  std::string names = "run", values = "?1";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    names += ", " + columns[i].name;
    values += ", ?" + std::to_string(i + 2);
  }
  return "INSERT OR REPLACE INTO " + table + "(" + names + ") VALUES(" + values + ")";
}

}  // namespace mantissa
