#include "engine/store/store.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <exception>
#include <fmt/core.h>
#include <mutex>
#include <thread>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/system_message.h"
#include "engine/store/job_writer.h"
#include "engine/store/open.h"
#include "engine/store/sqlite.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kQueueBound = 65'536;
constexpr std::size_t kBatchBound = 8'192;

std::int64_t now_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

std::string database_library_version() {
  return sqlite3_libversion();
}

struct RunStore::Impl {
  fs::path file;
  std::vector<Message> notices;
  std::vector<std::string> interrupted;
  std::unique_ptr<Database> database;
  std::unique_ptr<JobWriter> writer;  // used only by the thread once it runs

  std::mutex mutex;
  std::condition_variable work, done;
  std::deque<Job> queue;  // front `taken` jobs are being written
  std::size_t taken = 0;
  std::exception_ptr failure;  // not yet reported
  bool failing = false;        // the last attempt failed
  bool retry = false;
  bool stop = false;
  std::thread thread;

  void open(const fs::path& path, const IsAlive& is_alive) {
    file = path;
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error) {
      throw Error(
          message<"the folder {folder} of the runs database can't be made: {reason}; make it "
                  "writable or set MANTISSA_HOME">(path_to_utf8(file.parent_path()),
                                                   system_message(error)));
    }
    try {
      database = open_for_writing(file);
    } catch (const DamagedDatabase& damage) {
      database.reset();
      const fs::path aside = set_aside(file);
      notices.push_back(
          message<"{reason}. It was kept as {file} and a new one was made; the run folders hold "
                  "everything needed to resume">(damage.message(), path_to_utf8(aside)));
      database = open_for_writing(file);
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
      const Message text = message<
          "run {run} was left {state} by a program that no longer runs: it is marked "
          "interrupted and can be resumed">(r.id, r.state);
      database->execute("BEGIN IMMEDIATE");
      writer->write({r.id, StateJob{"interrupted", now}});
      writer->write({r.id, EventRow{0, now, LogLevel::warning, text}});
      database->execute("COMMIT");
      notices.push_back(text);
      interrupted.push_back(r.id);
    }
  }

  // One transaction over `jobs`; impossible jobs are dropped and their reason kept.
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

  static bool is_sync(const Job& job) { return std::holds_alternative<SyncJob>(job.what); }

  // Rows up to the next SyncJob, or that job alone: a failed sync is retried alone, so that no row
  // is written twice.
  std::size_t batch_size() const {
    if (is_sync(queue.front())) {
      return 1;
    }
    const auto bound =
        queue.begin() + static_cast<std::ptrdiff_t>(std::min(queue.size(), kBatchBound));
    return static_cast<std::size_t>(std::find_if(queue.begin(), bound, is_sync) - queue.begin());
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
      taken = batch_size();
      std::vector<const Job*> batch;
      batch.reserve(taken);
      for (std::size_t i = 0; i < taken; ++i) {
        batch.push_back(&queue[i]);  // a deque's elements stay put while its end grows
      }
      lock.unlock();
      std::exception_ptr failed;
      std::exception_ptr impossible;
      try {
        if (is_sync(*batch.front())) {
          database->sync_log();
        } else {
          write_batch(batch, impossible);
        }
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

  // Rethrows a failure since the last call, and lets the writer retry.
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
      throw Error(
          message<"the runs database {file} can't be written and {count} rows wait already; "
                  "see the error before">(path_to_utf8(file), kQueueBound));
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
      // Retry first: it may work now.
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
        fmt::print(stderr, "closing the runs database: {}\n", e.what());
      }
    }
  }
};

RunStore::RunStore(const fs::path& file, const IsAlive& is_alive)
    : impl_(std::make_unique<Impl>()) {
  impl_->open(file, is_alive);
}

RunStore::~RunStore() = default;

const std::vector<Message>& RunStore::notices() const {
  return impl_->notices;
}

const std::vector<std::string>& RunStore::interrupted() const {
  return impl_->interrupted;
}

const fs::path& RunStore::file() const {
  return impl_->file;
}

void RunStore::create_run(const RunRow& run) {
  if (run.id.empty()) {
    throw Error(Message::verbatim("a run needs an id that isn't empty"));
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
  impl_->add({id, ResumeJob{step, process, state, host, now_milliseconds()}});
  impl_->flush();
}

void RunStore::set_state(const std::string& id, const std::string& state) {
  impl_->add({id, StateJob{state, now_milliseconds()}});
}

void RunStore::move_run(const std::string& id, const std::string& out, const std::string& lock) {
  impl_->add({id, MoveJob{out, lock}});
}

void RunStore::set_plan(const std::string& id, const std::string& plan_json,
                        const std::string& family) {
  impl_->add({id, PlanJob{plan_json, family}});
}

void RunStore::set_settings(const std::string& id, const std::string& name,
                            const std::string& preset_json) {
  impl_->add({id, SettingsJob{name, preset_json}});
}

void RunStore::add_step(const std::string& id, const StepRow& row) {
  impl_->add({id, row});
}

void RunStore::add_event(const std::string& id, LogLevel level, const Message& message) {
  impl_->add({id, EventRow{0, now_milliseconds(), level, message}});
}

void RunStore::add_health(const std::string& id, HealthRecord record) {
  impl_->add({id, std::move(record)});
}

void RunStore::add_validation(const std::string& id, const ValidationRow& row) {
  impl_->add({id, row});
}

void RunStore::add_image_losses(const std::string& id, ImageLossRecord record) {
  impl_->add({id, std::move(record)});
}

void RunStore::add_rates(const std::string& id, const RunRates& rates) {
  impl_->add({id, rates});
}

void RunStore::add_pause(const std::string& id, const PauseRow& row) {
  impl_->add({id, row});
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

void RunStore::annotate(const std::string& id, const std::string& tags, const std::string& note) {
  impl_->add({id, AnnotateJob{tags, note}});
  impl_->flush();
}

void RunStore::set_hidden(const std::string& id, bool hidden) {
  impl_->add({id, HideJob{hidden}});
  impl_->flush();
}

void RunStore::delete_run(const std::string& id) {
  impl_->add({id, DeleteJob{}});
  impl_->flush();
}

void RunStore::flush() {
  impl_->flush();
}

void RunStore::sync() {
  impl_->add({{}, SyncJob{}});
  impl_->flush();
}

}  // namespace mantissa
