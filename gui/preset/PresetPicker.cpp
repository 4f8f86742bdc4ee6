#include "gui/preset/PresetPicker.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/preset/family_badge.h"
#include "engine/preset/family_table.h"
#include "engine/preset/preset_io.h"
#include "gui/base/FamilyIcon.h"
#include "gui/base/PresetText.h"
#include "gui/base/Text.h"
#include "gui/preset/DiffTable.h"
#include "gui/widgets/ColumnArea.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kEntryRole = Qt::UserRole;

/// An entry belongs to the first group that has one of its tags.
struct PickerGroup {
  const char* title;
  std::vector<std::string_view> tags;
};

/// The families but the first of the list, whose presets the other groups hold; the latest first.
std::vector<std::string_view> other_families() {
  std::vector<std::string_view> names;
  for (const FamilyRow* row : family_rows().subspan(1)) {
    names.insert(names.begin(), row->id.name());
  }
  return names;
}

const std::vector<PickerGroup>& picker_groups() {
  static const std::vector<PickerGroup> groups{
      {QT_TRANSLATE_NOOP("mantissa::gui::PresetPicker", "Try it out"), {"demo", "quick"}},
      {QT_TRANSLATE_NOOP("mantissa::gui::PresetPicker", "By task"),
       {"style", "character", "concept"}},
      {QT_TRANSLATE_NOOP("mantissa::gui::PresetPicker", "By memory"),
       {"6gb", "8gb", "12gb", "24gb"}},
      {QT_TRANSLATE_NOOP("mantissa::gui::PresetPicker", "Other models"), other_families()},
      {QT_TRANSLATE_NOOP("mantissa::gui::PresetPicker", "By method"), {"dora", "fp8", "lora"}},
  };
  return groups;
}

std::size_t group_index(const PresetEntry& entry) {
  const auto& groups = picker_groups();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const std::string_view tag : groups[i].tags) {
      const auto& tags = entry.preset.tags;
      if (std::find(tags.begin(), tags.end(), tag) != tags.end()) {
        return i;
      }
    }
  }
  return groups.size() - 1;
}

/// Within a group, in the order of its tags: 6gb before 12gb.
std::size_t tag_index(const PresetEntry& entry) {
  const auto& tags = picker_groups()[group_index(entry)].tags;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const auto& own = entry.preset.tags;
    if (std::find(own.begin(), own.end(), tags[i]) != own.end()) {
      return i;
    }
  }
  return tags.size();
}

QString tags_text(const PresetEntry& entry) {
  QStringList tags;
  for (const std::string& tag : entry.preset.tags) {
    tags << to_qstring(tag);
  }
  return tags.join(QStringLiteral(" · "));
}

}  // namespace

QString preset_group(const PresetEntry& entry) {
  return PresetPicker::tr(picker_groups()[group_index(entry)].title);
}

std::vector<PresetEntry> in_groups(std::vector<PresetEntry> entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const PresetEntry& a, const PresetEntry& b) {
    return std::pair(group_index(a), tag_index(a)) < std::pair(group_index(b), tag_index(b));
  });
  return entries;
}

