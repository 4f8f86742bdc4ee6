#include "gui/history/RunModel.h"

#include <QDateTime>
#include <QFileInfo>
#include <QSet>
#include <algorithm>
#include <cmath>

#include "engine/store/store.h"
#include "gui/base/EngineText.h"
#include "gui/base/FamilyIcon.h"
#include "gui/base/Icons.h"
#include "gui/base/Text.h"
#include "gui/plot/Axis.h"

namespace mantissa::gui {
namespace {

QString moment_text(std::int64_t ms) {
  return QDateTime::fromMSecsSinceEpoch(ms).toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

/// Seconds from start to end; negative while unknown. An interrupted run has no real end.
double seconds_of(const RunSummary& run) {
  if (run.state == "interrupted") {
    return -1;
  }
  const std::int64_t end = run.finished > 0 ? run.finished : QDateTime::currentMSecsSinceEpoch();
  return static_cast<double>(end - run.created) / 1000.0;
}

/// The base model's family and path.
QString base_text(const RunSummary& run) {
  return QStringLiteral("%1\n%2").arg(family_title(run.family), to_qstring(run.base));
}

/// Equal, with NaN equal to NaN.
bool same(const RunSummary& a, const RunSummary& b) {
  const bool loss =
      a.last_loss == b.last_loss || (std::isnan(a.last_loss) && std::isnan(b.last_loss));
  return loss && a.id == b.id && a.name == b.name && a.state == b.state &&
         a.finished == b.finished && a.tags == b.tags && a.note == b.note && a.steps == b.steps &&
         a.adapter == b.adapter && a.family == b.family && a.precision == b.precision &&
         is_final_state(a.state);
}

/// Whether `text` contains `word`. Numbers don't match within names: 32 is a rank, not FP32.
bool holds(const QString& text, const QString& word) {
  const bool number = word[0].isDigit();
  for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
       at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
    if (!number || at == 0 || !text[at - 1].isLetterOrNumber()) {
      return true;
    }
  }
  return false;
}

}  // namespace

QString run_state_text(const std::string& state) {
  static constexpr std::pair<const char*, const char*> kNames[] = {
      {"preparing", QT_TRANSLATE_NOOP("mantissa::gui::RunModel", "Preparing")},
      {"training", QT_TRANSLATE_NOOP("mantissa::gui::RunModel", "Training")},
      {"pausing", QT_TRANSLATE_NOOP("mantissa::gui::RunModel", "Pausing")},
      {"paused", QT_TRANSLATE_NOOP("mantissa::gui::RunModel", "Paused")},
      {"stopping", QT_TRANSLATE_NOOP("mantissa::gui::RunModel", "Stopping")},
      {"finished", QT_TRANSLATE_NOOP("mantissa::gui::RunModel", "Finished")},
      {"stopped", QT_TRANSLATE_NOOP("mantissa::gui::RunModel", "Stopped")},
      {"failed", QT_TRANSLATE_NOOP("mantissa::gui::RunModel", "Failed")},
      {"interrupted", QT_TRANSLATE_NOOP("mantissa::gui::RunModel", "Interrupted")}};
  for (const auto& [key, name] : kNames) {
    if (state == key) {
      return RunModel::tr(name);
    }
  }
  return to_qstring(state);
}

QStringList run_tags(const QString& tags) {
  QStringList out;
  for (const QString& part : tags.split(QLatin1Char(','))) {
    const QString tag = part.simplified();
    if (!tag.isEmpty() && !out.contains(tag)) {
      out << tag;
    }
  }
  return out;
}

RunModel::RunModel(const Theme* theme, TextOf label, TextOf failure, QObject* parent)
    : QAbstractTableModel(parent),
      theme_(theme),
      label_(std::move(label)),
      failure_(std::move(failure)) {
  connect(theme_, &Theme::changed, this, [this] {
    if (!runs_.empty()) {
      emit dataChanged(index(0, state), index(rowCount() - 1, state), {Qt::DecorationRole});
    }
  });
}

void RunModel::set_runs(const std::vector<RunSummary>& runs) {
  QSet<QString> now;
  for (const RunSummary& run : runs) {
    now.insert(to_qstring(run.id));
  }
  const auto is_gone = [&](const RunSummary& run) { return !now.contains(to_qstring(run.id)); };
  const auto gone = std::count_if(runs_.begin(), runs_.end(), is_gone);
  const auto fresh = static_cast<std::ptrdiff_t>(runs.size() + static_cast<std::size_t>(gone)) -
                     static_cast<std::ptrdiff_t>(runs_.size());
  if (runs_.empty() || gone > 50 || fresh > 50) {
    beginResetModel();
    runs_ = runs;
    endResetModel();
    return;
  }
  for (int i = rowCount() - 1; i >= 0; --i) {
    if (is_gone(runs_[static_cast<std::size_t>(i)])) {
      beginRemoveRows({}, i, i);
      runs_.erase(runs_.begin() + i);
      endRemoveRows();
    }
  }
  // Both lists are in the order of creation, so new runs are where the ids differ.
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const int row = static_cast<int>(i);
    if (i >= runs_.size() || runs_[i].id != runs[i].id) {
      beginInsertRows({}, row, row);
      runs_.insert(runs_.begin() + row, runs[i]);
      endInsertRows();
    } else if (!same(runs_[i], runs[i])) {
      runs_[i] = runs[i];
      emit dataChanged(index(row, 0), index(row, column_count - 1));
    }
  }
  if (!runs_.empty()) {
    emit dataChanged(index(0, name), index(rowCount() - 1, name));  // others may now share a name
  }
}

