#include "gui/samples/SampleModel.h"

#include <QImageReader>
#include <QLocale>
#include <algorithm>

#include "gui/base/Text.h"

namespace mantissa::gui {

SampleModel::SampleModel(QObject* parent) : QAbstractTableModel(parent) {
  pool_.setMaxThreadCount(1);
  connect(
      this, &SampleModel::loaded, this,
      [this](const QString& path, const QImage& thumb) {
        --reading_;
        thumbs_.insert(path, thumb);
        if (rowCount() > 0 && columnCount() > 0) {
          emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1),
                           {Qt::DecorationRole});
        }
      },
      Qt::QueuedConnection);
}

SampleModel::~SampleModel() {
  pool_.clear();
  pool_.waitForDone();
}

void SampleModel::clear() {
  beginResetModel();
  steps_.clear();
  prompts_.clear();
  columns_.clear();
  order_.clear();
  thumbs_.clear();
  endResetModel();
}

void SampleModel::add(const SampleRecord& sample) {
  const auto row = static_cast<std::size_t>(std::max(sample.prompt_index, 0));
  if (row >= prompts_.size()) {
    beginInsertRows({}, static_cast<int>(prompts_.size()), static_cast<int>(row));
    prompts_.resize(row + 1);
    for (auto& column : columns_) {
      column.resize(row + 1);
    }
    endInsertRows();
  }
  prompts_[row] = to_qstring(sample.prompt);
  const auto it = std::lower_bound(steps_.begin(), steps_.end(), sample.step);
  const auto at = static_cast<std::size_t>(it - steps_.begin());
  if (it == steps_.end() || *it != sample.step) {
    beginInsertColumns({}, static_cast<int>(at), static_cast<int>(at));
    steps_.insert(it, sample.step);
    columns_.insert(columns_.begin() + static_cast<std::ptrdiff_t>(at),
                    std::vector<Cell>(prompts_.size()));
    endInsertColumns();
  }
  columns_[at][row] = {sample, true};
  order_.push_back(sample);
  const QModelIndex where = index(static_cast<int>(row), static_cast<int>(at));
  emit dataChanged(where, where);
  emit headerDataChanged(Qt::Vertical, static_cast<int>(row), static_cast<int>(row));

  const QString path = path_text(sample.path);
  thumbs_.remove(path);
  ++reading_;
  pool_.start([this, path] {
    QImageReader reader(path);
    reader.setAutoTransform(true);
    const QImage image = reader.read();
    emit loaded(path, image.isNull() ? QImage()
                                     : image.scaled(2 * kThumb, 2 * kThumb, Qt::KeepAspectRatio,
                                                    Qt::SmoothTransformation));
  });
  emit sample_added(sample);
}

const SampleRecord* SampleModel::newest() const {
  return order_.empty() ? nullptr : &order_.back();
}

const SampleModel::Cell* SampleModel::cell(int row, int column) const {
  if (row < 0 || column < 0 || column >= columnCount() || row >= rowCount()) {
    return nullptr;
  }
  return &columns_[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)];
}

const SampleRecord* SampleModel::at(const QModelIndex& index) const {
  const Cell* found = cell(index.row(), index.column());
  return found != nullptr && found->present ? &found->record : nullptr;
}

int SampleModel::column_of(std::int64_t step) const {
  const auto it = std::lower_bound(steps_.begin(), steps_.end(), step);
  return it != steps_.end() && *it == step ? static_cast<int>(it - steps_.begin()) : -1;
}

const SampleRecord* SampleModel::find(std::int64_t step, int prompt) const {
  return at(index(prompt, column_of(step)));
}

int SampleModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(prompts_.size());
}

int SampleModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(steps_.size());
}

QVariant SampleModel::data(const QModelIndex& index, int role) const {
  const SampleRecord* sample = at(index);
  if (sample == nullptr) {
    return {};
  }
  const auto thumb = thumbs_.constFind(path_text(sample->path));
  switch (role) {
    case Qt::DecorationRole:
      return thumb == thumbs_.constEnd() ? QVariant() : QVariant(*thumb);
    case Qt::DisplayRole:
      return thumb != thumbs_.constEnd() && thumb->isNull() ? tr("Can't be read") : QString();
    case Qt::ToolTipRole:
      return data(index, Qt::AccessibleTextRole).toString().toHtmlEscaped();
    case Qt::AccessibleTextRole:
      return tr("Step %1, prompt %2: %3")
          .arg(sample->step)
          .arg(sample->prompt_index + 1)
          .arg(shown(to_qstring(sample->prompt)));
    default:
      return {};
  }
}

QVariant SampleModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Horizontal) {
    const auto i = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole && i < steps_.size()) {
      return tr("Step %1").arg(QLocale::c().toString(static_cast<qlonglong>(steps_[i])));
    }
    return {};
  }
  const auto i = static_cast<std::size_t>(section);
  if (i >= prompts_.size()) {
    return {};
  }
  if (role == Qt::DisplayRole) {
    return tr("Prompt %1").arg(section + 1);
  }
  return role == Qt::ToolTipRole ? QVariant(shown(prompts_[i]).toHtmlEscaped()) : QVariant();
}

}  // namespace mantissa::gui
