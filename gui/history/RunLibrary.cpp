#include "gui/history/RunLibrary.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/preset/preset_io.h"
#include "engine/run/first_steps.h"
#include "engine/run/run_files.h"
#include "engine/run/run_folder.h"
#include "engine/store/reader.h"
#include "engine/store/store.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr int kPollMs = 1000;
/// A run without an owner is detected by its lock; checking takes the lock briefly, so it is done
/// rarely.
constexpr auto kLivenessGap = std::chrono::seconds(10);

}  // namespace

RunPlaces RunPlaces::of_this_machine() {
  return {runs_database, runs_folder, [](const QString& folder) -> std::optional<QString> {
            QString where;
            if (!QFile::moveToTrash(folder, &where)) {
              return std::nullopt;
            }
            return where;
          }};
}

/// State of the reading thread between its tasks.
struct RunLibrary::Reading {
  std::unique_ptr<RunReader> reader;
  std::filesystem::path database;
  std::int64_t seen = -1;
  std::chrono::steady_clock::time_point looked{};
  bool any_live = false;
  std::map<std::string, std::pair<std::int64_t, QString>> failures;  ///< end, reason

  /// The last error in a failed run's log; read once, as long as it isn't continued.
  QString failure_of(const RunSummary& run, RunReader& from) {
    const auto [at, fresh] = failures.try_emplace(run.id);
    auto& [ended, reason] = at->second;
    if (fresh || ended != run.finished) {
      ended = run.finished;
      reason.clear();
      for (const EventRow& event : from.events(run.id)) {
        if (event.level == LogLevel::error) {
          reason = plain_text(event.message);
        }
      }
    }
    return reason;
  }

  RunReader& open(const RunPlaces& places) {
    if (!reader) {
      database = places.database();
      reader = std::make_unique<RunReader>(database);
    }
    return *reader;
  }
};

RunLibrary::RunLibrary(RunPlaces places, QObject* parent)
    : QObject(parent), places_(std::move(places)), reading_(std::make_shared<Reading>()) {
  pool_.setMaxThreadCount(1);
  timer_.setInterval(kPollMs);
  connect(&timer_, &QTimer::timeout, this, &RunLibrary::read_list);
}

RunLibrary::~RunLibrary() {
  pool_.clear();
  pool_.waitForDone();
}

void RunLibrary::answer(std::function<void()> what) {
  QMetaObject::invokeMethod(this, std::move(what), Qt::QueuedConnection);
}

void RunLibrary::post(std::function<void()> work) {
  if (!places_.database) {
    return;
  }
  pool_.start([this, work = std::move(work)] {
    try {
      work();
    } catch (const std::exception& e) {
      reading_->reader.reset();
      answer([this, message = error_text(message_of(e))] {
        if (message != std::exchange(last_failure_, message) || !timer_.isActive()) {
          emit failed(message);
        }
      });
    }
  });
}

void RunLibrary::set_watching(bool on) {
  if (on && !timer_.isActive()) {
    refresh();
    timer_.start();
  } else if (!on) {
    timer_.stop();
  }
}

void RunLibrary::refresh() {
  post([this] { reading_->seen = -1; });
  read_list();
}

void RunLibrary::read_list() {
  if (reading_list_) {
    return;  // the previous read is not done yet
  }
  reading_list_ = places_.database != nullptr;
  post([this] {
    Reading& r = *reading_;
    std::vector<RunSummary> runs;
    QHash<QString, QString> failures;
    bool changed = false;
    try {
      RunReader& reader = r.open(places_);
      const auto now = std::chrono::steady_clock::now();
      const std::int64_t mark = reader.changes();
      const bool look = now - r.looked > kLivenessGap;
      changed = r.seen != mark || (r.any_live && look);
      if (changed) {
        runs = reader.summaries();
        for (const RunSummary& run : runs) {
          if (run.state == "failed") {
            failures.insert(to_qstring(run.id), r.failure_of(run, reader));
          }
        }
        r.seen = mark;
        r.any_live = false;
        for (RunSummary& run : runs) {
          if (!is_final_state(run.state)) {
            r.any_live = true;
            run.state = current_state(run.state, run.lock);
          }
        }
        r.looked = now;
      }
    } catch (...) {
      answer([this] { reading_list_ = false; });
      throw;
    }
    answer([this, changed, runs = std::move(runs), failures = std::move(failures)]() mutable {
      reading_list_ = false;
      last_failure_.clear();
      if (changed) {
        runs_ = std::move(runs);
        failures_ = std::move(failures);
        names_.clear();
        for (const RunSummary& run : runs_) {
          ++names_[to_qstring(run.name)];
        }
        listed_once_ = true;
        emit listed();
      }
    });
  });
}

QString RunLibrary::label(const RunSummary& run) const {
  const QString name = to_qstring(run.name), id = to_qstring(run.id);
  return name.isEmpty()              ? id
         : names_.value(name, 0) > 1 ? QStringLiteral("%1 · %2").arg(name, id.right(4))
                                     : name;
}

const RunSummary* RunLibrary::run(const QString& id) const {
  const std::string wanted = id.toStdString();
  const auto it =
      std::find_if(runs_.begin(), runs_.end(), [&](const RunSummary& r) { return r.id == wanted; });
  return it == runs_.end() ? nullptr : &*it;
}

