#include "gui/dataset/ProposalModel.h"

#include <QIcon>
#include <QImage>
#include <QPixmap>
#include <algorithm>

#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/dataset/DatasetModel.h"

namespace mantissa::gui {

ProposalModel::ProposalModel(DatasetModel* images, QObject* parent)
    : QAbstractTableModel(parent), images_(images) {
  connect(images_, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex& first) {
    const auto row = std::ranges::find(rows_, first.row(), &Row::item);
    if (row != rows_.end()) {
      const QModelIndex cell = index(static_cast<int>(row - rows_.begin()), image);
      emit dataChanged(cell, cell, {Qt::DecorationRole});
    }
  });
}

void ProposalModel::expect(QVector<int> items) {
  beginResetModel();
  expected_ = std::move(items);
  rows_.clear();
  endResetModel();
}

bool ProposalModel::is_new(const Row& row) const {
  return row.problem.isEmpty() && !row.caption.isEmpty() &&
         row.caption != images_->caption(row.item);
}

void ProposalModel::add(const std::vector<CaptionedImage>& done) {
  if (done.empty()) {
    return;
  }
  const int first = rowCount(), last = first + static_cast<int>(done.size()) - 1;
  beginInsertRows({}, first, last);
  for (const CaptionedImage& image : done) {
    Row row{expected_[rows_.size()], to_qstring(image.caption), {}, false};
    if (!image.problem.empty()) {
      row.problem = error_text(image.problem);
    }
    row.ticked = is_new(row);
    rows_ << row;
  }
  endInsertRows();
}

int ProposalModel::ticked() const {
  return static_cast<int>(std::ranges::count(rows_, true, &Row::ticked));
}

int ProposalModel::unreadable() const {
  return static_cast<int>(
      std::ranges::count_if(rows_, [](const Row& row) { return !row.problem.isEmpty(); }));
}

std::vector<std::pair<int, QString>> ProposalModel::chosen() const {
  std::vector<std::pair<int, QString>> captions;
  for (const Row& row : rows_) {
    if (row.ticked) {
      captions.emplace_back(row.item, row.caption);
    }
  }
  return captions;
}

int ProposalModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ProposalModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns;
}

QVariant ProposalModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
    return {};
  }
  return section == image ? tr("Image") : section == now ? tr("Caption now") : tr("New caption");
}

Qt::ItemFlags ProposalModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
  if (!rows_[index.row()].problem.isEmpty()) {
    return usual;
  }
  return index.column() == image      ? usual | Qt::ItemIsUserCheckable
         : index.column() == proposed ? usual | Qt::ItemIsEditable
                                      : usual;
}

QVariant ProposalModel::text(const Row& row, int column) const {
  return column == image         ? shown(images_->name(row.item))
         : column == now         ? shown(images_->caption(row.item))
         : row.problem.isEmpty() ? row.caption
                                 : row.problem;
}

QVariant ProposalModel::data(const QModelIndex& index, int role) const {
  const Row& row = rows_[index.row()];
  switch (role) {
    case Qt::DisplayRole:
      return shown(text(row, index.column()).toString());
    case Qt::EditRole:
      return text(row, index.column());
    case Qt::ToolTipRole:
      return shown(text(row, index.column()).toString()).toHtmlEscaped();
    case Qt::CheckStateRole:
      return index.column() == image && row.problem.isEmpty()
                 ? QVariant(row.ticked ? Qt::Checked : Qt::Unchecked)
                 : QVariant();
    case Qt::DecorationRole:
      if (index.column() == image) {
        const auto thumb = images_->index(row.item).data(Qt::DecorationRole).value<QImage>();
        return thumb.isNull() ? QVariant() : QIcon(QPixmap::fromImage(thumb));
      }
      return {};
    default:
      return {};
  }
}

bool ProposalModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  Row& row = rows_[index.row()];
  if (role == Qt::CheckStateRole && index.column() == image) {
    row.ticked = value.toInt() == Qt::Checked;
  } else if (role == Qt::EditRole && index.column() == proposed) {
    const QString caption = value.toString().simplified();
    if (caption != row.caption) {
      row.caption = caption;
      row.ticked = is_new(row);
    }
  } else {
    return false;
  }
  emit dataChanged(this->index(index.row(), image), this->index(index.row(), proposed));
  return true;
}

}  // namespace mantissa::gui
