#include "engine/store/store.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <spdlog/spdlog.h>
#include <thread>
#include <utility>
#include <variant>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/store/columns.h"
#include "engine/store/sqlite.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kQueueBound = 65'536;
constexpr std::size_t kBatchBound = 8'192;

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

std::int64_t now_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Job kinds. Each is one row or one change, small enough to queue by value.
struct CreateJob {
  RunRow run;
};
struct ResumeJob {
  std::int64_t step, process;
  std::string state, host;
};
struct StateJob {
  std::string state;
  std::int64_t time;
};
struct PlanJob {
  std::string plan_json;
};
struct RemoveCheckpointJob {
  std::int64_t step;
};
struct DeleteJob {};
struct Job {
  std::string id;
  std::variant<StepRow, EventRow, SampleRow, CheckpointRow, CreateJob, ResumeJob, StateJob, PlanJob,
               RemoveCheckpointJob, DeleteJob>
      what;
};

// Carries jobs out; lives on the writer's thread.
class JobWriter {
 public:
  explicit JobWriter(Database& db)
      : find_(db, "SELECT key FROM runs WHERE id = ?1"),
        create_(db,
                "INSERT INTO runs(id, name, state, created, finished, base, out, preset, plan, "
                "seed, host, process, lock) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)"),
        step_(db, (std::string("INSERT OR REPLACE INTO metrics(run, step, clipped, skipped, "
                               "nan_mask, ") +
                   kMetricColumns +
                   ") VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,"
                   "?16,?17,?18)")
                      .c_str()),
        event_(db, "INSERT INTO events(run, time, level, text) VALUES(?1,?2,?3,?4)"),
        sample_(db, "INSERT OR REPLACE INTO samples VALUES(?1,?2,?3,?4,?5)"),
        checkpoint_(db, "INSERT OR REPLACE INTO checkpoints VALUES(?1,?2,?3,?4)"),
        state_(db, "UPDATE runs SET state = ?2, finished = ?3 WHERE key = ?1"),
        plan_(db, "UPDATE runs SET plan = ?2 WHERE key = ?1"),
        owner_(db, "UPDATE runs SET host = ?2, process = ?3 WHERE key = ?1"),
        drop_checkpoint_(db, "DELETE FROM checkpoints WHERE run = ?1 AND step = ?2"),
        rewind_{{db, "DELETE FROM metrics WHERE run = ?1 AND step > ?2"},
                {db, "DELETE FROM samples WHERE run = ?1 AND step > ?2"},
                {db, "DELETE FROM checkpoints WHERE run = ?1 AND step > ?2"}},
        erase_{{db, "DELETE FROM metrics WHERE run = ?1"},
               {db, "DELETE FROM samples WHERE run = ?1"},
               {db, "DELETE FROM checkpoints WHERE run = ?1"},
               {db, "DELETE FROM events WHERE run = ?1"},
               {db, "DELETE FROM runs WHERE key = ?1"}} {}

  // Throws Error for a job that can never be done; other failures of SQLite pass through.
  struct Impossible : Error {
    using Error::Error;
  };

  void write(const Job& job) {
    if (const auto* create = std::get_if<CreateJob>(&job.what)) {
      write_run(create->run);
      return;
    }
    const std::int64_t run = key_of(job.id);
    std::visit([&](const auto& what) { write(run, what); }, job.what);
    if (std::holds_alternative<DeleteJob>(job.what)) {
      keys_.erase(job.id);
    }
  }

  // After a rollback nothing that was looked up is sure.
  void forget() { keys_.clear(); }

 private:
  std::int64_t key_of(const std::string& id) {
    const auto known = keys_.find(id);
    if (known != keys_.end()) {
      return known->second;
    }
    find_.bind(1, id);
    const bool found = find_.row();
    const std::int64_t key = found ? find_.number(0) : 0;
    find_.reset();
    if (!found) {
      throw Impossible("the runs database holds no run \"" + id + "\"; create it first");
    }
    keys_.emplace(id, key);
    return key;
  }

  void write_run(const RunRow& r) {
    create_.bind(1, r.id).bind(2, r.name).bind(3, r.state);
    create_.bind(4, r.created).bind(5, r.finished).bind(6, r.base).bind(7, r.out);
    create_.bind(8, r.preset_json).bind(9, r.plan_json).bind(10, r.seed);
    create_.bind(11, r.host).bind(12, r.process).bind(13, r.lock);
    if (!create_.run()) {
      throw Impossible("the runs database already holds a run \"" + r.id +
                       "\"; a run's id must be new");
    }
  }

