#include "engine/store/reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/module_path.h"
#include "engine/store/columns.h"
#include "engine/store/message_json.h"
#include "engine/store/old_log.h"
#include "engine/store/sqlite.h"

namespace mantissa {

namespace {

constexpr const char* kRunColumns =
    "SELECT id, name, state, created, finished, base, out, preset, plan, seed, host, process, lock,"
    " (SELECT max(step) FROM metrics WHERE run = runs.key),"
    " (SELECT loss FROM metrics WHERE run = runs.key ORDER BY step DESC LIMIT 1) FROM runs ";

double real_or_nan(const Statement& s, int column) {
  return s.is_null(column) ? std::numeric_limits<double>::quiet_NaN() : s.real(column);
}

/// The first seven columns of a run, which rows and summaries have alike.
template <typename Row>
void read_head(const Statement& s, Row& r) {
  r.id = s.text(0);
  r.name = s.text(1);
  r.state = s.text(2);
  r.created = s.number(3);
  r.finished = s.number(4);
  r.base = s.text(5);
  r.out = s.text(6);
}

RunRow read_run(const Statement& s) {
  RunRow r;
  read_head(s, r);
  r.preset_json = s.text(7);
  r.plan_json = s.text(8);
  r.seed = s.number(9);
  r.host = s.text(10);
  r.process = s.number(11);
  r.lock = s.text(12);
  r.steps = s.number(13);
  r.last_loss = real_or_nan(s, 14);
  return r;
}

/// The rows of a run, the parameter ?1.
constexpr const char* kOfRun = " WHERE run = (SELECT key FROM runs WHERE id = ?1)";
/// False for what can't be seen as a whole, such as on a disk that isn't connected.
bool was_deleted(const std::filesystem::path& checkpoint) {
  std::error_code none;
  return std::filesystem::is_directory(checkpoint.parent_path(), none) &&
         !std::filesystem::exists(checkpoint, none);
}

}  // namespace

struct RunReader::Impl {
  std::filesystem::path file;
  std::unique_ptr<Database> database;

  // The connection, or null while there is no database yet.
  Database* open() {
    if (database) {
      return database.get();
    }
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
      return nullptr;
    }
    auto fresh = std::make_unique<Database>(file, Database::Mode::read);
    if (fresh->number("SELECT count(*) FROM sqlite_master WHERE name = 'schema'", 0) == 0) {
      return nullptr;  // its writer is just creating it
    }
    const std::int64_t version = fresh->number("SELECT version FROM schema", kStoreVersion);
    if (version > kStoreVersion) {
      throw Error(message<"the runs database {file} was made by a newer Mantissa (format "
                          "{version}, this program reads up to {known}); use that version, or set "
                          "MANTISSA_HOME">(path_to_utf8(file), version, kStoreVersion));
    }
    database = std::move(fresh);
    return database.get();
  }

  bool has_table(const char* name) {
    Database* db = open();
    if (db == nullptr) {
      return false;
    }
    Statement s(*db, "SELECT 1 FROM sqlite_master WHERE name = ?1");
    return s.bind(1, std::string(name)).row();
  }

  bool has_column(const char* table, const char* column) {
    Database* db = open();
    if (db == nullptr) {
      return false;
    }
    Statement s(*db, "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2");
    return s.bind(1, std::string(table)).bind(2, std::string(column)).row();
  }

  // What to select for these records in `table`, which lacks columns if the file is older.
  template <typename... Records>
  std::string columns(const char* table) {
    Database* db = open();
    return db == nullptr ? std::string()
                         : selection(table, columns_of<Records...>(), columns_in(*db, table));
  }

  // Fills in the parts of `rows`, which are in the order of their steps.
  void read_parts(const std::string& id, std::vector<StepRow>& rows) {
    // A file older than the fifth format, which only a writer migrates, has columns instead.
    const bool by_name = has_table("part_metrics");
    const std::string table =
        by_name
            ? "part_metrics"
            : "(SELECT run, step, 'unet' AS part, lr_unet AS lr, norm_unet AS norm FROM metrics "
              "WHERE lr IS NOT 0.0 OR norm IS NOT 0.0 "
              "UNION ALL SELECT run, step, 'te1', lr_te1, norm_te1 FROM metrics "
              "WHERE lr_te1 IS NOT 0.0 OR norm_te1 IS NOT 0.0 "
              "UNION ALL SELECT run, step, 'te2', lr_te2, norm_te2 FROM metrics "
              "WHERE lr_te2 IS NOT 0.0 OR norm_te2 IS NOT 0.0)";
    const std::string selected = by_name ? columns<StepKey, PartFigures>("part_metrics")
                                         : selection(table, columns_of<StepKey, PartFigures>(),
                                                     {"step", "part", "lr", "norm"});
    std::size_t i = 0;
    each(
        "SELECT " + selected + " FROM " + table + kOfRun +
            " AND step BETWEEN ?2 AND ?3 ORDER BY step, part LIKE 'te%', part",
        [&](Statement& s) { s.bind(1, id).bind(2, rows.front().step).bind(3, rows.back().step); },
        [&](const Statement& s) {
          StepKey key;
          PartFigures part;
          read_columns(s, read_columns(s, 0, key), part);
          while (i < rows.size() && rows[i].step < key.step) {
            ++i;
          }
          if (i < rows.size() && rows[i].step == key.step && !part.part.name().empty() &&
              rows[i].parts.size() < PartList::kMost) {
            rows[i].parts.push_back(part);
          }
        });
  }

