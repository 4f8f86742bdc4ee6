#include "gui/preset/ListEditors.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/preset/SchemaText.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

using nlohmann::json;

bool is_wide(const ItemField& field) {
  return field.kind == Kind::text;
}

}  // namespace

PinsEditor::PinsEditor(const EditorSpec& spec, const Theme* theme, QWidget* parent)
    : FieldEditor(parent), spec_(spec), theme_(theme) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::tiny);
  lines_layout_ = new QVBoxLayout;
  lines_layout_->setSpacing(Space::tiny);
  column->addLayout(lines_layout_);
  auto* add = new QPushButton(tr("Add pin"), this);
  add->setAccessibleName(tr("Add to %1").arg(spec.name));
  bind_icon(add, Icon::add, theme);
  column->addWidget(add, 0, Qt::AlignLeft);
  watch(add);
  connect(add, &QPushButton::clicked, this, [this] { add_line().pattern->setFocus(); });
}

PinsEditor::Line& PinsEditor::add_line() {
  Line line;
  line.box = new QWidget(this);
  auto* row = new QHBoxLayout(line.box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::tiny);
  line.pattern = new QLineEdit(line.box);
  line.pattern->setPlaceholderText(tr("Module path, e.g. denoiser.conv_*"));
  line.pattern->setAccessibleName(tr("%1: pattern").arg(spec_.name));
  line.type = new NoWheelCombo(line.box);
  line.type->setAccessibleName(tr("%1: type").arg(spec_.name));
  for (const std::string_view choice : spec_.choices) {
    line.type->addItem(choice_text(spec_.key, to_qstring(choice)), to_qstring(choice));
  }
  auto* remove = new QToolButton(line.box);
  remove->setAccessibleName(tr("%1: remove").arg(spec_.name));
  bind_icon(remove, Icon::remove, theme_);
  row->addWidget(line.pattern, 1);
  row->addWidget(line.type);
  row->addWidget(remove);
  lines_layout_->addWidget(line.box);
  watch(line.pattern);
  watch(line.type);
  watch(remove);
  connect(line.pattern, &QLineEdit::textEdited, this, [this] { emit edited(true); });
  connect(line.type, &QComboBox::activated, this, [this] { emit edited(false); });
  connect(remove, &QToolButton::clicked, this, [this, box = line.box] {
    remove_line(box);
    emit edited(false);
  });
  lines_.push_back(line);
  return lines_.back();
}

void PinsEditor::remove_line(const QWidget* box) {
  const auto it =
      std::find_if(lines_.begin(), lines_.end(), [&](const Line& l) { return l.box == box; });
  if (it != lines_.end()) {
    it->box->hide();
    it->box->deleteLater();
    lines_.erase(it);
  }
}

json PinsEditor::value() const {
  json out = json::object();
  for (const Line& line : lines_) {
    if (!line.pattern->text().trimmed().isEmpty()) {
      out[line.pattern->text().trimmed().toStdString()] =
          line.type->currentData().toString().toStdString();
    }
  }
  return out;
}

void PinsEditor::show_value(const json& v) {
  if (value() == v) {
    return;
  }
  while (lines_.size() > v.size()) {
    remove_line(lines_.back().box);
  }
  while (lines_.size() < v.size()) {
    add_line();
  }
  std::size_t i = 0;
  for (const auto& [pattern, type] : v.items()) {
    lines_[i].pattern->setText(to_qstring(pattern));
    lines_[i].type->setCurrentIndex(lines_[i].type->findData(to_qstring(type.get<std::string>())));
    ++i;
  }
}

ObjectsEditor::ObjectsEditor(const EditorSpec& spec, const Theme* theme, MakeEditor make,
                             QWidget* parent)
    : FieldEditor(parent), spec_(spec), theme_(theme), make_(make) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::tiny);
  items_layout_ = new QVBoxLayout;
  items_layout_->setSpacing(Space::small);
  column->addLayout(items_layout_);
  auto* add = new QPushButton(tr("Add"), this);
  add->setAccessibleName(tr("Add to %1").arg(spec.name));
  bind_icon(add, Icon::add, theme);
  column->addWidget(add, 0, Qt::AlignLeft);
  watch(add);
  connect(add, &QPushButton::clicked, this, [this] {
    const json fresh = fresh_item();
    add_item();
    Item& item = items_.back();
    for (std::size_t i = 0; i < spec_.fields.size(); ++i) {
      const std::string key(spec_.fields[i].key);
      item.editors[i]->show_value(fresh.contains(key) ? fresh[key] : json(nullptr));
    }
    emit edited(false);
    item.editors[0]->setFocus();
  });
}