  void write(std::int64_t run, const StepRow& row) {
    std::int64_t mask = 0;
    const auto values = metric_values(row);
    for (std::size_t i = 0; i < values.size(); ++i) {
      step_.bind(static_cast<int>(6 + i), *values[i]);
      mask |= static_cast<std::int64_t>(std::isnan(*values[i])) << i;
    }
    step_.bind(1, run).bind(2, row.step).bind(3, static_cast<int>(row.clipped));
    step_.bind(4, static_cast<int>(row.skipped)).bind(5, mask).run();
  }

  void write(std::int64_t run, const EventRow& row) {
    event_.bind(1, run).bind(2, row.time).bind(3, row.level).bind(4, row.text).run();
  }

  void write(std::int64_t run, const SampleRow& row) {
    sample_.bind(1, run).bind(2, row.step).bind(3, row.prompt_index);
    sample_.bind(4, row.prompt).bind(5, row.path).run();
  }

  void write(std::int64_t run, const CheckpointRow& row) {
    checkpoint_.bind(1, run).bind(2, row.step).bind(3, row.path).bind(4, row.bytes).run();
  }

  void write(std::int64_t run, const StateJob& job) {
    const std::int64_t finished = is_final_state(job.state) ? job.time : 0;
    state_.bind(1, run).bind(2, job.state).bind(3, finished).run();
  }

  void write(std::int64_t run, const ResumeJob& job) {
    write(run, StateJob{job.state, now_milliseconds()});
    owner_.bind(1, run).bind(2, job.host).bind(3, job.process).run();
    for (Statement& s : rewind_) {
      s.bind(1, run).bind(2, job.step).run();
    }
  }

  void write(std::int64_t run, const PlanJob& job) {
    plan_.bind(1, run).bind(2, job.plan_json).run();
  }

  void write(std::int64_t run, const RemoveCheckpointJob& job) {
    drop_checkpoint_.bind(1, run).bind(2, job.step).run();
  }

  void write(std::int64_t run, const DeleteJob&) {
    for (Statement& s : erase_) {
      s.bind(1, run).run();
    }
  }

  void write(std::int64_t, const CreateJob&) {}

  Statement find_, create_, step_, event_, sample_, checkpoint_, state_, plan_, owner_,
      drop_checkpoint_;
  Statement rewind_[3];
  Statement erase_[5];
  std::map<std::string, std::int64_t> keys_;
};

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

// Moves a damaged database and its side files away; returns the new name.
fs::path set_aside(const fs::path& file) {
  const std::string stamp = ".corrupt-" + utc_stamp();
  fs::path target = with_suffix(file, stamp);
  for (int n = 2; fs::exists(target); ++n) {
    target = with_suffix(file, stamp + "-" + std::to_string(n));
  }
  for (const char* side : {"", "-wal", "-shm"}) {
    const fs::path from = with_suffix(file, side);
    std::error_code error;
    if (!fs::exists(from, error)) {
      continue;
    }
    fs::rename(from, with_suffix(target, side), error);
    if (error) {
      throw Error("the damaged runs database " + path_to_utf8(file) + " can't be set aside as " +
                  path_to_utf8(target) + ": " + error.message() + "; move it away by hand");
    }
  }
  return target;
}

// Opens for writing, with every check; throws DamagedDatabase when the file must be set aside.
std::unique_ptr<Database> open_checked(const fs::path& file) {
  auto db = std::make_unique<Database>(file, Database::Mode::write);
  db->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  {
    Statement check(*db, "PRAGMA quick_check(1)");
    const std::string verdict = check.row() ? check.text(0) : "no answer";
    if (verdict != "ok") {
      throw DamagedDatabase("the runs database " + path_to_utf8(file) + " is damaged: " + verdict);
    }
  }
  db->execute("BEGIN IMMEDIATE");
  const bool ours = db->number("SELECT 1 FROM sqlite_master WHERE name = 'schema'", 0) != 0;
  if (!ours && db->number("SELECT count(*) FROM sqlite_master", 0) != 0) {
    throw Error(path_to_utf8(file) +
                " is a database of another program, not Mantissa's runs; move it away or set "
                "MANTISSA_HOME");
  }
  if (!ours) {
    db->execute(kSchema);
  }
  const std::int64_t version = db->number("SELECT version FROM schema", 0);
  if (version > kStoreVersion) {
    throw Error("the runs database " + path_to_utf8(file) +
                " was made by a newer Mantissa (format " + std::to_string(version) +
                ", this program knows up to " + std::to_string(kStoreVersion) +
                ") and is left untouched; use that version, or set MANTISSA_HOME");
  }
  db->execute("COMMIT");
  return db;
}

}  // namespace