const RunSummary* RunModel::at(int row) const {
  return row >= 0 && row < rowCount() ? &runs_[static_cast<std::size_t>(row)] : nullptr;
}

QStringList RunModel::all_tags() const {
  QSet<QString> tags;
  for (const RunSummary& run : runs_) {
    if (!run.tags.empty()) {
      for (const QString& tag : run_tags(to_qstring(run.tags))) {
        tags.insert(tag);
      }
    }
  }
  QStringList out(tags.begin(), tags.end());
  out.sort(Qt::CaseInsensitive);
  return out;
}

int RunModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}

int RunModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : column_count;
}

QVariant RunModel::text(const RunSummary& run, int column) const {
  switch (column) {
    case name:
      return label_(run);
    case state:
      return run_state_text(run.state);
    case started:
      return moment_text(run.created);
    case base: {
      const QString file = QFileInfo(to_qstring(run.base)).fileName();
      return file.isEmpty() ? to_qstring(run.base) : file;
    }
    case adapter:
      return to_qstring(run.adapter);
    case precision:
      return precision_text(run.precision);
    case steps:
      return step_text(run.steps);
    case loss:
      return std::isnan(run.last_loss) ? QString() : format_number(run.last_loss);
    case time:
      return seconds_of(run) < 0 ? QString() : format_duration(seconds_of(run));
    case tags:
      return to_qstring(run.tags);
    case note:
      return to_qstring(run.note);
    default:
      return {};
  }
}

QVariant RunModel::sort_value(const RunSummary& run, int column) const {
  switch (column) {
    case started:
      return static_cast<qlonglong>(run.created);
    case steps:
      return static_cast<qlonglong>(run.steps);
    case loss:
      return run.last_loss;
    case time:
      return seconds_of(run);
    default:
      return text(run, column);
  }
}

QString RunModel::whole_text(const RunSummary& run) const {
  QStringList lines{shown(to_qstring(run.id))};
  for (const int column : {started, base, adapter, precision, time}) {
    const QString value = column == base ? base_text(run) : text(run, column).toString();
    if (!value.isEmpty()) {
      lines << tr("%1: %2").arg(headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
                                shown(value));
    }
  }
  return lines.join(QLatin1Char('\n'));
}

bool RunModel::is_about_failure(const RunSummary& run, int column) const {
  return (column == state || (column == note && run.note.empty())) && !failure_(run).isEmpty();
}

QVariant RunModel::data(const QModelIndex& index, int role) const {
  const RunSummary* run = at(index.row());
  if (run == nullptr) {
    return {};
  }
  switch (role) {
    case Qt::DisplayRole: {
      const QString own = text(*run, index.column()).toString();
      return shown(own.isEmpty() && index.column() == note ? failure_(*run) : own);
    }
    case Qt::ForegroundRole:
      return index.column() == note && run->note.empty() ? QVariant(theme_->colors().muted)
                                                         : QVariant();
    case Qt::EditRole:
      return text(*run, index.column());
    case Qt::DecorationRole:
      if (index.column() == state) {
        const ThemeColors& c = theme_->colors();
        const bool bad = run->state == "failed" || run->state == "interrupted";
        const bool live = !is_final_state(run->state);
        return make_icon(run->state == "paused"     ? Icon::pause
                         : live                     ? Icon::play
                         : run->state == "failed"   ? Icon::error
                         : bad                      ? Icon::warning
                         : run->state == "finished" ? Icon::check
                                                    : Icon::stop,
                         run->state == "paused"     ? c.warning
                         : live                     ? c.accent
                         : run->state == "failed"   ? c.error
                         : bad                      ? c.warning
                         : run->state == "finished" ? c.ok
                                                    : c.muted);
      }
      return index.column() == base ? QVariant(family_icon(run->family)) : QVariant();
    case Qt::AccessibleTextRole:
      return index.column() == base ? shown(base_text(*run)) : data(index, Qt::DisplayRole);
    case Qt::TextAlignmentRole:
      return index.column() == steps || index.column() == loss || index.column() == time
                 ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                 : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole: {
      if (index.column() == name) {
        return whole_text(*run).toHtmlEscaped();
      }
      const QString whole = index.column() == base ? base_text(*run)
                            : is_about_failure(*run, index.column())
                                ? failure_(*run)
                                : text(*run, index.column()).toString();
      return shown(whole).toHtmlEscaped();
    }
    case kSortRole:
      return sort_value(*run, index.column());
    case kIdRole:
      return to_qstring(run->id);
    default:
      return {};
  }
}