json ObjectsEditor::fresh_item() const {
  json out = json::object();
  for (const ItemField& field : spec_.fields) {
    if (!field.required) {
      continue;
    }
    if (field.choices.empty()) {
      out[std::string(field.key)] = "";
      continue;
    }
    // The first choice not used by another entry.
    std::string chosen(field.choices[0]);
    for (const std::string_view choice : field.choices) {
      const json now = value();
      if (std::none_of(now.begin(), now.end(), [&](const json& item) {
            return item.value(std::string(field.key), "") == choice;
          })) {
        chosen = choice;
        break;
      }
    }
    out[std::string(field.key)] = chosen;
  }
  return out;
}

void ObjectsEditor::add_item() {
  Item item;
  item.box = new QFrame(this);
  item.box->setProperty("card", QStringLiteral("true"));
  auto* grid = new QGridLayout(item.box);
  grid->setContentsMargins(Space::small, Space::small, Space::tiny, Space::small);
  grid->setHorizontalSpacing(Space::small);
  grid->setVerticalSpacing(Space::tiny);
  constexpr int kColumns = 3;
  int row = 0, column = 0;
  const QString number = QString::number(items_.size() + 1);
  for (const ItemField& field : spec_.fields) {
    const QString help = plain_words(schema_text(field.help));
    auto* label = make_label(schema_text(field.label), "muted", item.box);
    label->setToolTip(help);
    FieldEditor* editor = make_(EditorSpec::of(field, spec_, number), theme_, item.box);
    editor->setToolTip(help);
    if (is_wide(field)) {
      row += column > 0 ? 2 : 0;
      column = 0;
      grid->addWidget(label, row, 0, 1, kColumns);
      grid->addWidget(editor, row + 1, 0, 1, kColumns);
      row += 2;
    } else {
      grid->addWidget(label, row, column);
      grid->addWidget(editor, row + 1, column);
      if (++column == kColumns) {
        column = 0;
        row += 2;
      }
    }
    connect(editor, &FieldEditor::edited, this, &FieldEditor::edited);
    connect(editor, &FieldEditor::left, this, [this] {
      const QWidget* now = window()->focusWidget();
      if (now == nullptr || !isAncestorOf(now)) {
        emit left();
      } else {
        emit moved();
      }
    });
    item.editors.push_back(editor);
  }
  auto* remove = new QToolButton(item.box);
  remove->setAccessibleName(tr("Remove %1 %2").arg(spec_.name, number));
  remove->setToolTip(tr("Remove"));
  bind_icon(remove, Icon::remove, theme_);
  grid->addWidget(remove, 0, kColumns, Qt::AlignTop);
  for (int i = 0; i < kColumns; ++i) {
    grid->setColumnStretch(i, 1);
  }
  watch(remove);
  connect(remove, &QToolButton::clicked, this, [this, box = item.box] {
    remove_item(box);
    emit edited(false);
  });
  items_layout_->addWidget(item.box);
  items_.push_back(item);
}

void ObjectsEditor::remove_item(const QFrame* box) {
  const auto it =
      std::find_if(items_.begin(), items_.end(), [&](const Item& i) { return i.box == box; });
  if (it != items_.end()) {
    it->box->hide();
    it->box->deleteLater();
    items_.erase(it);
  }
}

json ObjectsEditor::value() const {
  json out = json::array();
  for (const Item& item : items_) {
    json object = json::object();
    for (std::size_t i = 0; i < spec_.fields.size(); ++i) {
      json v = item.editors[i]->value();
      if (!v.is_null()) {
        object[std::string(spec_.fields[i].key)] = std::move(v);
      }
    }
    out.push_back(std::move(object));
  }
  return out;
}

void ObjectsEditor::show_value(const json& v) {
  while (items_.size() > v.size()) {
    remove_item(items_.back().box);
  }
  while (items_.size() < v.size()) {
    add_item();
  }
  for (std::size_t n = 0; n < items_.size(); ++n) {
    for (std::size_t i = 0; i < spec_.fields.size(); ++i) {
      const std::string key(spec_.fields[i].key);
      items_[n].editors[i]->show_value(v[n].contains(key) ? v[n][key] : json(nullptr));
    }
  }
}

}  // namespace mantissa::gui
