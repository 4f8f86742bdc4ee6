#include "gui/run/RunQueue.h"

#include <QMimeData>
#include <algorithm>

#include "engine/plan/backend.h"
#include "engine/preset/family_badge.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_files.h"
#include "engine/run/run_name.h"
#include "engine/store/headline.h"
#include "gui/base/EngineText.h"
#include "gui/base/FamilyIcon.h"
#include "gui/base/Text.h"
#include "gui/engine/AppSettings.h"
#include "gui/preset/SchemaText.h"
#include "gui/run/SideRuns.h"

namespace mantissa::gui {
namespace {

using State = QueuedRun::State;
constexpr const char* kDragged = "application/x-mantissa-queued-run";
QString state_text(State state) {
  switch (state) {
    case State::waiting:
      return RunQueue::tr("Waiting");
    case State::running:
      return RunQueue::tr("Running");
    case State::finished:
      return RunQueue::tr("Finished");
    case State::stopped:
      return RunQueue::tr("Stopped");
    case State::failed:
      return RunQueue::tr("Failed");
    case State::interrupted:
      return RunQueue::tr("Interrupted");
  }
  return {};
}

JobSpec on_card(JobSpec job, const std::string& card) {
  job.device = card;
  job.split.clear();
  return job;
}

/// Its settings that differ from the defaults, a line each.
QString changes_text(const Preset& preset) {
  QStringList lines;
  for (const PresetChange& change : diff_presets(Preset{}, preset)) {
    const QString key = to_qstring(change.key);
    lines << QStringLiteral("%1: %2").arg(setting_label(key), value_text(key, change.b, 60));
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

RunQueue::RunQueue(EngineClient* engine, AppSettings* settings, const Runner& beside,
                   QObject* parent)
    : QAbstractTableModel(parent),
      engine_(engine),
      settings_(settings),
      side_(new SideRuns(beside, this)),
      can_run_beside_(beside != nullptr) {
  try {
    runs_ = read_queue(settings_->queue());
  } catch (const std::exception& e) {
    const QString why = error_text(message_of(e));
    QMetaObject::invokeMethod(
        this, [this, why] { emit lost(why); }, Qt::QueuedConnection);
  }
  for (QueuedRun& run : runs_) {
    if (run.state == State::running && !run.apart) {
      run.state = State::interrupted;
      run.message = tr("The studio closed during this run; resume it from History.");
    }
    on_ = on_ || (run.state == State::running && run.leads);
  }
  connect(engine_, &EngineClient::ended, this, &RunQueue::on_ended);
  connect(side_, &SideRuns::ended, this, &RunQueue::on_side_ended);
  connect(side_, &SideRuns::advanced, this, [this](int run) {
    const auto found = std::ranges::find(runs_, run, &QueuedRun::side);
    if (found != runs_.end()) {
      const int row = static_cast<int>(found - runs_.begin());
      emit dataChanged(index(row, state), index(row, state));
    }
  });
}

void RunQueue::store() {
  for (QueuedRun& run : runs_) {
    run.leads = on_ && run.apart && run.state == State::running;
  }
  settings_->set_queue(queue_text(runs_));
  emit changed();
}

void RunQueue::row_changed(std::size_t row) {
  emit dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), columns - 1));
  store();
}

void RunQueue::add(const JobSpec& job) {
  const int row = rowCount();
  beginInsertRows({}, row, row);
  runs_.push_back({job, State::waiting, {}});
  endInsertRows();
  store();
  start_next();
}

bool RunQueue::remove(int row) {
  if (row < 0 || row >= rowCount() ||
      runs_[static_cast<std::size_t>(row)].state == State::running) {
    return false;
  }
  beginRemoveRows({}, row, row);
  runs_.erase(runs_.begin() + row);
  endRemoveRows();
  store();
  return true;
}

bool RunQueue::move(int row, int direction) {
  return move_to(row, direction < 0 ? row - 1 : row + 2);
}

bool RunQueue::move_to(int row, int place) {
  const auto waits = [&](int i) {
    return i >= 0 && i < rowCount() && runs_[static_cast<std::size_t>(i)].state == State::waiting;
  };
  const int passed = row < place ? place - 1 : place;  // the last run on the way
  if (!waits(row) || !waits(passed) || passed == row || !beginMoveRows({}, row, row, {}, place)) {
    return false;
  }
  const auto from = runs_.begin() + row, to = runs_.begin() + place;
  if (row < place) {
    std::rotate(from, from + 1, to);
  } else {
    std::rotate(to, from, from + 1);
  }
  endMoveRows();
  store();
  return true;
}

void RunQueue::remove_ended() {
  beginResetModel();
  std::erase_if(runs_, [](const QueuedRun& run) {
    return run.state != State::waiting && run.state != State::running;
  });
  endResetModel();
  store();
}

int RunQueue::waiting() const {
  int count = 0;
  for (const QueuedRun& run : runs_) {
    count += run.state == State::waiting ? 1 : 0;
  }
  return count;
}

void RunQueue::set_on(bool on) {
  if (on_ != on) {
    on_ = on;
    store();
    start_next();
  }
}

std::vector<std::string> RunQueue::cards() const {
  if (!can_run_beside_ || settings_->card_use() != CardUse::each) {
    return {};
  }
  const std::vector<std::string> cards = devices_of(settings_->device().toStdString());
  return cards.size() > 1 ? cards : std::vector<std::string>();
}

std::string RunQueue::free_card() const {
  const std::vector<std::string> shown =
      engine_->is_running() ? devices_of(engine_->job()) : std::vector<std::string>();
  for (const std::string& card : cards()) {
    if (std::ranges::find(shown, card) == shown.end() && !side_->uses(card)) {
      return card;
    }
  }
  return {};
}

bool RunQueue::is_running_here() const {
  return std::ranges::any_of(
      runs_, [](const QueuedRun& run) { return run.state == State::running && run.side == 0; });
}

void RunQueue::hand_over() {
  handing_over_ = is_running_here();
  if (!handing_over_) {
    set_on(false);
  }
}

void RunQueue::start_next() {
  // A run that outlived the window may not have been found again yet.
  if (handing_over_ || (is_running_here() && !engine_->is_running())) {
    return;
  }
  const auto next = [this] { return std::ranges::find(runs_, State::waiting, &QueuedRun::state); };
  const auto begin = [this](QueuedRun& run, const std::string& card) {
    run.state = State::running;
    run.job = card.empty() ? run.job : on_card(run.job, card);
    row_changed(static_cast<std::size_t>(&run - runs_.data()));
  };
  const bool has_card = cards().empty() || !free_card().empty();
  if (on_ && has_card && !engine_->is_running() && next() != runs_.end()) {
    QueuedRun& run = *next();
    begin(run, free_card());
    const JobSpec job = run.job;
    emit start_requested(job);
    run.apart = engine_->is_apart();
    store();
  }
  for (std::string card = free_card(); on_ && !card.empty() && next() != runs_.end();
       card = free_card()) {
    QueuedRun& run = *next();
    run.side = side_->start(run.job.resume ? with_its_own_files(on_card(run.job, card))
                                           : on_card(run.job, card));
    begin(run, card);
  }
  if (on_ && next() == runs_.end() && !engine_->is_running() && side_->count() == 0) {
    on_ = false;
    emit changed();
  }
}

void RunQueue::on_ended(const RunEnd& end) {
  for (std::size_t row = 0; row < runs_.size(); ++row) {
    if (runs_[row].state == State::running && runs_[row].side == 0) {
      finish(row, end);
    }
  }
  // After all other listeners were notified of the end.
  QMetaObject::invokeMethod(this, &RunQueue::start_next, Qt::QueuedConnection);
}

void RunQueue::on_side_ended(int run, const RunEnd& end) {
  const auto found = std::ranges::find(runs_, run, &QueuedRun::side);
  JobSpec job;
  if (found != runs_.end()) {
    found->side = 0;
    job = found->job;
    finish(static_cast<std::size_t>(found - runs_.begin()), end);
  }
  emit ended_beside(end, job);
  start_next();
}

void RunQueue::settle_apart() {
  for (std::size_t row = 0; row < runs_.size(); ++row) {
    if (runs_[row].state == State::running && std::exchange(runs_[row].apart, false)) {
      runs_[row].state = State::interrupted;
      runs_[row].message = tr("It ended while the window was closed; see History.");
      row_changed(row);
    }
  }
  start_next();
}

void RunQueue::finish(std::size_t row, const RunEnd& end) {
  QueuedRun& run = runs_[row];
  if (handing_over_ && run.side == 0) {
    if (end.how == RunEnd::How::stopped && !run.apart) {
      run.apart = true;
      row_changed(row);
      return;  // to continue
    }
    handing_over_ = on_ = false;  // its process did not begin, or nothing was left to do
  }
  run.message = plain_text(end.failure.message);
  run.apart = false;
  switch (end.how) {
    case RunEnd::How::completed:
      run.state = State::finished;
      run.message = path_text(end.result.adapter);
      break;
    case RunEnd::How::failed:
      run.state = State::failed;
      break;
    case RunEnd::How::stopped:
      run.state = State::stopped;
      on_ = false;  // a user who stops a run wants to inspect it
      break;
  }
  row_changed(row);
}

int RunQueue::running_beside() const {
  return side_->count();
}

void RunQueue::stop(int row) {
  if (row < 0 || row >= rowCount() ||
      runs_[static_cast<std::size_t>(row)].state != State::running) {
    return;
  }
  if (const int side = runs_[static_cast<std::size_t>(row)].side; side != 0) {
    side_->stop(side);
  } else {
    engine_->request_stop(RunControl::Stop::save);
  }
}

void RunQueue::stop_beside() {
  side_->stop_all();
}

Qt::ItemFlags RunQueue::flags(const QModelIndex& index) const {
  const Qt::ItemFlags plain = QAbstractTableModel::flags(index);
  if (!index.isValid()) {
    return plain | Qt::ItemIsDropEnabled;  // between rows, not on them
  }
  const bool waits = runs_[static_cast<std::size_t>(index.row())].state == State::waiting;
  return waits ? plain | Qt::ItemIsDragEnabled : plain;
}

QStringList RunQueue::mimeTypes() const {
  return {QString::fromLatin1(kDragged)};
}

QMimeData* RunQueue::mimeData(const QModelIndexList& indexes) const {
  auto* data = new QMimeData;
  data->setData(QString::fromLatin1(kDragged),
                QByteArray::number(indexes.isEmpty() ? -1 : indexes.front().row()));
  return data;
}

bool RunQueue::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int,
                            const QModelIndex& parent) {
  if (action == Qt::MoveAction && !parent.isValid()) {
    move_to(data->data(QString::fromLatin1(kDragged)).toInt(), row < 0 ? rowCount() : row);
  }
  return false;  // moved here: the view has no rows to take away
}