  // Calls `use` for each row of `sql`, whose first parameter is a run's key.
  template <typename Bind, typename Use>
  void each(const std::string& sql, Bind&& bind, Use&& use) {
    if (Database* db = open()) {
      Statement s(*db, sql.c_str());
      bind(s);
      while (s.row()) {
        use(s);
      }
    }
  }

  // The rows of a run in `table` with steps > after_step, at most `limit` unless 0. None if an
  // older file lacks the table.
  template <typename Row>
  std::vector<Row> rows_after(const char* table, const std::string& id, std::int64_t after_step,
                              const char* order = "step", std::int64_t limit = 0) {
    std::vector<Row> rows;
    if (has_table(table)) {
      each(
          "SELECT " + columns<Row>(table) + " FROM " + table + kOfRun + " AND step > ?2 ORDER BY " +
              order + " LIMIT ?3",
          [&](Statement& s) { s.bind(1, id).bind(2, after_step).bind(3, limit > 0 ? limit : -1); },
          [&](const Statement& s) { read_columns(s, 0, rows.emplace_back()); });
    }
    return rows;
  }

  // Fills in the lists of `rows`, which are in the order of their steps, from a table of their own:
  // list_of(row) is that of a row. None where the file is older than the table.
  template <typename Record, typename Row, typename ListOf>
  void read_lists(const char* table, const char* order, const std::string& id,
                  std::vector<Row>& rows, ListOf&& list_of) {
    if (rows.empty() || !has_table(table)) {
      return;
    }
    auto row = rows.begin();
    each(
        "SELECT " + columns<StepKey, Record>(table) + " FROM " + table + kOfRun +
            " AND step >= ?2 ORDER BY step, " + order,
        [&](Statement& s) { s.bind(1, id).bind(2, rows.front().step); },
        [&](const Statement& s) {
          StepKey key;
          const int rest = read_columns(s, 0, key);
          row = std::find_if(row, rows.end(), [&](const Row& r) { return r.step >= key.step; });
          if (row != rows.end() && row->step == key.step) {
            read_columns(s, rest, list_of(*row).emplace_back());
          }
        });
  }

  // Whether rates and pauses are lines of the log still: a file that only a writer migrates.
  bool keeps_rows_in_log() { return has_column("events", "message") && !has_table("pauses"); }

  LogRows rows_of_log(const std::string& id) {
    LogRows rows;
    each(
        std::string("SELECT message FROM events") + kOfRun + " AND " + kIsOldRow + " ORDER BY key",
        [&](Statement& s) { s.bind(1, id); },
        [&](const Statement& s) { add_row_of_line(event_message({}, s.text(0)), rows); });
    return rows;
  }
};

RunReader::RunReader(std::filesystem::path file) : impl_(std::make_unique<Impl>()) {
  impl_->file = std::move(file);
}

RunReader::~RunReader() = default;

std::vector<RunRow> RunReader::list_runs(const RunFilter& filter) {
  std::string pattern = "%";
  for (const char c : filter.text) {
    if (c == '%' || c == '_' || c == '\\') {
      pattern += '\\';
    }
    pattern += c;
  }
  pattern += "%";
  std::vector<RunRow> runs;
  impl_->each(
      std::string(kRunColumns) +
          "WHERE (?1 = '' OR state = ?1) AND (id LIKE ?2 ESCAPE '\\' OR name LIKE ?2 ESCAPE '\\' "
          "OR base LIKE ?2 ESCAPE '\\') " +
          (impl_->has_table("summaries")
               ? "AND NOT EXISTS(SELECT 1 FROM summaries WHERE run = runs.key AND hidden = 1) "
               : "") +
          "ORDER BY created DESC, key DESC LIMIT ?3",
      [&](Statement& s) {
        s.bind(1, filter.state).bind(2, pattern).bind(3, filter.limit > 0 ? filter.limit : -1);
      },
      [&](const Statement& s) { runs.push_back(read_run(s)); });
  return runs;
}