void RunLibrary::load(const QString& id, const RunSince& since, QObject* context,
                      std::function<void(const RunDetail&)> got) {
  post([this, id, since, context = QPointer<QObject>(context), got = std::move(got)] {
    RunDetail detail;
    detail.id = id;
    RunReader& reader = reading_->open(places_);
    if (const auto row = reader.run(id.toStdString())) {
      detail.found = true;
      detail.id = to_qstring(row->id);
      detail.state = to_qstring(current_state(row->state, row->lock));
      detail.folder = to_qstring(row->out);
      detail.has_checkpoint =
          can_continue(detail.state.toStdString()) && has_checkpoint(to_path(detail.folder));
      std::error_code none;
      detail.has_trace = is_final_state(detail.state.toStdString()) &&
                         std::filesystem::exists(trace_file(to_path(detail.folder)), none);
      try {
        detail.preset = parse_preset(row->preset_json, "run " + row->id);
      } catch (const Error&) {
        // Of another version: everything else can still be shown.
      }
      detail.steps = reader.metrics(row->id, since.step);
      detail.samples = reader.samples(row->id);
      detail.checkpoints = reader.checkpoints(row->id);
      detail.pauses = reader.pauses(row->id);
      detail.rates = reader.last_rates(row->id);
      detail.events = reader.events(row->id, since.event);
      if (since.health) {
        detail.health = reader.health(row->id, *since.health);
      }
      if (since.validation) {
        detail.validation = reader.validation(row->id, *since.validation);
      }
    }
    answer([context, got, detail = std::move(detail)] {
      if (context) {
        got(detail);
      }
    });
  });
}

void RunLibrary::load_health(const QString& id, std::size_t most_rows, QObject* context,
                             std::function<void(std::vector<HealthRecord>& records)> got) {
  post([this, id, most_rows, context = QPointer<QObject>(context), got = std::move(got)] {
    auto records = std::make_shared<std::vector<HealthRecord>>(
        reading_->open(places_).health(id.toStdString(), -1, most_rows));
    answer([context, got, records] {
      if (context) {
        got(*records);
      }
    });
  });
}

void RunLibrary::load_influences(
    const std::set<std::string>& names, QObject* context,
    std::function<void(const QString& run, const std::vector<ImageInfluence>& images)> got) {
  post([this, names, context = QPointer<QObject>(context), got = std::move(got)] {
    RunReader& reader = reading_->open(places_);
    QString run;
    std::vector<ImageInfluence> images;
    for (const RunSummary& summary : reader.summaries()) {
      const std::vector<ImageInfluence> all = image_influences(reader.image_losses(summary.id));
      const auto here = std::count_if(all.begin(), all.end(), [&](const ImageInfluence& image) {
        return names.contains(image.name);
      });
      if (here > 0 && 2 * here >= std::ssize(all)) {
        run = to_qstring(summary.id);
        images = outstanding(all);
        break;
      }
    }
    answer([context, got, run, images] {
      if (context) {
        got(run, images);
      }
    });
  });
}

void RunLibrary::annotate(const QString& id, const QString& tags, const QString& note) {
  post([this, id, tags, note] {
    RunStore(places_.database()).annotate(id.toStdString(), tags.toStdString(), note.toStdString());
  });
  read_list();
}

void RunLibrary::remove(const QStringList& ids) {
  post([this, ids] {
    RunStore store(places_.database());
    RunReader reader(store.file());
    const std::filesystem::path runs = places_.folder();
    std::vector<Removal> done;
    QStringList kept, refused;
    bool undoable = true;
    for (const QString& id : ids) {
      const auto row = reader.run(id.toStdString());
      if (!row) {
        continue;
      }
      if (!is_final_state(current_state(row->state, row->lock))) {
        refused << tr("%1 is still running; stop it first.").arg(id);
        continue;
      }
      const QString folder = to_qstring(row->out);
      Removal removal{id, folder, {}};
      if (is_kept_among(to_path(folder), runs)) {
        const std::optional<QString> where = places_.trash(folder);
        if (!where) {
          refused << tr("%1: its folder %2 can't be moved to the trash.").arg(id, folder);
          continue;
        }
        removal.to = *where;
        undoable = undoable && !where->isEmpty();
      } else if (QFileInfo::exists(folder)) {
        kept << folder;
      }
      store.set_hidden(row->id, true);
      done.push_back(removal);
    }
    answer([this, done, kept, refused, undoable] {
      last_removal_ = done;
      emit removed(static_cast<int>(done.size()), undoable && !done.empty(), kept, refused);
    });
  });
  read_list();
}

void RunLibrary::restore() {
  post([this, removal = std::exchange(last_removal_, {})] {
    RunStore store(places_.database());
    for (const Removal& r : removal) {
      if (!r.to.isEmpty() && !QDir().rename(r.to, r.from)) {
        throw Error(message<"{run} can't be brought back to {folder}; it is still in the trash.">(
            r.id.toStdString(), r.from.toStdString()));
      }
      store.set_hidden(r.id.toStdString(), false);
    }
  });
  read_list();
}

void RunLibrary::recover(const QStringList& quit) {
  post([this, quit] {
    const std::filesystem::path file = places_.database();
    std::error_code none;
    if (!std::filesystem::exists(file, none)) {
      return;
    }
    RunStore store(file, owner_is_alive);
    RunReader reader(file);
    settle_deleted_runs(store, reader, places_.folder());
    const auto& died = store.interrupted();
    std::set<std::string> stopped;  // ids
    for (const QString& path : quit) {
      stopped.insert(run_id_of(to_path(path)));
    }
    QVector<LeftRun> left;
    for (const RunSummary& run : reader.summaries()) {
      const bool dead = std::find(died.begin(), died.end(), run.id) != died.end();
      const bool by_quitting = !dead && stopped.contains(run.id);
      if (dead || (by_quitting && can_continue(current_state(run.state, run.lock)))) {
        left.push_back({to_qstring(run.id), run.steps, find_resume_point(path_from_utf8(run.out)),
                        by_quitting});
      }
    }
    if (!left.isEmpty()) {
      answer([this, left] { emit recovered(left); });
    }
  });
}

}  // namespace mantissa::gui