bool RunModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const RunSummary* run = at(index.row());
  if (run == nullptr || role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) {
    return false;
  }
  RunSummary& changed = runs_[static_cast<std::size_t>(index.row())];
  const std::string before = index.column() == tags ? changed.tags : changed.note;
  const std::string after =
      (index.column() == tags ? run_tags(value.toString()).join(QStringLiteral(", "))
                              : value.toString().simplified())
          .toStdString();
  if (before == after) {
    return false;
  }
  (index.column() == tags ? changed.tags : changed.note) = after;
  emit dataChanged(index, index);
  emit annotated(to_qstring(changed.id), to_qstring(changed.tags), to_qstring(changed.note));
  return true;
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) {
    return {};
  }
  if (role == Qt::TextAlignmentRole) {
    return section == steps || section == loss || section == time
               ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
               : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole && section == time) {
    return tr("From the start of the run to its end: with preparation, saving, samples and pauses");
  }
  if (role != Qt::DisplayRole) {
    return {};
  }
  const QString names[] = {tr("Name"),    tr("State"),     tr("Started"), tr("Base"),
                           tr("Adapter"), tr("Precision"), tr("Steps"),   tr("Last loss"),
                           tr("Time"),    tr("Tags"),      tr("Note")};
  static_assert(std::size(names) == column_count);
  return section >= 0 && section < column_count ? QVariant(names[section]) : QVariant();
}

Qt::ItemFlags RunModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags base = QAbstractTableModel::flags(index);
  return index.column() == tags || index.column() == note ? base | Qt::ItemIsEditable : base;
}

RunFilterModel::RunFilterModel(RunModel* model, QObject* parent)
    : QSortFilterProxyModel(parent), model_(model) {
  setSourceModel(model);
  setSortRole(RunModel::kSortRole);
  setDynamicSortFilter(true);
}

void RunFilterModel::set_text(const QString& text) {
  words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

void RunFilterModel::set_tag(const QString& tag) {
  tag_ = tag;
  invalidateFilter();
}

void RunFilterModel::set_state(const QString& state) {
  state_ = state;
  invalidateFilter();
}

const RunSummary* RunFilterModel::at(const QModelIndex& index) const {
  return model_->at(mapToSource(index).row());
}

bool RunFilterModel::filterAcceptsRow(int row, const QModelIndex&) const {
  const RunSummary* run = model_->at(row);
  if (is_empty(*run) && state_ != QLatin1String("stopped")) {
    return false;
  }
  if (!state_.isEmpty()) {
    const QString state = to_qstring(run->state);
    if (state_ == QLatin1String("running") ? is_final_state(run->state) : state != state_) {
      return false;
    }
  }
  if (!tag_.isEmpty() && !run_tags(to_qstring(run->tags)).contains(tag_)) {
    return false;
  }
  return std::all_of(words_.begin(), words_.end(), [&](const QString& word) {
    for (const std::string* text : {&run->name, &run->id, &run->base, &run->adapter,
                                    &run->precision, &run->tags, &run->note}) {
      if (holds(to_qstring(*text), word)) {
        return true;
      }
    }
    return holds(run_state_text(run->state), word) ||
           (!run->family.empty() && holds(family_title(run->family), word));
  });
}

bool RunFilterModel::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  const QVariant x = a.data(RunModel::kSortRole), y = b.data(RunModel::kSortRole);
  if (x.typeId() == QMetaType::Double) {
    const double p = x.toDouble(), q = y.toDouble();
    if (std::isnan(p) == std::isnan(q)) {
      return p < q;
    }
    // Runs without a number come last in either order.
    return std::isnan(q) == (sortOrder() == Qt::AscendingOrder);
  }
  return x.typeId() == QMetaType::LongLong
             ? x.toLongLong() < y.toLongLong()
             : QString::localeAwareCompare(x.toString(), y.toString()) < 0;
}

}  // namespace mantissa::gui