std::vector<RunSummary> RunReader::summaries(bool with_hidden) {
  // A database not yet opened by a writer of this version has no summaries.
  const bool known = impl_->has_table("summaries");
  const bool families = impl_->has_column("summaries", "family");  // since the seventh format
  std::vector<RunSummary> runs;
  impl_->each(
      std::string("SELECT id, name, state, created, finished, base, out, ") +
          (known ? "adapter, precision, tags, note," : "'', '', '', '',") +
          " (SELECT max(step) FROM metrics WHERE run = key),"
          " (SELECT loss FROM metrics WHERE run = key ORDER BY step DESC LIMIT 1),"
          " CASE WHEN state IN ('finished', 'failed', 'stopped', 'interrupted') THEN '' ELSE lock "
          "END, " +
          (families ? "family" : "''") + " FROM runs " +
          (known ? "JOIN summaries ON run = key " : "") +
          (known && !with_hidden ? "WHERE hidden = 0 " : "") + "ORDER BY created DESC, key DESC",
      [](Statement&) {},
      [&](const Statement& s) {
        RunSummary& r = runs.emplace_back();
        std::string* texts[] = {&r.adapter, &r.precision, &r.tags, &r.note};
        read_head(s, r);
        for (int i = 0; i < 4; ++i) {
          *texts[i] = s.text(7 + i);
        }
        r.steps = s.number(11);
        r.last_loss = real_or_nan(s, 12);
        r.lock = s.text(13);
        r.family = s.text(14);
      });
  return runs;
}

std::int64_t RunReader::changes() {
  Database* db = impl_->open();
  return db == nullptr ? 0 : db->number("PRAGMA data_version", 0);
}

std::optional<RunRow> RunReader::run(const std::string& id) {
  std::vector<RunRow> found;
  impl_->each(
      std::string(kRunColumns) + "WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT 2",
      [&](Statement& s) { s.bind(1, id); },
      [&](const Statement& s) { found.push_back(read_run(s)); });
  if (id.empty() || found.empty() || (found.size() > 1 && found.front().id != id)) {
    return std::nullopt;
  }
  return found.front();
}

std::vector<StepRow> RunReader::metrics(const std::string& id, std::int64_t after_step,
                                        std::int64_t limit) {
  std::vector<StepRow> rows = impl_->rows_after<StepRow>("metrics", id, after_step, "step", limit);
  if (!rows.empty()) {
    impl_->read_parts(id, rows);
  }
  return rows;
}

std::vector<EventRow> RunReader::events(const std::string& id, std::int64_t after_event) {
  std::vector<EventRow> rows;
  // A file older than the sixth format has only the English text.
  const bool with_messages = impl_->has_column("events", "message");
  impl_->each(
      std::string("SELECT key, time, level, text, ") + (with_messages ? "message" : "NULL") +
          " FROM events "
          "WHERE run = (SELECT key FROM runs WHERE id = ?1) AND key > ?2 ORDER BY key",
      [&](Statement& s) { s.bind(1, id).bind(2, after_event); },
      [&](const Statement& s) {
        rows.push_back({s.number(0), s.number(1), log_level_of(static_cast<int>(s.number(2))),
                        event_message(s.text(3), s.text(4))});
      });
  return rows;
}

std::vector<std::int64_t> RunReader::health_steps(const std::string& id, std::int64_t after_step) {
  std::vector<std::int64_t> steps;
  // A seek for each step: the rows between them are not read.
  impl_->each(
      "WITH RECURSIVE found(step) AS ("
      "SELECT min(step) FROM health WHERE run = (SELECT key FROM runs WHERE id = ?1) AND step > ?2 "
      "UNION ALL SELECT (SELECT min(step) FROM health WHERE run = "
      "(SELECT key FROM runs WHERE id = ?1) AND step > found.step) FROM found "
      "WHERE found.step IS NOT NULL) SELECT step FROM found WHERE step IS NOT NULL",
      [&](Statement& s) { s.bind(1, id).bind(2, after_step); },
      [&](const Statement& s) { steps.push_back(s.number(0)); });
  return steps;
}

