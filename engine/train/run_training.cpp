#include "engine/train/run_training.h"

#include <cmath>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/shell_words.h"
#include "engine/core/system.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/io/run_lock.h"
#include "engine/plan/backend.h"
#include "engine/plan/planned_run.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"
#include "engine/ranks/thread_link.h"
#include "engine/run/checkpoint.h"
#include "engine/run/run.h"
#include "engine/run/run_channel.h"
#include "engine/run/run_control.h"
#include "engine/run/run_failure.h"
#include "engine/run/run_identity.h"
#include "engine/run/run_name.h"
#include "engine/store/reader.h"
#include "engine/train/checked_run.h"
#include "engine/train/rank_checks.h"

namespace mantissa {
namespace {

void announce(RunStore& store, const RunFolder& folder, const JobSpec& job) {
  if (job.resume && RunReader(store.file()).run(folder.id())) {
    // RunStart logs the step. The run may have moved to this folder.
    store.move_run(folder.id(), path_to_utf8(folder.path()), path_to_utf8(folder.lock()));
    return;
  }
  RunRow row;
  row.id = folder.id();
  row.name = run_name(job.preset);
  row.state = state_name(RunState::preparing);
  row.base = path_to_utf8(job.base);
  row.out = path_to_utf8(folder.path());
  row.preset_json = to_json(job.preset, WriteMode::full);
  row.seed = job.preset.training.seed;
  row.host = host_name();
  row.process = process_id();
  row.lock = path_to_utf8(folder.lock());
  store.create_run(row);
}

Message with_checkpoint(Message said, const RunHome& home) {
  return home.last_checkpoint ? message<"{message}. Last good checkpoint: {file}">(
                                    std::move(said), path_to_utf8(*home.last_checkpoint))
                              : said;
}

/// Message of a stop, with what was saved.
Message stopped_text(const Message& said, const RunHome& home) {
  return home.last_checkpoint
             ? message<
                   "{message}. Saved at step {step}, in {file}; continue with --resume "
                   "{folder}">(said, checkpoint_step(*home.last_checkpoint).value_or(0),
                               path_to_utf8(*home.last_checkpoint),
                               shell_word(path_to_utf8(home.folder().path())))
             : message<"{message}. No checkpoint was saved; start it again with --resume {folder}">(
                   said, shell_word(path_to_utf8(home.folder().path())));
}

/// In all processes but the writer, beside its folder.
RunResult follow(const JobSpec& wanted, const std::string& device, RunControl& control,
                 Ranks& ranks) {
  RunObserver nobody;
  JobSpec job = wanted;
  const RunFolder folder = RunFolder::open(path_from_utf8(ranks.of_writer("")));
  if (wanted.resume) {
    job = resumed_job(folder.frozen_job(), wanted);
  }
  job.health_every = 0;
  job.device = device;
  PlannedRun opened = open_checked(job, ranks);
  const ImageLibrary images;
  RunHome home(folder, RunHome::Reading());
  DiskWait disk(control, nobody, OnFullDisk::stop);
  RunLog log(nobody, disk);
  return train_on_device(std::move(opened), job, home, control, log, ranks);
}

/// Records a run's end without a result, and raises it with what was saved. `before`: the run's row
/// when it was resumed, whose state it keeps if it ends before it continues.
[[noreturn]] void end_failed_run(RunFailure failure, const RunHome& home,
                                 const std::optional<RunRow>& before, RunLog& log) {
  // The state that the run had; a process that is gone can't have left another one than this.
  const std::string had = !before                         ? ""
                          : is_final_state(before->state) ? before->state
                                                          : "interrupted";
  const bool untouched = before && !log.resumed();
  if (failure.kind == ErrorKind::interrupted) {
    failure.message = stopped_text(failure.message, home);
    log.last_line(LogLevel::info, failure.message);
    log.finish(untouched ? had : "stopped", RunState::finished);
  } else {
    // A refusal that the user can accept already says how to continue.
    if (failure.changed.empty() && !failure.start_over) {
      failure.message = with_checkpoint(failure.message, home);
    }
    log.last_line(LogLevel::error, failure.message);
    log.finish(untouched ? had : "failed", RunState::failed);
  }
  raise(std::move(failure));
}

/// Assigns a copied run an id of its own while the one it was copied from is still there: under one
/// id, either would continue the other's record. What to tell about it.
std::optional<Message> separate_from_original(RunHome& home, const RunStore& store) {
  const std::string id = home.folder().id();
  const std::optional<RunRow> row = RunReader(store.file()).run(id);
  const auto original = row && row->id == id ? home.folder().original(path_from_utf8(row->out))
                                             : std::optional<std::filesystem::path>();
  if (!original) {
    return std::nullopt;
  }
  home.become_another_run();
  return message<
      "{folder} is a copy of the run {run} in {original}: it continues as the run {new}">(
      path_to_utf8(home.folder().path()), id, path_to_utf8(*original), home.folder().id());
}

/// What a start has to tell before anything else.
void begin_log(RunLog& log, const JobSpec& job, const RunStore& store, const RunHome& home,
               const std::optional<Message>& copied) {
  if (job.preset.output.tensorboard) {
    log.write_event_files();
  }
  for (const Message& notice : store.notices()) {
    log.line(LogLevel::info, notice);
  }
  if (!home.folder().notice().empty()) {
    log.line(LogLevel::warning, home.folder().notice());
  }
  if (copied) {
    log.line(LogLevel::warning, *copied);
  }
}

/// `device` is that of this process; the run's is written.
RunResult lead(const JobSpec& wanted, const std::string& device, RunControl& control,
               RunObserver& observer, Ranks& ranks) {
  const bool resuming = wanted.resume.has_value();
  std::optional<RunFolder> folder;
  JobSpec job = wanted;
  if (resuming) {
    folder = RunFolder::open(*wanted.resume);
    job = resumed_job(folder->frozen_job(), wanted);
    require_result_name(job.preset);
  }
  const std::string written = std::exchange(job.device, device);
  PlannedRun opened = open_checked(job, ranks);
  std::optional<RunHome> owned;  // longer than the database is written to
  if (folder) {
    owned.emplace(*folder);
  }
  RunStore store(runs_database(), owner_is_alive);  // or it is refused before there is a folder
  if (!folder) {
    JobSpec frozen = job;
    frozen.device = written;
    std::optional<RunLock> lock;
    folder = RunFolder::create(frozen, lock);
    owned.emplace(*folder, *std::move(lock));
  }
  RunHome& home = *owned;
  const ImageLibrary images;
  std::optional<Message> copied;
  if (resuming) {
    home.repair();
    copied = separate_from_original(home, store);
  }
  const std::optional<RunRow> before = RunReader(store.file()).run(home.folder().id());
  announce(store, home.folder(), job);
  RunChannel channel(home.folder().id(), home.folder().path(), control, observer);
  DiskWait disk(control, channel, job.on_full_disk);
  RunLog log(channel, store, home.folder(), disk);
  try {
    begin_log(log, job, store, home, copied);
    ranks.of_writer(path_to_utf8(home.folder().path()));
    RunResult result = train_on_device(std::move(opened), job, home, control, log, ranks);
    ranks.meet();  // none of them failed
    log.finish("finished", RunState::finished);
    if (std::isnan(result.final_loss)) {  // no step was left: the loss is an earlier process's
      const std::optional<RunRow> row = RunReader(store.file()).run(result.run_id);
      result.final_loss = row ? row->last_loss : result.final_loss;
    }
    channel.ended(result);
    return result;
  } catch (...) {
    try {
      end_failed_run(classify(std::current_exception()), home, before, log);
    } catch (...) {
      channel.failed(std::current_exception());
      throw;
    }
  }
}

/// In the thread of that rank. The others are told of an exception.
RunResult train_as_rank(const JobSpec& job, RunControl& control, RunObserver& observer,
                        ThreadMeeting& meeting, int rank) {
  Ranks ranks(meeting.link(rank));
  const auto leave = [&] {
    if (!ranks.leave()) {
      meeting.close();
    }
  };
  try {
    RunResult result = run_training_on_ranks(job, control, observer, ranks);
    leave();
    return result;
  } catch (...) {
    ranks.fail(std::current_exception());
    leave();
    throw;
  }
}

}  // namespace

RunResult train_in_threads(const JobSpec& job, RunControl& control, RunObserver& observer,
                           int count) {
  std::vector<std::string> names = devices_of(job.device);
  names.resize(static_cast<std::size_t>(count), job.device);
  ThreadMeeting meeting(std::move(names));
  std::vector<std::jthread> others;
  try {
    for (int rank = 1; rank < count; ++rank) {
      others.emplace_back([&, rank] {
        RunControl follows;
        follows.stop_with(control);
        RunObserver nobody;
        try {
          train_as_rank(job, follows, nobody, meeting, rank);
        } catch (...) {
          // The first rank throws it, too.
        }
      });
    }
  } catch (...) {
    meeting.close();  // those that have begun wait for all
    throw;
  }
  return train_as_rank(job, control, observer, meeting, 0);
}

RunResult run_training(const JobSpec& job, RunControl& control, RunObserver& observer) {
  if (const auto cards = static_cast<int>(devices_of(job.device).size());
      cards > 1 && job.split.empty()) {
    return train_in_threads(job, control, observer, cards);
  }
  Ranks alone;
  return lead(job, job.device, control, observer, alone);
}

RunResult run_training_on_ranks(const JobSpec& job, RunControl& control, RunObserver& observer,
                                Ranks& ranks) {
  require_shareable(ranks, job);
  const std::string device = device_of_rank(ranks, job);
  if (ranks.writes()) {
    return lead(job, device, control, observer, ranks);
  }
  RunResult result = follow(job, device, control, ranks);
  ranks.meet();
  return result;
}

}  // namespace mantissa
