#include "engine/store/job_writer.h"

#include "engine/core/printable.h"
#include "engine/store/headline.h"
#include "engine/store/message_json.h"

namespace mantissa {

JobWriter::JobWriter(Database& db)
    : step_(db, "metrics"),
      part_(db, "part_metrics"),
      health_(db, "health"),
      validation_(db, "validation"),
      validation_image_(db, "validation_images"),
      image_loss_(db, "image_losses"),
      rates_(db, "rates"),
      process_rate_(db, "process_rates"),
      pause_(db, "pauses"),
      sample_(db, "samples"),
      checkpoint_(db, "checkpoints"),
      find_(db, "SELECT key FROM runs WHERE id = ?1"),
      create_(db,
              "INSERT INTO runs(id, name, state, created, finished, base, out, preset, plan, "
              "seed, host, process, lock) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)"),
      event_(db, "INSERT INTO events(run, time, level, text, message) VALUES(?1,?2,?3,?4,?5)"),
      state_(db, "UPDATE runs SET state = ?2, finished = ?3 WHERE key = ?1"),
      move_(db, "UPDATE runs SET out = ?2, lock = ?3 WHERE key = ?1"),
      plan_(db, "UPDATE runs SET plan = ?2 WHERE key = ?1"),
      settings_(db, "UPDATE runs SET name = ?2, preset = ?3 WHERE key = ?1"),
      owner_(db, "UPDATE runs SET host = ?2, process = ?3 WHERE key = ?1"),
      drop_checkpoint_(db, "DELETE FROM checkpoints WHERE run = ?1 AND step = ?2"),
      summary_(db,
               "INSERT INTO summaries SELECT key, ?2, ?3, '', '', 0, ?4 FROM runs WHERE id = ?1"),
      family_(db, "UPDATE summaries SET family = ?2 WHERE run = ?1"),
      annotate_(db, "UPDATE summaries SET tags = ?2, note = ?3 WHERE run = ?1"),
      hide_(db, "UPDATE summaries SET hidden = ?2 WHERE run = ?1") {
  for (const StepTable& table : step_tables()) {
    const std::string rows = std::string("DELETE FROM ") + table.name + " WHERE run = ?1";
    rewind_.emplace_back(db, (rows + " AND step > ?2").c_str());
    erase_.emplace_back(db, rows.c_str());
  }
  erase_.emplace_back(db, "DELETE FROM events WHERE run = ?1");
  erase_.emplace_back(db, "DELETE FROM summaries WHERE run = ?1");
  erase_.emplace_back(db, "DELETE FROM runs WHERE key = ?1");
}

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
  step_.run(run, row);
  for (const PartFigures& part : row.parts) {
    part_.run(run, {row.step}, part);
  }
}

void JobWriter::write(std::int64_t run, const EventRow& row) {
  event_.bind(1, run)
      .bind(2, row.time)
      .bind(3, static_cast<int>(row.level))
      .bind(4, printable(row.message.text()));
  event_.bind(5, message_json(row.message)).run();
}

void JobWriter::write(std::int64_t run, const HealthRecord& record) {
  for (const HealthRow& row : record.rows) {
    health_.run(run, record, row);
  }
}

void JobWriter::write(std::int64_t run, const ValidationRow& row) {
  validation_.run(run, row);
  for (const ImageLoss& image : row.each) {
    validation_image_.run(run, {row.step}, image);
  }
}

void JobWriter::write(std::int64_t run, const ImageLossRecord& record) {
  for (const TrainedImageLoss& image : record.each) {
    image_loss_.run(run, record, image);
  }
}

void JobWriter::write(std::int64_t run, const RunRates& rates) {
  rates_.run(run, rates);
  for (const ProcessRate& process : rates.processes) {
    process_rate_.run(run, {rates.step}, process);
  }
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

void JobWriter::write(std::int64_t run, const SettingsJob& job) {
  settings_.bind(1, run).bind(2, job.name).bind(3, job.preset_json).run();
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
