#include "gui/precision/HealthTable.h"

#include "gui/base/Text.h"

namespace mantissa::gui {

void HealthTable::set_rows(std::vector<HealthRow> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

int HealthTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int HealthTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : 8;
}

QVariant HealthTable::data(const QModelIndex& index, int role) const {
  const HealthRow& r = row(index.row());
  if (role == Qt::TextAlignmentRole) {
    return QVariant(index.column() < 3 ? Qt::AlignLeft | Qt::AlignVCenter
                                       : Qt::AlignRight | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole && index.column() == 0) {
    return to_qstring(r.layer).toHtmlEscaped();
  }
  if (role != Qt::DisplayRole) {
    return {};
  }
  switch (index.column()) {
    case 0:
      return to_qstring(r.layer);
    case 1:
      return capitalised(health_kind_text(r.kind));
    case 2:
      return to_qstring(dtype_name(r.format));
    case 7:
      return step_text(r.statistics.non_finite);
    default: {
      const HealthMeasure measure = kHealthMeasures[index.column() - 3];
      return measure_text(measure, measure_value(measure, r));
    }
  }
}

QVariant HealthTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
    return {};
  }
  switch (section) {
    case 0:
      return tr("Layer");
    case 1:
      return tr("Tensor");
    case 2:
      return tr("Format");
    case 7:
      return tr("NaN/Inf");
    default:
      return measure_name(kHealthMeasures[section - 3]);
  }
}

}  // namespace mantissa::gui