bool is_final_state(const std::string& state) {
  return state == "finished" || state == "failed" || state == "stopped" || state == "interrupted";
}

struct RunStore::Impl {
  fs::path file;
  std::vector<std::string> notices;
  std::unique_ptr<Database> database;
  std::unique_ptr<JobWriter> writer;  // used by the thread alone once it runs

  std::mutex mutex;
  std::condition_variable work, done;
  std::deque<Job> queue;  // front `taken` jobs are being written
  std::size_t taken = 0;
  std::exception_ptr failure;  // not yet told to anybody
  bool failing = false;        // the last try failed
  bool retry = false;
  bool stop = false;
  std::thread thread;

  void open(const fs::path& path, const IsAlive& is_alive) {
    file = path;
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error) {
      throw Error("the folder " + path_to_utf8(file.parent_path()) +
                  " of the runs database can't be made: " + error.message() +
                  "; make it writable or set MANTISSA_HOME");
    }
    try {
      database = open_checked(file);
    } catch (const DamagedDatabase& damage) {
      database.reset();
      const fs::path aside = set_aside(file);
      notices.push_back(
          std::string(damage.what()) + ". It was kept as " + path_to_utf8(aside) +
          " and a new one was made; the run folders hold everything needed to resume");
      database = open_checked(file);
    }
    writer = std::make_unique<JobWriter>(*database);
    if (is_alive) {
      mark_interrupted(is_alive);
    }
    thread = std::thread([this] { loop(); });
  }

  void mark_interrupted(const IsAlive& is_alive) {
    std::vector<RunRow> open_runs;
    {
      Statement s(*database, "SELECT id, name, state, created, out, host, process, lock FROM runs");
      while (s.row()) {
        if (!is_final_state(s.text(2))) {
          RunRow r;
          r.id = s.text(0);
          r.name = s.text(1);
          r.state = s.text(2);
          r.created = s.number(3);
          r.out = s.text(4);
          r.host = s.text(5);
          r.process = s.number(6);
          r.lock = s.text(7);
          open_runs.push_back(std::move(r));
        }
      }
    }
    for (const RunRow& r : open_runs) {
      if (is_alive(r)) {
        continue;
      }
      const std::int64_t now = now_milliseconds();
      const std::string text = "run " + r.id + " was left " + r.state +
                               " by a program that is gone: it is marked interrupted and can be "
                               "resumed";
      database->execute("BEGIN IMMEDIATE");
      writer->write({r.id, StateJob{"interrupted", now}});
      writer->write({r.id, EventRow{0, now, 2, text}});
      database->execute("COMMIT");
      notices.push_back(text);
    }
  }

  // One transaction over `jobs`; what can never be done is dropped and its reason kept.
  void write_batch(const std::vector<const Job*>& jobs, std::exception_ptr& impossible) {
    database->execute("BEGIN IMMEDIATE");
    try {
      for (const Job* job : jobs) {
        try {
          writer->write(*job);
        } catch (const JobWriter::Impossible&) {
          impossible = std::current_exception();
        }
      }
      database->execute("COMMIT");
    } catch (...) {
      if (sqlite3_get_autocommit(database->handle()) == 0) {
        sqlite3_exec(database->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
      }
      writer->forget();
      throw;
    }
  }

  void loop() {
    std::unique_lock lock(mutex);
    for (;;) {
      work.wait(lock, [&] { return stop || retry || (!failing && !queue.empty()); });
      retry = false;
      if (queue.empty()) {
        failing = false;
        if (stop) {
          return;
        }
        continue;
      }
      taken = std::min(queue.size(), kBatchBound);
      std::vector<const Job*> batch;
      batch.reserve(taken);
      for (std::size_t i = 0; i < taken; ++i) {
        batch.push_back(&queue[i]);  // a deque's elements stay put while its end grows
      }
      lock.unlock();
      std::exception_ptr failed;
      std::exception_ptr impossible;
      try {
        write_batch(batch, impossible);
      } catch (...) {
        failed = std::current_exception();
      }
      lock.lock();
      failing = failed != nullptr;
      if (!failing) {
        queue.erase(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(taken));
      }
      taken = 0;
      if (failed || impossible) {
        failure = failed ? failed : impossible;
      }
      done.notify_all();
      if (stop && failing) {
        return;
      }
    }
  }

  // Throws what went wrong since the last call, and lets the writer try again.
  void tell(std::unique_lock<std::mutex>& lock) {
    if (!failure) {
      return;
    }
    const std::exception_ptr told = std::exchange(failure, nullptr);
    retry = failing;
    work.notify_one();
    lock.unlock();
    std::rethrow_exception(told);
  }

  void add(Job job) {
    std::unique_lock lock(mutex);
    done.wait(lock, [&] { return queue.size() < kQueueBound || failing; });
    if (queue.size() >= kQueueBound) {
      retry = true;
      work.notify_one();
      if (failure) {
        tell(lock);
      }
      throw Error("the runs database " + path_to_utf8(file) + " can't be written and " +
                  std::to_string(kQueueBound) + " rows wait already; see the error before");
    }
    queue.push_back(std::move(job));
    if (failing) {
      retry = true;
    }
    work.notify_one();
    tell(lock);
  }

  void flush() {
    std::unique_lock lock(mutex);
    if (failing) {
      // A fresh try first: what failed before may work now.
      failing = false;
      failure = nullptr;
      retry = true;
      work.notify_one();
    }
    done.wait(lock, [&] { return queue.empty() || failing; });
    tell(lock);
  }

  ~Impl() {
    if (!thread.joinable()) {
      return;
    }
    {
      const std::lock_guard lock(mutex);
      stop = true;
    }
    work.notify_one();
    thread.join();
    if (failure) {
      try {
        std::rethrow_exception(failure);
      } catch (const std::exception& e) {
        spdlog::error("closing the runs database: {}", e.what());
      }
    }
  }
};

