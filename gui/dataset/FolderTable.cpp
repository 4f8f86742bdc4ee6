#include "gui/dataset/FolderTable.h"

#include <QHeaderView>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <string_view>

#include "engine/data/folder_repeats.h"
#include "engine/preset/schema.h"
#include "gui/base/Text.h"
#include "gui/plot/Axis.h"
#include "gui/preset/PresetDocument.h"

namespace mantissa::gui {
namespace {

constexpr char kFoldersKey[] = "data.folders";

/// A cell as JSON: a number where it is one, else text.
nlohmann::json value_of(const QString& text, bool numeric) {
  bool is_whole = false, is_number = false;
  const qlonglong whole = text.toLongLong(&is_whole);
  const double number = text.toDouble(&is_number);
  return numeric && is_whole    ? nlohmann::json(whole)
         : numeric && is_number ? nlohmann::json(number)
                                : nlohmann::json(text.toStdString());
}

/// Whether both have the same folders around them, by text alone.
bool in_one_folder(const ImageItem& a, const ImageItem& b) {
  using Path = std::filesystem::path;
  const auto folder = [](const Path::string_type& path) {
    return std::basic_string_view<Path::value_type>(path).substr(
        0, path.find_last_of(Path::preferred_separator));
  };
  return folder(a.path.native()) == folder(b.path.native()) &&
         std::ranges::count(a.name, '/') == std::ranges::count(b.name, '/');
}

}  // namespace

FolderTable::FolderTable(PresetDocument* document, QWidget* parent)
    : QTableWidget(parent), document_(document) {
  setAccessibleName(tr("Folders of the images"));
  setProperty("rows", QStringLiteral("true"));
  setColumnCount(columns);
  setHorizontalHeaderLabels({tr("Folder"), tr("Images"), tr("Repeats"), tr("Loss weight"),
                             tr("Resolution"), tr("Caption prefix")});
  setToolTip(tr("Double-click a number or prefix to change it. It becomes part of the preset."));
  setShowGrid(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  horizontalHeader()->setSectionResizeMode(prefix, QHeaderView::Stretch);
  connect(this, &QTableWidget::itemChanged, this, &FolderTable::take);
  connect(document_, &PresetDocument::changed, this, &FolderTable::fill);
}

void FolderTable::show_check(const DatasetCheck& check) {
  // Images of a folder follow each other: its names are taken apart once, however many it holds.
  std::map<QString, int> found;
  const std::vector<ImageItem>& items = check.data.items;
  for (std::size_t i = 0, end = 0; i < items.size(); i = end) {
    for (end = i + 1; end < items.size() && in_one_folder(items[i], items[end]); ++end) {
    }
    for (const std::string& name : folders_around(items[i])) {
      found[to_qstring(name)] += static_cast<int>(end - i);
    }
  }
  folders_.assign(found.begin(), found.end());
  fill();
}

void FolderTable::fill() {
  if (filling_) {
    return;
  }
  filling_ = true;
  const std::vector<FolderRule>& rules = document_->preset().data.folders;
  const bool by_name = document_->preset().data.folder_repeats;
  setRowCount(static_cast<int>(folders_.size()));
  for (int row = 0; row < rowCount(); ++row) {
    const auto& [name, count] = folders_[static_cast<std::size_t>(row)];
    const auto found = std::ranges::find(rules, name.toStdString(), &FolderRule::folder);
    const FolderRule rule = found != rules.end() ? *found : FolderRule{name.toStdString()};
    const int own = by_name ? folder_name(rule.folder).repeats.value_or(1) : 1;
    const QString texts[] = {shown(name),
                             step_text(count),
                             QString::number(rule.repeats > 0 ? rule.repeats : own),
                             format_number(rule.weight),
                             rule.resolution > 0 ? QString::number(rule.resolution) : QString(),
                             to_qstring(rule.prefix)};
    for (int column = 0; column < columns; ++column) {
      if (item(row, column) == nullptr) {
        setItem(row, column, new QTableWidgetItem);
      }
      item(row, column)->setText(texts[column]);
      if (column < repeats) {
        item(row, column)->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
      }
    }
  }
  filling_ = false;
}

void FolderTable::take(const QTableWidgetItem* item) {
  if (filling_) {
    return;
  }
  static constexpr const char* kFields[columns] = {"folder", "",           "repeats",
                                                   "weight", "resolution", "prefix"};
  const std::string name = folders_[static_cast<std::size_t>(item->row())].first.toStdString();
  nlohmann::json rules = get_setting(document_->preset(), kFoldersKey);
  auto rule = std::find_if(rules.begin(), rules.end(),
                           [&](const nlohmann::json& r) { return r.at("folder") == name; });
  if (rule == rules.end()) {
    rules.push_back({{"folder", name}, {"repeats", 0}, {"weight", 1}, {"prefix", ""}});
    rule = std::prev(rules.end());
  }
  (*rule)[kFields[item->column()]] =
      item->column() == resolution && item->text().trimmed().isEmpty()
          ? nlohmann::json(0)
          : value_of(item->text(), item->column() != prefix);
  if (rule->at("repeats") == 0 && rule->at("weight") == 1 && rule->at("prefix") == "" &&
      rule->value("resolution", nlohmann::json(0)) == 0) {
    rules.erase(rule);
  }
  const QString wrong = document_->edit(kFoldersKey, rules);
  if (!wrong.isEmpty()) {
    emit problem(wrong);
  }
  fill();
}

}  // namespace mantissa::gui
