#include "gui/precision/FrontTable.h"

#include "engine/preset/names.h"
#include "gui/base/Text.h"
#include "gui/preset/SchemaText.h"

namespace mantissa::gui {

void FrontTable::set_front(const PrecisionFront& front) {
  beginResetModel();
  points_ = front.points;
  points_.insert(points_.begin(), front.now);
  endResetModel();
}

int FrontTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(points_.size());
}

int FrontTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns;
}

QString FrontTable::text(const PrecisionPoint& p, int column) const {
  switch (column) {
    case memory:
      return format_bytes(p.peak_bytes);
    case step:
      return p.step_seconds > 0 ? format_step_time(p.step_seconds) : QStringLiteral("–");
    case error:
      return rounded_percent(p.gradient_error, 3);
    case compute:
      return choice_text(QStringLiteral("precision.compute"), to_qstring(enum_name(p.compute)));
    default: {
      QStringList parts;
      for (const auto& [type, count] : p.layers) {
        parts << tr("%1 in %2").arg(count).arg(choice_text(QString(), to_qstring(type)));
      }
      return parts.join(QStringLiteral(", "));
    }
  }
}

QVariant FrontTable::data(const QModelIndex& index, int role) const {
  switch (role) {
    case Qt::DisplayRole:
      return text(point(index.row()), index.column());
    case Qt::ToolTipRole:
      return index.column() == layers ? QVariant(text(point(index.row()), layers)) : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant(alignment(index.column()));
    default:
      return {};
  }
}

Qt::Alignment FrontTable::alignment(int column) {
  return (column >= compute ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

QVariant FrontTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical) {
    return role != Qt::DisplayRole ? QVariant()
           : section == 0          ? QVariant(tr("Now"))
                                   : QVariant(section);
  }
  const QString titles[] = {tr("Memory"), tr("Step"), tr("Gradients off"), tr("Computed in"),
                            tr("Layers by type")};
  const QString tips[] = {tr("Peak of the whole run, planned exactly"),
                          tr("Estimated time of a step"),
                          tr("Error of the adapter's gradients, measured beside FP32"),
                          tr("The type in which the denoiser's layers multiply"),
                          tr("How many of the denoiser's layers are stored in which type")};
  switch (role) {
    case Qt::DisplayRole:
      return titles[section];
    case Qt::ToolTipRole:
      return tips[section];
    case Qt::TextAlignmentRole:
      return QVariant(alignment(section));
    default:
      return {};
  }
}

}  // namespace mantissa::gui
