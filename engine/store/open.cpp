#include "engine/store/open.h"

#include <ctime>
#include <string>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"
#include "engine/store/columns.h"
#include "engine/store/headline.h"
#include "engine/store/message_json.h"
#include "engine/store/old_log.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSchema = R"(
CREATE TABLE schema(version INTEGER NOT NULL);
CREATE TABLE runs(
  key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, state TEXT NOT NULL,
  created INTEGER NOT NULL, finished INTEGER NOT NULL, base TEXT NOT NULL, out TEXT NOT NULL,
  preset TEXT NOT NULL, plan TEXT NOT NULL, seed INTEGER NOT NULL, host TEXT NOT NULL,
  process INTEGER NOT NULL, lock TEXT NOT NULL);
CREATE TABLE metrics(
  run INTEGER NOT NULL, step INTEGER NOT NULL,
  loss REAL, grad_norm REAL, clip_norm REAL, loss_scale REAL, lost_update REAL, update_ratio REAL,
  seconds REAL, lr_unet REAL, lr_te1 REAL, lr_te2 REAL, norm_unet REAL, norm_te1 REAL,
  norm_te2 REAL, clipped INTEGER NOT NULL, skipped INTEGER NOT NULL,
  nan_mask INTEGER NOT NULL,
  PRIMARY KEY(run, step)) WITHOUT ROWID;
CREATE TABLE events(
  key INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, time INTEGER NOT NULL,
  level INTEGER NOT NULL, text TEXT NOT NULL);
CREATE INDEX events_by_run ON events(run, key);
CREATE TABLE samples(
  run INTEGER NOT NULL, step INTEGER NOT NULL, prompt_index INTEGER NOT NULL,
  prompt TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY(run, step, prompt_index)) WITHOUT ROWID;
CREATE TABLE checkpoints(
  run INTEGER NOT NULL, step INTEGER NOT NULL, path TEXT NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY(run, step)) WITHOUT ROWID;
INSERT INTO schema VALUES(1);
)";

// Migration to the second format; a new database goes through all.
constexpr const char* kToVersion2 = R"(
CREATE TABLE health(
  run INTEGER NOT NULL, step INTEGER NOT NULL, layer TEXT NOT NULL, kind TEXT NOT NULL,
  format TEXT NOT NULL, seconds REAL NOT NULL, count INTEGER NOT NULL, zeros INTEGER NOT NULL,
  non_finite INTEGER NOT NULL, underflow INTEGER NOT NULL, subnormal INTEGER NOT NULL,
  overflow INTEGER NOT NULL, amax REAL NOT NULL, scaled_amax REAL NOT NULL, signal REAL NOT NULL,
  noise REAL NOT NULL, drift REAL, histogram BLOB NOT NULL,
  PRIMARY KEY(run, step, layer, kind)) WITHOUT ROWID;
UPDATE schema SET version = 2;
)";

// The third: summaries for the history, apart from the long texts of `runs`, and user notes.
constexpr const char* kToVersion3 = R"(
CREATE TABLE summaries(
  run INTEGER PRIMARY KEY, adapter TEXT NOT NULL, precision TEXT NOT NULL, tags TEXT NOT NULL,
  note TEXT NOT NULL, hidden INTEGER NOT NULL);
UPDATE schema SET version = 3;
)";

// The fourth: the validation loss. SQLite stores NaN as NULL.
constexpr const char* kToVersion4 = R"(
CREATE TABLE validation(
  run INTEGER NOT NULL, step INTEGER NOT NULL, loss REAL, pictures INTEGER NOT NULL,
  seconds REAL NOT NULL, PRIMARY KEY(run, step)) WITHOUT ROWID;
UPDATE schema SET version = 4;
)";

// The fifth: learning rates and norms by the part's name, for any family's parts. SQLite stores NaN
// as NULL; zeros in both meant an untrained part.
constexpr const char* kToVersion5 = R"(
CREATE TABLE part_metrics(
  run INTEGER NOT NULL, step INTEGER NOT NULL, part TEXT NOT NULL, lr REAL, norm REAL,
  PRIMARY KEY(run, step, part)) WITHOUT ROWID;
INSERT INTO part_metrics SELECT run, step, 'unet', lr_unet, norm_unet FROM metrics
  WHERE lr_unet IS NOT 0.0 OR norm_unet IS NOT 0.0;
INSERT INTO part_metrics SELECT run, step, 'te1', lr_te1, norm_te1 FROM metrics
  WHERE lr_te1 IS NOT 0.0 OR norm_te1 IS NOT 0.0;
INSERT INTO part_metrics SELECT run, step, 'te2', lr_te2, norm_te2 FROM metrics
  WHERE lr_te2 IS NOT 0.0 OR norm_te2 IS NOT 0.0;