int RunQueue::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}

int RunQueue::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns;
}

QVariant RunQueue::data(const QModelIndex& index, int role) const {
  const QueuedRun& run = runs_[static_cast<std::size_t>(index.row())];
  if (role == Qt::ToolTipRole) {
    return shown(index.column() == state ? run.message : changes_text(run.job.preset))
        .toHtmlEscaped();
  }
  if (index.column() == base && role == Qt::DecorationRole) {
    return family_icon(family_key(run.job.preset));
  }
  if (index.column() == base && role == Qt::AccessibleTextRole) {
    return QStringLiteral("%1\n%2").arg(family_title(family_key(run.job.preset)),
                                        shown(path_text(run.job.base)));
  }
  if (role != Qt::DisplayRole) {
    return {};
  }
  switch (index.column()) {
    case name:
      return shown(to_qstring(run_name(run.job.preset)));  // of a sweep, with its values
    case base:
      return shown(path_text(run.job.base.filename()));
    case adapter: {
      const PresetHeadline line = preset_headline(run.job.preset);
      return QStringLiteral("%1 · %2").arg(to_qstring(line.adapter),
                                           precision_text(line.precision));
    }
    case images: {
      QStringList folders;
      for (const auto& folder : run.job.images) {
        folders << path_text(folder.filename());
      }
      return shown(run.job.resume ? tr("Continues %1").arg(path_text(run.job.resume->filename()))
                                  : folders.join(QStringLiteral(", ")));
    }
    case steps:
      return run.job.preset.training.epochs > 0
                 ? tr("%n epoch(s)", nullptr, static_cast<int>(run.job.preset.training.epochs))
                 : step_text(run.job.preset.training.steps);
    case state:
      if (run.state == State::running && run.side != 0) {
        return side_->progress(run.side);
      }
      return run.message.isEmpty()
                 ? state_text(run.state)
                 : QStringLiteral("%1 · %2").arg(state_text(run.state), shown(run.message));
    default:
      return {};
  }
}

QVariant RunQueue::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) {
    return {};
  }
  if (orientation == Qt::Vertical) {
    return section + 1;
  }
  switch (section) {
    case name:
      return tr("Preset");
    case base:
      return tr("Base model");
    case adapter:
      return tr("Adapter");
    case images:
      return tr("Images");
    case steps:
      return tr("Steps");
    case state:
      return tr("State");
    default:
      return {};
  }
}

}  // namespace mantissa::gui