RunStore::RunStore(const fs::path& file, const IsAlive& is_alive)
    : impl_(std::make_unique<Impl>()) {
  impl_->open(file, is_alive);
}

RunStore::~RunStore() = default;

const std::vector<std::string>& RunStore::notices() const {
  return impl_->notices;
}

const fs::path& RunStore::file() const {
  return impl_->file;
}

void RunStore::create_run(const RunRow& run) {
  if (run.id.empty()) {
    throw Error("a run needs an id that isn't empty");
  }
  RunRow row = run;
  if (row.created == 0) {
    row.created = now_milliseconds();
  }
  impl_->add({run.id, CreateJob{std::move(row)}});
  impl_->flush();
}

void RunStore::resume_run(const std::string& id, std::int64_t step, const std::string& state,
                          const std::string& host, std::int64_t process) {
  impl_->add({id, ResumeJob{step, process, state, host}});
  impl_->flush();
}

void RunStore::set_state(const std::string& id, const std::string& state) {
  impl_->add({id, StateJob{state, now_milliseconds()}});
}

void RunStore::set_plan(const std::string& id, const std::string& plan_json) {
  impl_->add({id, PlanJob{plan_json}});
}

void RunStore::add_step(const std::string& id, const StepRow& row) {
  impl_->add({id, row});
}

void RunStore::add_event(const std::string& id, int level, const std::string& text) {
  impl_->add({id, EventRow{0, now_milliseconds(), level, text}});
}

void RunStore::add_sample(const std::string& id, const SampleRow& row) {
  impl_->add({id, row});
}

void RunStore::add_checkpoint(const std::string& id, const CheckpointRow& row) {
  impl_->add({id, row});
}

void RunStore::remove_checkpoint(const std::string& id, std::int64_t step) {
  impl_->add({id, RemoveCheckpointJob{step}});
}

void RunStore::delete_run(const std::string& id) {
  impl_->add({id, DeleteJob{}});
  impl_->flush();
}

void RunStore::flush() {
  impl_->flush();
}

}  // namespace mantissa