CREATE TABLE new_metrics(
  run INTEGER NOT NULL, step INTEGER NOT NULL,
  loss REAL, grad_norm REAL, clip_norm REAL, loss_scale REAL, lost_update REAL, update_ratio REAL,
  seconds REAL, clipped INTEGER NOT NULL, skipped INTEGER NOT NULL, nan_mask INTEGER NOT NULL,
  PRIMARY KEY(run, step)) WITHOUT ROWID;
INSERT INTO new_metrics SELECT run, step, loss, grad_norm, clip_norm, loss_scale, lost_update,
  update_ratio, seconds, clipped, skipped, nan_mask & 127 FROM metrics;
DROP TABLE metrics;
ALTER TABLE new_metrics RENAME TO metrics;
UPDATE schema SET version = 5;
)";

// The sixth: an event as a template and its values (message_json.h) in addition to its English
// text, for windows in another language. NULL if there is only the text.
constexpr const char* kToVersion6 = R"(
ALTER TABLE events ADD COLUMN message TEXT;
UPDATE schema SET version = 6;
)";

// The seventh: the family of a run's base model.
constexpr const char* kToVersion7 = R"(
ALTER TABLE summaries ADD COLUMN family TEXT NOT NULL DEFAULT '';
UPDATE schema SET version = 7;
)";

// The eighth: rates and pauses as rows, which were lines of the log; validation's "pictures" are
// images; NULL alone is NaN.
constexpr const char* kToVersion8 = R"(
CREATE TABLE rates(
  run INTEGER NOT NULL, step INTEGER NOT NULL, images_per_second REAL,
  PRIMARY KEY(run, step)) WITHOUT ROWID;
CREATE TABLE process_rates(
  run INTEGER NOT NULL, step INTEGER NOT NULL, process INTEGER NOT NULL, host TEXT NOT NULL,
  images_per_second REAL, share REAL, slow INTEGER NOT NULL,
  PRIMARY KEY(run, step, process)) WITHOUT ROWID;
CREATE TABLE pauses(
  run INTEGER NOT NULL, step INTEGER NOT NULL, disk_full INTEGER NOT NULL,
  PRIMARY KEY(run, step, disk_full)) WITHOUT ROWID;
ALTER TABLE validation RENAME COLUMN pictures TO images;
ALTER TABLE metrics DROP COLUMN nan_mask;
UPDATE schema SET version = 8;
)";

// The ninth: the loss of each validation image.
constexpr const char* kToVersion9 = R"(
CREATE TABLE validation_images(
  run INTEGER NOT NULL, step INTEGER NOT NULL, image INTEGER NOT NULL, name TEXT NOT NULL,
  loss REAL, PRIMARY KEY(run, step, image)) WITHOUT ROWID;
UPDATE schema SET version = 9;
)";

// The tenth: losses of single training images.
constexpr const char* kToVersion10 = R"(
CREATE TABLE image_losses(
  run INTEGER NOT NULL, step INTEGER NOT NULL, images INTEGER NOT NULL, seconds REAL NOT NULL,
  image INTEGER NOT NULL, level INTEGER NOT NULL, name TEXT NOT NULL, loss REAL, other REAL,
  of TEXT NOT NULL,
  PRIMARY KEY(run, step, image, level)) WITHOUT ROWID;
UPDATE schema SET version = 10;
)";

// Older runs get their summaries from their frozen presets.
void summarize_runs(Database& db) {
  Statement runs(db, "SELECT key, preset FROM runs");
  Statement insert(db, "INSERT INTO summaries VALUES(?1, ?2, ?3, '', '', 0)");
  while (runs.row()) {
    const PresetHeadline line = preset_headline(runs.text(1));
    insert.bind(1, runs.number(0)).bind(2, line.adapter).bind(3, line.precision).run();
  }
}

// Sets their families. A preset for any family leaves it unknown.
void name_families(Database& db) {
  Statement runs(db, "SELECT key, preset FROM runs");
  Statement update(db, "UPDATE summaries SET family = ?2 WHERE run = ?1");
  while (runs.row()) {
    update.bind(1, runs.number(0)).bind(2, preset_headline(runs.text(1)).family).run();
  }
}