PresetPicker::PresetPicker(std::vector<PresetEntry> entries, const Theme* theme, QWidget* parent)
    : QDialog(parent), entries_(in_groups(std::move(entries))) {
  setWindowTitle(tr("Built-in presets"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(860, 580);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::medium);
  auto* row = new QHBoxLayout;
  row->setSpacing(Space::large);

  auto* left = new QVBoxLayout;
  left->setSpacing(Space::small);
  search_ = new QLineEdit(this);
  search_->setPlaceholderText(tr("Search names, tags, texts"));
  search_->setAccessibleName(tr("Search presets"));
  add_clear_button(search_, tr("Clear the search"));
  left->addWidget(search_);
  list_ = new QListWidget(this);
  list_->setAccessibleName(tr("Built-in presets"));
  list_->setMinimumWidth(250);
  left->addWidget(list_, 1);
  row->addLayout(left, 2);

  auto* right = new QVBoxLayout;
  right->setSpacing(Space::small);
  title_ = make_heading(QString(), this);
  right->addWidget(title_);
  tags_ = make_label(QString(), "muted", this);
  right->addWidget(tags_);
  about_ = make_label(QString(), "", this);
  about_->setWordWrap(true);
  right->addWidget(about_);
  right->addSpacing(Space::small);
  auto* area = new ColumnArea(tr("What the preset changes"), this);
  auto* page = new QWidget;
  auto* inside = new QVBoxLayout(page);
  inside->setContentsMargins(0, 0, Space::small, 0);
  changes_ = new DiffTable(theme, page);
  inside->addWidget(changes_);
  inside->addStretch();
  area->set_column(page);
  right->addWidget(area, 1);
  row->addLayout(right, 3);
  column->addLayout(row, 1);

  auto* buttons = new QDialogButtonBox(this);
  use_ = buttons->addButton(tr("Use this preset"), QDialogButtonBox::AcceptRole);
  use_->setAccessibleName(tr("Use the selected preset"));
  set_property(use_, "kind", QStringLiteral("primary"));
  auto* cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
  cancel->setAccessibleName(tr("Close without choosing"));
  column->addWidget(buttons);

  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    if (const QListWidgetItem* item = list_->currentItem()) {
      emit chosen(entries_[item->data(kEntryRole).toUInt()].preset);
    }
    accept();
  });
  connect(list_, &QListWidget::itemDoubleClicked, use_, &QPushButton::click);
  connect(list_, &QListWidget::currentItemChanged, this, &PresetPicker::show_entry);
  connect(search_, &QLineEdit::textChanged, this, &PresetPicker::fill);
  fill(QString());
  search_->setFocus();
}

void PresetPicker::fill(const QString& query) {
  list_->clear();
  const QStringList words = query.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  QString group;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const PresetEntry& entry = entries_[i];
    const QString text = (preset_title(entry) + QLatin1Char(' ') + tags_text(entry) +
                          QLatin1Char(' ') + preset_description(entry))
                             .toLower();
    const bool found = std::all_of(words.begin(), words.end(),
                                   [&](const QString& word) { return text.contains(word); });
    if (!found) {
      continue;
    }
    if (preset_group(entry) != group) {
      group = preset_group(entry);
      auto* head = new QListWidgetItem(group, list_);
      head->setFlags(Qt::NoItemFlags);
      QFont font = head->font();
      font.setWeight(QFont::DemiBold);
      head->setFont(font);
    }
    const std::string family = family_key(entry.preset);
    auto* item = new QListWidgetItem(family_icon(family), shown(preset_title(entry)), list_);
    item->setData(Qt::AccessibleTextRole,
                  QStringLiteral("%1, %2").arg(item->text(), family_title(family)));
    item->setData(kEntryRole, static_cast<uint>(i));
    item->setToolTip(QStringLiteral("%1\n%2")
                         .arg(family_title(family), shown(preset_description(entry)))
                         .toHtmlEscaped());
  }
  for (int i = 0; i < list_->count(); ++i) {
    if (list_->item(i)->flags() & Qt::ItemIsSelectable) {
      list_->setCurrentRow(i);
      break;
    }
  }
  show_entry();
}

void PresetPicker::show_entry() {
  const QListWidgetItem* item = list_->currentItem();
  use_->setEnabled(item != nullptr);
  if (item == nullptr) {
    title_->setText(tr("No preset matches."));
    tags_->clear();
    about_->clear();
    changes_->hide();
    return;
  }
  const PresetEntry& entry = entries_[item->data(kEntryRole).toUInt()];
  title_->setText(shown(preset_title(entry)));
  tags_->setText(shown(tags_text(entry)));
  about_->setText(shown(preset_description(entry)));
  // Its texts are already shown above.
  Preset recipe = entry.preset;
  recipe.name.clear();
  recipe.description.clear();
  recipe.author.clear();
  recipe.tags.clear();
  changes_->show();
  changes_->show_changes(diff_presets(Preset{}, recipe), tr("Default"), tr("This preset"));
}

}  // namespace mantissa::gui
