#include "engine/store/job_writer.h"

#include <cmath>

#include "engine/core/printable.h"
#include "engine/store/columns.h"
#include "engine/store/headline.h"
#include "engine/store/message_json.h"

namespace mantissa {

JobWriter::JobWriter(Database& db)
    : find_(db, "SELECT key FROM runs WHERE id = ?1"),
      create_(db,
              "INSERT INTO runs(id, name, state, created, finished, base, out, preset, plan, "
              "seed, host, process, lock) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)"),
      step_(db, (std::string("INSERT OR REPLACE INTO metrics(run, step, clipped, skipped, "
                             "nan_mask, ") +
                 kMetricColumns + ") VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12)")
                    .c_str()),
      part_(db, "INSERT OR REPLACE INTO part_metrics VALUES(?1,?2,?3,?4,?5)"),
      event_(db, "INSERT INTO events(run, time, level, text, message) VALUES(?1,?2,?3,?4,?5)"),
      health_(db, (std::string("INSERT OR REPLACE INTO health(") + kHealthColumns +
                   ", run, step) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,"
                   "?17,?18)")
                      .c_str()),
      validation_(db, "INSERT OR REPLACE INTO validation VALUES(?1,?2,?3,?4,?5)"),
      sample_(db, "INSERT OR REPLACE INTO samples VALUES(?1,?2,?3,?4,?5)"),
      checkpoint_(db, "INSERT OR REPLACE INTO checkpoints VALUES(?1,?2,?3,?4)"),
      state_(db, "UPDATE runs SET state = ?2, finished = ?3 WHERE key = ?1"),
      move_(db, "UPDATE runs SET out = ?2, lock = ?3 WHERE key = ?1"),
      plan_(db, "UPDATE runs SET plan = ?2 WHERE key = ?1"),
      owner_(db, "UPDATE runs SET host = ?2, process = ?3 WHERE key = ?1"),
      drop_checkpoint_(db, "DELETE FROM checkpoints WHERE run = ?1 AND step = ?2"),
      summary_(db,
               "INSERT INTO summaries SELECT key, ?2, ?3, '', '', 0, ?4 FROM runs WHERE id = ?1"),
      family_(db, "UPDATE summaries SET family = ?2 WHERE run = ?1"),
      annotate_(db, "UPDATE summaries SET tags = ?2, note = ?3 WHERE run = ?1"),
      hide_(db, "UPDATE summaries SET hidden = ?2 WHERE run = ?1"),
      rewind_{{db, "DELETE FROM metrics WHERE run = ?1 AND step > ?2"},
              {db, "DELETE FROM part_metrics WHERE run = ?1 AND step > ?2"},
              {db, "DELETE FROM health WHERE run = ?1 AND step > ?2"},
              {db, "DELETE FROM validation WHERE run = ?1 AND step > ?2"},
              {db, "DELETE FROM samples WHERE run = ?1 AND step > ?2"},
              {db, "DELETE FROM checkpoints WHERE run = ?1 AND step > ?2"}},
      erase_{{db, "DELETE FROM metrics WHERE run = ?1"},
             {db, "DELETE FROM part_metrics WHERE run = ?1"},
             {db, "DELETE FROM health WHERE run = ?1"},
             {db, "DELETE FROM validation WHERE run = ?1"},
             {db, "DELETE FROM samples WHERE run = ?1"},
             {db, "DELETE FROM checkpoints WHERE run = ?1"},
             {db, "DELETE FROM events WHERE run = ?1"},
             {db, "DELETE FROM summaries WHERE run = ?1"},
             {db, "DELETE FROM runs WHERE key = ?1"}} {}

void JobWriter::write(const Job& job) {
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

std::int64_t JobWriter::key_of(const std::string& id) {
  const auto known = keys_.find(id);
  if (known != keys_.end()) {
    return known->second;
  }
  find_.bind(1, id);
  const bool found = find_.row();
  const std::int64_t key = found ? find_.number(0) : 0;
  find_.reset();
  if (!found) {
    throw Impossible(message<"the runs database holds no run \"{run}\"; create it first">(id));
  }
  keys_.emplace(id, key);
  return key;
}

void JobWriter::write_run(const RunRow& r) {
  create_.bind(1, r.id).bind(2, r.name).bind(3, r.state);
  create_.bind(4, r.created).bind(5, r.finished).bind(6, r.base).bind(7, r.out);
  create_.bind(8, r.preset_json).bind(9, r.plan_json).bind(10, r.seed);
  create_.bind(11, r.host).bind(12, r.process).bind(13, r.lock);
  if (!create_.run()) {
    throw Impossible(
        message<"the runs database already holds a run \"{run}\"; a run's id must be new">(r.id));
  }
  const PresetHeadline line = preset_headline(r.preset_json);
  summary_.bind(1, r.id).bind(2, line.adapter).bind(3, line.precision);
  summary_.bind(4, line.family).run();
}

void JobWriter::write(std::int64_t run, const StepRow& row) {
  std::int64_t mask = 0;
  const auto values = metric_values(row);
  for (std::size_t i = 0; i < values.size(); ++i) {
    step_.bind(static_cast<int>(6 + i), *values[i]);
    mask |= static_cast<std::int64_t>(std::isnan(*values[i])) << i;
  }
  step_.bind(1, run).bind(2, row.step).bind(3, static_cast<int>(row.clipped));
  step_.bind(4, static_cast<int>(row.skipped)).bind(5, mask).run();
  for (const PartFigures& p : row.parts) {
    part_.bind(1, run).bind(2, row.step).bind(3, std::string(p.part.name()));
    part_.bind(4, p.lr).bind(5, p.norm).run();
  }
}

void JobWriter::write(std::int64_t run, const EventRow& row) {
  event_.bind(1, run).bind(2, row.time).bind(3, row.level).bind(4, printable(row.message.text()));
  event_.bind(5, message_json(row.message)).run();
}

void JobWriter::write(std::int64_t run, const HealthRecord& record) {
  for (const HealthRow& row : record.rows) {
    const TensorStatistics& s = row.statistics;
    health_.bind(1, row.layer).bind(2, std::string(health_kind_name(row.kind)));
    health_.bind(3, std::string(dtype_name(row.format))).bind(4, record.seconds);
    health_.bind(5, s.count).bind(6, s.zeros).bind(7, s.non_finite).bind(8, s.underflow);
    health_.bind(9, s.subnormal).bind(10, s.overflow).bind(11, s.amax).bind(12, s.scaled_amax);
    health_.bind(13, s.signal).bind(14, s.noise).bind(15, row.drift);
    health_.bind_blob(16, pack_histogram(s)).bind(17, run).bind(18, record.step).run();
  }
}

void JobWriter::write(std::int64_t run, const ValidationRow& row) {
  validation_.bind(1, run).bind(2, row.step).bind(3, row.loss);
  validation_.bind(4, row.images).bind(5, row.seconds).run();
}

void JobWriter::write(std::int64_t run, const SampleRow& row) {
  sample_.bind(1, run).bind(2, row.step).bind(3, row.prompt_index);
  sample_.bind(4, row.prompt).bind(5, row.path).run();
}

void JobWriter::write(std::int64_t run, const CheckpointRow& row) {
  checkpoint_.bind(1, run).bind(2, row.step).bind(3, row.path).bind(4, row.bytes).run();
}

void JobWriter::write(std::int64_t run, const StateJob& job) {
  const std::int64_t finished = is_final_state(job.state) ? job.time : 0;
  state_.bind(1, run).bind(2, job.state).bind(3, finished).run();
}

void JobWriter::write(std::int64_t run, const ResumeJob& job) {
  write(run, StateJob{job.state, job.time});
  owner_.bind(1, run).bind(2, job.host).bind(3, job.process).run();
  for (Statement& s : rewind_) {
    s.bind(1, run).bind(2, job.step).run();
  }
}

void JobWriter::write(std::int64_t run, const MoveJob& job) {
  move_.bind(1, run).bind(2, job.out).bind(3, job.lock).run();
}

void JobWriter::write(std::int64_t run, const PlanJob& job) {
  plan_.bind(1, run).bind(2, job.plan_json).run();
  if (!job.family.empty()) {
    family_.bind(1, run).bind(2, job.family).run();
  }
}

void JobWriter::write(std::int64_t run, const RemoveCheckpointJob& job) {
  drop_checkpoint_.bind(1, run).bind(2, job.step).run();
}

void JobWriter::write(std::int64_t run, const AnnotateJob& job) {
  annotate_.bind(1, run).bind(2, job.tags).bind(3, job.note).run();
}

void JobWriter::write(std::int64_t run, const HideJob& job) {
  hide_.bind(1, run).bind(2, job.hidden ? 1 : 0).run();
}

void JobWriter::write(std::int64_t run, const DeleteJob&) {
  for (Statement& s : erase_) {
    s.bind(1, run).run();
  }
}

}  // namespace mantissa