// Rates and pauses that the log of older runs tells of.
void add_rows_of_logs(Database& db) {
  RowInsert<RunRates> rates(db, "rates");
  RowInsert<StepKey, ProcessRate> processes(db, "process_rates");
  RowInsert<PauseRow> pauses(db, "pauses");
  Statement lines(
      db, (std::string("SELECT run, message FROM events WHERE ") + kIsOldRow + " ORDER BY key")
              .c_str());
  while (lines.row()) {
    LogRows found;
    add_row_of_line(event_message({}, lines.text(1)), found);
    for (const RunRates& r : found.rates) {
      rates.run(lines.number(0), r);
      for (const ProcessRate& process : r.processes) {
        processes.run(lines.number(0), {r.step}, process);
      }
    }
    for (const PauseRow& pause : found.pauses) {
      pauses.run(lines.number(0), pause);
    }
  }
}

std::string utc_stamp() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
#ifdef _WIN32
  gmtime_s(&parts, &now);
#else
  gmtime_r(&now, &parts);
#endif
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &parts);
  return text;
}

fs::path with_suffix(const fs::path& file, const std::string& suffix) {
  fs::path other = file;
  other += suffix;
  return other;
}

/// `file` with `suffix` and the time, and a number if that is taken.
fs::path free_name(const fs::path& file, const std::string& suffix) {
  const std::string stamp = suffix + utc_stamp();
  fs::path target = with_suffix(file, stamp);
  for (int n = 2; fs::exists(target); ++n) {
    target = with_suffix(file, stamp + "-" + std::to_string(n));
  }
  return target;
}

/// Backs up a database of an older format before migration.
void back_up(Database& db, std::int64_t version) {
  const fs::path copy = free_name(db.file(), ".format-" + std::to_string(version) + "-");
  Statement(db, "VACUUM INTO ?1").bind(1, path_to_utf8(copy)).run();
}

}  // namespace

std::unique_ptr<Database> open_for_writing(const fs::path& file) {
  auto db = std::make_unique<Database>(file, Database::Mode::write);
  // A small page cache: rows are appended, and a run's memory shall not grow with them.
  db->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -512;");
  {
    Statement check(*db, "PRAGMA quick_check(1)");
    const std::string verdict = check.row() ? check.text(0) : "no answer";
    if (verdict != "ok") {
      throw DamagedDatabase(
          message<"the runs database {file} is damaged: {reason}">(path_to_utf8(file), verdict));
    }
  }
  if (db->number("SELECT 1 FROM sqlite_master WHERE name = 'schema'", 0) != 0) {
    const std::int64_t version = db->number("SELECT version FROM schema", kStoreVersion);
    if (version < kStoreVersion) {
      back_up(*db, version);
    }
  }
  db->execute("BEGIN IMMEDIATE");
  const bool ours = db->number("SELECT 1 FROM sqlite_master WHERE name = 'schema'", 0) != 0;
  if (!ours && db->number("SELECT count(*) FROM sqlite_master", 0) != 0) {
    throw Error(message<"{file} is a database of another program, not Mantissa's runs; move it "
                        "away or set MANTISSA_HOME">(path_to_utf8(file)));
  }
  if (!ours) {
    db->execute(kSchema);
  }
  const std::int64_t version = db->number("SELECT version FROM schema", 0);
  if (version > kStoreVersion) {
    throw Error(
        message<"the runs database {file} was made by a newer Mantissa (format {version}, "
                "this program knows up to {known}) and is left untouched; use that "
                "version, or set MANTISSA_HOME">(path_to_utf8(file), version, kStoreVersion));
  }
  if (version < 2) {
    db->execute(kToVersion2);
  }
  if (version < 3) {
    db->execute(kToVersion3);
    summarize_runs(*db);
  }
  if (version < 4) {
    db->execute(kToVersion4);
  }
  if (version < 5) {
    db->execute(kToVersion5);
  }
  if (version < 6) {
    db->execute(kToVersion6);
  }
  if (version < 7) {
    db->execute(kToVersion7);
    name_families(*db);
  }
  if (version < 8) {
    db->execute(kToVersion8);
  }
  if (version < 9) {
    db->execute(kToVersion9);
  }
  if (version < 10) {
    db->execute(kToVersion10);
  }
  for (const StepTable& table : step_tables()) {
    add_missing_columns(*db, table);
  }
  if (version < 8) {
    add_rows_of_logs(*db);
  }
  db->execute("COMMIT");
  return db;
}

fs::path set_aside(const fs::path& file) {
  const fs::path target = free_name(file, ".corrupt-");
  for (const char* side : {"", "-wal", "-shm"}) {
    const fs::path from = with_suffix(file, side);
    std::error_code error;
    if (!fs::exists(from, error)) {
      continue;
    }
    fs::rename(from, with_suffix(target, side), error);
    if (error) {
      throw Error(message<"the damaged runs database {file} can't be set aside as {aside}: "
                          "{reason}; move it away by hand">(
          path_to_utf8(file), path_to_utf8(target), system_message(error)));
    }
  }
  return target;
}

}  // namespace mantissa