std::vector<HealthRecord> RunReader::health(const std::string& id, std::int64_t after_step,
                                            std::size_t most_rows) {
  std::vector<HealthRecord> records;
  if (!impl_->has_table("health")) {
    return records;  // an older database, not yet opened by a writer
  }
  const std::string columns = impl_->columns<HealthRecord, HealthRow>("health");
  const auto read = [&](const char* which, std::int64_t step) {
    impl_->each(
        "SELECT " + columns + " FROM health" + kOfRun + " AND step " + which +
            " ?2 ORDER BY step, layer, kind",
        [&](Statement& s) { s.bind(1, id).bind(2, step); },
        [&](const Statement& s) {
          HealthRecord record;
          const int rest = read_columns(s, 0, record);
          if (records.empty() || records.back().step != record.step) {
            records.push_back(std::move(record));
          }
          HealthRow& row = records.back().rows.emplace_back();
          read_columns(s, rest, row);
          row.layer = canonical_path(row.layer);  // older versions had other heads
        });
  };
  if (most_rows == 0) {
    read(">", after_step);
    return records;
  }
  const std::vector<std::int64_t> steps = health_steps(id, after_step);
  if (steps.empty()) {
    return records;
  }
  read("=", steps.back());  // all but the weights' record have about as many rows
  const std::size_t rows = std::max<std::size_t>(records.back().rows.size(), 1);
  HealthRecord latest = std::move(records.back());
  records.clear();
  const std::size_t others = steps.size() - 1;
  const std::size_t kept = std::min(others, std::max<std::size_t>(most_rows / rows, 2) - 1);
  for (std::size_t i = 0; i < kept; ++i) {
    read("=", steps[i * others / kept]);
  }
  records.push_back(std::move(latest));
  return records;
}

std::vector<ValidationRow> RunReader::validation(const std::string& id, std::int64_t after_step,
                                                 bool each_image) {
  auto rows = impl_->rows_after<ValidationRow>("validation", id, after_step);
  if (each_image) {
    impl_->read_lists<ImageLoss>(
        "validation_images", "image", id, rows,
        [](ValidationRow & row) -> auto& { return row.each; });
  }
  return rows;
}

std::vector<ImageLossRecord> RunReader::image_losses(const std::string& id) {
  std::vector<ImageLossRecord> records;
  if (!impl_->has_table("image_losses")) {
    return records;  // an older database, not yet opened by a writer
  }
  impl_->each(
      "SELECT " + impl_->columns<ImageLossRecord, TrainedImageLoss>("image_losses") +
          " FROM image_losses" + kOfRun + " ORDER BY step, image, level",
      [&](Statement& s) { s.bind(1, id); },
      [&](const Statement& s) {
        ImageLossRecord record;
        const int rest = read_columns(s, 0, record);
        if (records.empty() || records.back().step != record.step) {
          records.push_back(std::move(record));
        }
        read_columns(s, rest, records.back().each.emplace_back());
      });
  return records;
}

std::vector<RunRates> RunReader::rates(const std::string& id, std::int64_t after_step) {
  if (impl_->keeps_rows_in_log()) {
    std::vector<RunRates> rates = impl_->rows_of_log(id).rates;
    std::erase_if(rates, [&](const RunRates& r) { return r.step <= after_step; });
    return rates;
  }
  auto rates = impl_->rows_after<RunRates>("rates", id, after_step);
  impl_->read_lists<ProcessRate>(
      "process_rates", "process", id, rates, [](RunRates & r) -> auto& { return r.processes; });
  return rates;
}

std::optional<RunRates> RunReader::last_rates(const std::string& id) {
  std::int64_t last = 0;
  if (impl_->has_table("rates")) {
    impl_->each(
        std::string("SELECT max(step) FROM rates") + kOfRun, [&](Statement& s) { s.bind(1, id); },
        [&](const Statement& s) { last = s.number(0); });
  }
  std::vector<RunRates> rates = this->rates(id, last - 1);
  return rates.empty() ? std::nullopt : std::optional(std::move(rates.back()));
}

std::vector<PauseRow> RunReader::pauses(const std::string& id) {
  return impl_->keeps_rows_in_log() ? impl_->rows_of_log(id).pauses
                                    : impl_->rows_after<PauseRow>("pauses", id, -1);
}

std::vector<SampleRow> RunReader::samples(const std::string& id) {
  return impl_->rows_after<SampleRow>("samples", id, -1, "step, prompt_index");
}

std::vector<CheckpointRow> RunReader::checkpoints(const std::string& id) {
  auto rows = impl_->rows_after<CheckpointRow>("checkpoints", id, -1);
  std::erase_if(rows,
                [](const CheckpointRow& row) { return was_deleted(path_from_utf8(row.path)); });
  return rows;
}

}  // namespace mantissa
