#include "gui/models/ModelTable.h"

#include <algorithm>

#include "gui/base/FamilyIcon.h"
#include "gui/base/Text.h"

namespace mantissa::gui {

QString model_family_text(const FoundModel& model) {
  QString text = family_title(model.family);
  if (!model.variant.empty()) {
    text += QStringLiteral(" · ") + to_qstring(model.variant);
  }
  if (model.distilled) {
    text = ModelTable::tr("%1, distilled").arg(text);
  }
  if (model.alone) {
    text = ModelTable::tr("%1, denoiser only").arg(text);
  }
  return text;
}

void ModelTable::clear() {
  beginResetModel();
  models_.clear();
  endResetModel();
}

void ModelTable::add(const QVector<FoundModel>& models) {
  if (models.isEmpty()) {
    return;
  }
  const int first = rowCount();
  beginInsertRows({}, first, first + static_cast<int>(models.size()) - 1);
  models_ += models;
  endInsertRows();
}

const FoundModel* ModelTable::at(int row) const {
  return row >= 0 && row < rowCount() ? &models_[row] : nullptr;
}

int ModelTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(models_.size());
}

int ModelTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : column_count;
}

QVariant ModelTable::data(const QModelIndex& index, int role) const {
  const FoundModel* model = at(index.row());
  if (model == nullptr) {
    return {};
  }
  const QString texts[] = {model->name, model_family_text(*model), model->types,
                           format_bytes(model->bytes), model->place};
  const QString text = shown(texts[index.column()]);
  switch (role) {
    case Qt::DisplayRole:
      return text;
    case Qt::DecorationRole:
      return index.column() == family ? QVariant(family_icon(model->family)) : QVariant();
    case Qt::ToolTipRole: {
      QString tip = index.column() == name || index.column() == place ? shown(model->path) : text;
      if (index.column() == family && model->distilled) {
        tip += QLatin1Char('\n') +
               tr("Distilled models don't train well: take the base that it comes from.");
      }
      if (index.column() == family && model->alone) {
        tip += QLatin1Char('\n') +
               tr("Text encoders and VAE are files of their own: “Separate files…” adds them.");
      }
      if (index.column() == family) {
        tip +=
            QLatin1Char('\n') + (model->licence.isEmpty()
                                     ? tr("Its files state no licence of the weights.")
                                     : tr("Licence of the weights: %1").arg(shown(model->licence)));
      }
      return tip.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"));
    }
    case Qt::TextAlignmentRole:
      return index.column() == size ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                    : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case kPathRole:
      return model->path;
    case kSortRole:
      return index.column() == size ? QVariant(model->bytes) : QVariant(text);
    default:
      return {};
  }
}

QVariant ModelTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= column_count) {
    return {};
  }
  if (role == Qt::TextAlignmentRole) {
    return section == size ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                           : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) {
    return {};
  }
  const QString names[] = {tr("Name"), tr("Family"), tr("Type"), tr("Size"), tr("Place")};
  return names[section];
}

ModelFilter::ModelFilter(ModelTable* table, QObject* parent)
    : QSortFilterProxyModel(parent), table_(table) {
  setSourceModel(table);
  setDynamicSortFilter(true);
}

void ModelFilter::set_text(const QString& text) {
  words_ = text.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

bool ModelFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  const FoundModel* model = table_->at(row);
  if (model == nullptr) {
    return false;
  }
  const QString all = QStringLiteral("%1\n%2\n%3\n%4\n%5")
                          .arg(model->name, model_family_text(*model), model->types, model->place,
                               to_qstring(model->family))
                          .toLower();
  return std::ranges::all_of(words_, [&](const QString& word) { return all.contains(word); });
}

bool ModelFilter::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  const QVariant x = a.data(ModelTable::kSortRole), y = b.data(ModelTable::kSortRole);
  return x.typeId() == QMetaType::ULongLong
             ? x.toULongLong() < y.toULongLong()
             : QString::localeAwareCompare(x.toString(), y.toString()) < 0;
}

}  // namespace mantissa::gui
