#include "engine/store/reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/store/columns.h"
#include "engine/store/message_json.h"
#include "engine/store/sqlite.h"

namespace mantissa {

namespace {

Message event_message(const std::string& text, const std::string& json) {
  try {
    return json.empty() ? Message::verbatim(text) : parse_message(json);
  } catch (const Error&) {
    return Message::verbatim(text);
  }
}

constexpr const char* kRunColumns =
    "SELECT id, name, state, created, finished, base, out, preset, plan, seed, host, process, lock,"
    " (SELECT max(step) FROM metrics WHERE run = runs.key),"
    " (SELECT loss FROM metrics WHERE run = runs.key ORDER BY step DESC LIMIT 1) FROM runs ";

double real_or_nan(const Statement& s, int column) {
  return s.is_null(column) ? std::numeric_limits<double>::quiet_NaN() : s.real(column);
}

RunRow read_run(const Statement& s) {
  RunRow r;
  r.id = s.text(0);
  r.name = s.text(1);
  r.state = s.text(2);
  r.created = s.number(3);
  r.finished = s.number(4);
  r.base = s.text(5);
  r.out = s.text(6);
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

HealthRow read_health(const Statement& s) {
  HealthRow r;
  r.layer = s.text(0);
  r.kind = health_kind(s.text(1)).value_or(HealthKind::output);
  r.format = dtype_from_name(s.text(2)).value_or(DType::f32);
  TensorStatistics& t = r.statistics;
  t.count = s.number(4);
  t.zeros = s.number(5);
  t.non_finite = s.number(6);
  t.underflow = s.number(7);
  t.subnormal = s.number(8);
  t.overflow = s.number(9);
  t.amax = s.real(10);
  t.scaled_amax = s.real(11);
  t.signal = s.real(12);
  t.noise = s.real(13);
  r.drift = real_or_nan(s, 14);
  unpack_histogram(s.blob(15), t);
  return r;
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

  // Fills in the parts of `rows`, which are in the order of their steps.
  void read_parts(const std::string& id, std::vector<StepRow>& rows) {
    // A file older than the fifth format, which only a writer migrates, has columns instead.
    const std::string table =
        has_table("part_metrics")
            ? "part_metrics"
            : "(SELECT run, step, 'unet' AS part, lr_unet AS lr, norm_unet AS norm FROM metrics "
              "WHERE lr IS NOT 0.0 OR norm IS NOT 0.0 "
              "UNION ALL SELECT run, step, 'te1', lr_te1, norm_te1 FROM metrics "
              "WHERE lr_te1 IS NOT 0.0 OR norm_te1 IS NOT 0.0 "
              "UNION ALL SELECT run, step, 'te2', lr_te2, norm_te2 FROM metrics "
              "WHERE lr_te2 IS NOT 0.0 OR norm_te2 IS NOT 0.0)";
    std::size_t i = 0;
    each(
        "SELECT step, part, lr, norm FROM " + table +
            " WHERE run = (SELECT key FROM runs WHERE id = ?1) AND step BETWEEN ?2 AND ?3 "
            "ORDER BY step, part LIKE 'te%', part",
        [&](Statement& s) { s.bind(1, id).bind(2, rows.front().step).bind(3, rows.back().step); },
        [&](const Statement& s) {
          while (i < rows.size() && rows[i].step < s.number(0)) {
            ++i;
          }
          const std::string name = s.text(1);
          if (i < rows.size() && rows[i].step == s.number(0) && name.size() <= Part::kLongest &&
              rows[i].parts.size() < PartList::kMost) {
            PartFigures& p = rows[i].parts[Part(name)];
            p.lr = real_or_nan(s, 2);
            p.norm = real_or_nan(s, 3);
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

  // Collects make(row) for each row of a run.
  template <typename Row, typename Make>
  std::vector<Row> of_run(const std::string& id, const std::string& columns_and_table,
                          const std::string& order, Make&& make) {
    std::vector<Row> rows;
    each(
        "SELECT " + columns_and_table +
            " WHERE run = (SELECT key FROM runs WHERE id = ?1) ORDER BY " + order,
        [&](Statement& s) { s.bind(1, id); }, [&](const Statement& s) { rows.push_back(make(s)); });
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
        r.id = s.text(0);
        r.name = s.text(1);
        r.state = s.text(2);
        r.created = s.number(3);
        r.finished = s.number(4);
        r.base = s.text(5);
        r.out = s.text(6);
        for (int i = 0; i < 4; ++i) {
          *texts[i] = s.text(7 + i);
        }
        r.steps = s.number(11);
        r.last_loss = s.is_null(12) ? std::numeric_limits<double>::quiet_NaN() : s.real(12);
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
  std::vector<StepRow> rows;
  impl_->each(
      std::string("SELECT step, clipped, skipped, nan_mask, ") + kMetricColumns +
          " FROM metrics WHERE run = (SELECT key FROM runs WHERE id = ?1) AND step > ?2 "
          "ORDER BY step LIMIT ?3",
      [&](Statement& s) { s.bind(1, id).bind(2, after_step).bind(3, limit > 0 ? limit : -1); },
      [&](const Statement& s) {
        StepRow r;
        r.step = s.number(0);
        r.clipped = s.number(1) != 0;
        r.skipped = s.number(2) != 0;
        const std::int64_t mask = s.number(3);
        const auto values = metric_values(r);
        for (std::size_t i = 0; i < values.size(); ++i) {
          *values[i] = (mask >> i & 1) != 0 ? std::numeric_limits<double>::quiet_NaN()
                                            : s.real(static_cast<int>(4 + i));
        }
        rows.push_back(r);
      });
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
        rows.push_back({s.number(0), s.number(1), static_cast<int>(s.number(2)),
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
  const auto read = [&](const char* which, std::int64_t step) {
    impl_->each(
        std::string("SELECT ") + kHealthColumns +
            ", step FROM health WHERE run = (SELECT key FROM runs WHERE id = ?1) AND step " +
            which + " ?2 ORDER BY step, layer, kind",
        [&](Statement& s) { s.bind(1, id).bind(2, step); },
        [&](const Statement& s) {
          if (records.empty() || records.back().step != s.number(16)) {
            records.push_back({s.number(16), s.real(3), {}});
          }
          records.back().rows.push_back(read_health(s));
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

std::vector<ValidationRow> RunReader::validation(const std::string& id, std::int64_t after_step) {
  std::vector<ValidationRow> rows;
  if (!impl_->has_table("validation")) {
    return rows;  // as above
  }
  impl_->each(
      "SELECT step, loss, pictures, seconds FROM validation "
      "WHERE run = (SELECT key FROM runs WHERE id = ?1) AND step > ?2 ORDER BY step",
      [&](Statement& s) { s.bind(1, id).bind(2, after_step); },
      [&](const Statement& s) {
        rows.push_back({s.number(0),
                        s.is_null(1) ? std::numeric_limits<double>::quiet_NaN() : s.real(1),
                        s.number(2), s.real(3)});
      });
  return rows;
}

std::vector<SampleRow> RunReader::samples(const std::string& id) {
  return impl_->of_run<SampleRow>(
      id, "step, prompt_index, prompt, path FROM samples", "step, prompt_index",
      [](const Statement& s) {
        return SampleRow{s.number(0), static_cast<int>(s.number(1)), s.text(2), s.text(3)};
      });
}

std::vector<CheckpointRow> RunReader::checkpoints(const std::string& id) {
  return impl_->of_run<CheckpointRow>(id, "step, path, bytes FROM checkpoints", "step",
                                      [](const Statement& s) {
                                        return CheckpointRow{s.number(0), s.text(1), s.number(2)};
                                      });
}

}  // namespace mantissa
