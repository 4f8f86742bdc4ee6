#include "gui/precision/ProbeTable.h"

#include <cmath>

#include "engine/preset/names.h"
#include "gui/base/Text.h"
#include "gui/plot/Axis.h"

namespace mantissa::gui {
namespace {

QString decibels(double value) {
  return std::isnan(value)   ? QStringLiteral("–")
         : std::isinf(value) ? ProbeTable::tr("Exact")
                             : ProbeTable::tr("%1 dB").arg(format_number(value, 3));
}

QString percent(double share) {
  return std::isnan(share) ? QStringLiteral("–") : rounded_percent(share, 3);
}

}  // namespace

void ProbeTable::set_modules(const std::vector<const ProbeModule*>& ranked) {
  beginResetModel();
  modules_.clear();
  for (const ProbeModule* module : ranked) {
    modules_.push_back(*module);
  }
  endResetModel();
}

void ProbeTable::set_pins(const std::map<std::string, StorageType>& pins) {
  if (pins == pins_) {
    return;
  }
  pins_ = pins;
  if (!modules_.empty()) {
    emit dataChanged(index(0, pin), index(rowCount() - 1, pin));
  }
}

void ProbeTable::toggle(int row) {
  const ProbeModule& m = module(row);
  if (is_pinned(row)) {
    emit unpin_requested(to_qstring(m.path));
  } else if (m.pin) {
    emit pin_requested(to_qstring(m.path), *m.pin);
  }
}

int ProbeTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(modules_.size());
}

int ProbeTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns;
}

Qt::ItemFlags ProbeTable::flags(const QModelIndex& index) const {
  const Qt::ItemFlags plain = QAbstractTableModel::flags(index);
  return index.isValid() && index.column() == pin && can_toggle(index.row())
             ? plain | Qt::ItemIsUserCheckable
             : plain;
}

QString ProbeTable::text(const ProbeModule& m, int column) const {
  switch (column) {
    case pin: {
      const auto pinned = pins_.find(m.path);
      return pinned != pins_.end() ? to_qstring(enum_name(pinned->second))
             : m.pin               ? to_qstring(enum_name(*m.pin))
                                   : QStringLiteral("–");
    }
    case layer:
      return shown(to_qstring(m.path));
    case gradient:
      return percent(m.gradient_error);
    case cosine:
      return QString::number(m.gradient_cosine, 'f', 5);
    case output:
      return decibels(m.output_sqnr);
    case weight:
      return decibels(m.weight_sqnr);
    default:
      return percent(m.lost_update);
  }
}

QVariant ProbeTable::data(const QModelIndex& index, int role) const {
  const ProbeModule& m = module(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return text(m, index.column());
    case Qt::CheckStateRole:
      return index.column() == pin && can_toggle(index.row())
                 ? QVariant(is_pinned(index.row()) ? Qt::Checked : Qt::Unchecked)
                 : QVariant();
    case Qt::AccessibleTextRole:
      return index.column() == pin ? tr("Pin %1 to %2").arg(text(m, layer), text(m, pin))
                                   : QVariant();
    case Qt::ToolTipRole:
      return index.column() == layer ? QVariant(text(m, layer).toHtmlEscaped()) : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant(alignment(index.column()));
    default:
      return {};
  }
}

bool ProbeTable::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || index.column() != pin || !can_toggle(index.row()) ||
      (value.toInt() == Qt::Checked) == is_pinned(index.row())) {
    return false;
  }
  toggle(index.row());
  return true;
}

Qt::Alignment ProbeTable::alignment(int column) {
  return (column == pin || column == layer ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

QVariant ProbeTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) {
    return {};
  }
  const QString titles[] = {tr("Pin"),    tr("Gradient"), tr("Layer"),       tr("Cosine"),
                            tr("Output"), tr("Weight"),   tr("Lost updates")};
  const QString tips[] = {
      tr("Keep this layer in a wider type, as a pin of the preset"),
      tr("Error of its adapter's gradient, relative to FP32: the order of this table"),
      tr("The module's path"),
      tr("Cosine between its gradient and that of FP32"),
      tr("Signal-to-noise ratio of its output, with the errors of the layers before it"),
      tr("Signal-to-noise ratio of its stored weight"),
      tr("Share of its adapter's elements that the update left unchanged")};
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
