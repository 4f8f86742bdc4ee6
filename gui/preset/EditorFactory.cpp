#include "gui/preset/EditorFactory.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "gui/base/Text.h"
#include "gui/preset/ListEditors.h"
#include "gui/preset/SchemaText.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/NumberText.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/SciSpin.h"

namespace mantissa::gui {
namespace {

using nlohmann::json;

constexpr int kNumberMin = 96, kNumberWidth = 120, kChoiceWidth = 200;

QHBoxLayout* tight_row(QWidget* widget) {
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::small);
  return row;
}

/// The widget grows to its largest width; the rest stays empty on its right.
void keep_left(QHBoxLayout* row, QWidget* widget) {
  row->addWidget(widget, 100);
  row->addStretch(1);
}

QString joined(const json& list) {
  QStringList out;
  for (const json& item : list) {
    out << to_qstring(item.is_string() ? item.get<std::string>() : item.dump());
  }
  return out.join(QStringLiteral(", "));
}

json split(const QString& text) {
  json out = json::array();
  for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    if (!part.trimmed().isEmpty()) {
      out.push_back(part.trimmed().toStdString());
    }
  }
  return out;
}

class BooleanEditor : public FieldEditor {
 public:
  BooleanEditor(const EditorSpec& spec, QWidget* parent) : FieldEditor(parent) {
    box_ = new QCheckBox(this);
    box_->setAccessibleName(spec.name);
    tight_row(this)->addWidget(box_);
    layout()->setAlignment(box_, Qt::AlignLeft);
    watch(box_);
    connect(box_, &QCheckBox::clicked, this, [this] { emit edited(false); });
  }
  void show_value(const json& v) override { box_->setChecked(v.is_boolean() && v.get<bool>()); }
  json value() const override { return box_->isChecked(); }

 private:
  QCheckBox* box_;
};

/// One number in a Spin: whole numbers in a NoWheelSpin, others in a SciSpin.
template <typename Number, typename Spin>
class NumberEditor : public FieldEditor {
 public:
  NumberEditor(const EditorSpec& spec, QWidget* parent) : FieldEditor(parent), spec_(spec) {
    spin_ = new Spin(static_cast<Number>(spec.min), static_cast<Number>(spec.max), this);
    spin_->setAccessibleName(spec.name);
    spin_->setMaximumWidth(kNumberWidth);
    spin_->setMinimumWidth(kNumberMin);
    keep_left(tight_row(this), spin_);
    watch(spin_);
    connect(spin_, &Spin::edited, this, &FieldEditor::edited);
  }
  void show_value(const json& v) override {
    if (v.is_number()) {
      spin_->set_value(v.get<Number>());
    } else {
      spin_->clear();
    }
  }
  json value() const override {
    if (spec_.optional && spin_->text_now().trimmed().isEmpty()) {
      return nullptr;
    }
    const auto value = spin_->value();
    return value ? json(*value) : json(spin_->text_now().toStdString());
  }

 private:
  EditorSpec spec_;
  Spin* spin_;
};

using IntegerEditor = NumberEditor<std::int64_t, NoWheelSpin>;
using RealEditor = NumberEditor<double, SciSpin>;

class NumberPairEditor : public FieldEditor {
 public:
  NumberPairEditor(const EditorSpec& spec, QWidget* parent) : FieldEditor(parent) {
    auto* row = tight_row(this);
    for (int i = 0; i < 2; ++i) {
      spins_[i] = new SciSpin(spec.min, spec.max, this);
      spins_[i]->setAccessibleName(QStringLiteral("%1 %2").arg(spec.name).arg(i + 1));
      spins_[i]->setFixedWidth(kNumberMin);
      row->addWidget(spins_[i]);
      watch(spins_[i]);
      connect(spins_[i], &SciSpin::edited, this, &FieldEditor::edited);
    }
    row->addStretch();
  }
  void show_value(const json& v) override {
    for (std::size_t i = 0; i < 2; ++i) {
      spins_[i]->set_value(v.at(i).get<double>());
    }
  }
  json value() const override {
    json out = json::array();
    for (const SciSpin* spin : spins_) {
      const auto value = spin->value();
      out.push_back(value ? json(*value) : json(spin->text_now().toStdString()));
    }
    return out;
  }

 private:
  SciSpin* spins_[2] = {};
};

class TextEditor : public FieldEditor {
 public:
  TextEditor(const EditorSpec& spec, QWidget* parent)
      : FieldEditor(parent),
        list_(spec.kind == Kind::text_list || spec.kind == Kind::integer_list),
        whole_(spec.kind == Kind::integer_list),
        optional_(spec.optional) {
    edit_ = new QLineEdit(this);
    edit_->setAccessibleName(spec.name);
    if (list_) {
      edit_->setPlaceholderText(FieldEditor::tr("Separated by commas"));
    }
    tight_row(this)->addWidget(edit_);
    watch(edit_);
    connect(edit_, &QLineEdit::textEdited, this, [this] { emit edited(true); });
  }
  void show_value(const json& v) override {
    if (!v.is_null() && value() == v) {
      return;
    }
    const QString text = v.is_string()  ? to_qstring(v.get_ref<const std::string&>())
                         : v.is_array() ? joined(v)
                                        : QString();
    if (edit_->text() != text) {
      edit_->setText(text);
    }
  }
  json value() const override {
    if (list_) {
      return whole_ ? with_numbers(split(edit_->text())) : split(edit_->text());
    }
    return optional_ && edit_->text().isEmpty() ? json(nullptr) : json(edit_->text().toStdString());
  }

 private:
  /// What isn't a whole number stays text, which the setting refuses by name.
  static json with_numbers(json list) {
    for (json& part : list) {
      bool whole = false;
      const int number = to_qstring(part.get<std::string>()).toInt(&whole);
      part = whole ? json(number) : part;
    }
    return list;
  }

  QLineEdit* edit_;
  bool list_, whole_, optional_;
};

class ProseEditor : public FieldEditor {
 public:
  ProseEditor(const EditorSpec& spec, QWidget* parent) : FieldEditor(parent) {
    edit_ = new QPlainTextEdit(this);
    edit_->setAccessibleName(spec.name);
    edit_->setTabChangesFocus(true);
    edit_->setFixedHeight(3 * edit_->fontMetrics().lineSpacing() + 18);
    tight_row(this)->addWidget(edit_);
    watch(edit_);
    connect(edit_, &QPlainTextEdit::textChanged, this, [this] {
      if (!showing_) {
        emit edited(true);
      }
    });
  }
  void show_value(const json& v) override {
    const QString text = v.is_string() ? to_qstring(v.get_ref<const std::string&>()) : QString();
    if (edit_->toPlainText() != text) {
      showing_ = true;
      edit_->setPlainText(text);
      showing_ = false;
    }
  }
  json value() const override { return edit_->toPlainText().toStdString(); }

 private:
  QPlainTextEdit* edit_;
  bool showing_ = false;
};

/// choice, targets and choice_or_number: a list of names, for the last two also free text.
class ComboEditor : public FieldEditor {
 public:
  ComboEditor(const EditorSpec& spec, QWidget* parent) : FieldEditor(parent), spec_(spec) {
    combo_ = new NoWheelCombo(this);
    combo_->setAccessibleName(spec.name);
    if (spec.optional) {
      combo_->addItem(FieldEditor::tr("As above"), QString());
    }
    for (const std::string_view choice : spec.choices) {
      combo_->addItem(choice_text(spec.key, to_qstring(choice)), to_qstring(choice));
      combo_->setItemData(combo_->count() - 1, to_qstring(choice), Qt::ToolTipRole);
    }
    combo_->setEditable(spec.kind != Kind::choice);
    combo_->setInsertPolicy(QComboBox::NoInsert);
    // Narrow where it must be; the list has the whole name.
    combo_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo_->setMinimumWidth(110);
    combo_->setMaximumWidth(spec.kind == Kind::targets ? QWIDGETSIZE_MAX : kChoiceWidth);
    if (combo_->isEditable()) {
      combo_->setCompleter(nullptr);
      combo_->lineEdit()->setAccessibleName(spec.name);
      combo_->lineEdit()->setPlaceholderText(
          spec.kind == Kind::targets ? FieldEditor::tr("A set, or patterns separated by commas")
                                     : FieldEditor::tr("A name or a number"));
      watch(combo_->lineEdit());
      connect(combo_->lineEdit(), &QLineEdit::textEdited, this, [this] { emit edited(true); });
    }
    keep_left(tight_row(this), combo_);
    watch(combo_);
    connect(combo_, &QComboBox::activated, this, [this] { emit edited(false); });
  }
  void show_value(const json& v) override {
    QString text;
    if (v.is_string()) {
      text = to_qstring(v.get_ref<const std::string&>());
    } else if (v.is_array()) {
      text = joined(v);
    } else if (v.is_number()) {
      text = format_exact(v.get<double>());
    }
    if (!combo_->isEditable()) {
      combo_->setCurrentIndex(combo_->findData(text));
    } else if (!(value() == v)) {
      const bool choice = combo_->findData(text) >= 0;
      combo_->setCurrentText(choice ? choice_text(spec_.key, text) : text);
    }
  }
  json value() const override {
    if (!combo_->isEditable()) {
      const std::string chosen = combo_->currentData().toString().toStdString();
      return chosen.empty() ? json(nullptr) : json(chosen);
    }
    const QString text = combo_->currentText().trimmed();
    for (const std::string_view choice : spec_.choices) {
      const QString spelled = to_qstring(choice);
      if (text == spelled || text == choice_text(spec_.key, spelled)) {
        return std::string(choice);
      }
    }
    if (spec_.kind == Kind::targets) {
      return split(text);
    }
    const auto number = read_number(text);
    return number ? json(*number) : json(text.toStdString());
  }

 private:
  EditorSpec spec_;
  NoWheelCombo* combo_;
};

class ChoiceListEditor : public FieldEditor {
 public:
  ChoiceListEditor(const EditorSpec& spec, QWidget* parent) : FieldEditor(parent) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Space::large);
    grid->setVerticalSpacing(Space::tiny);
    grid->setColumnStretch(kColumns, 1);
    for (const std::string_view choice : spec.choices) {
      auto* box = new QCheckBox(choice_text(spec.key, to_qstring(choice)), this);
      box->setAccessibleName(QStringLiteral("%1: %2").arg(spec.name, box->text()));
      box->setToolTip(to_qstring(choice));
      const int at = static_cast<int>(boxes_.size());
      grid->addWidget(box, at / kColumns, at % kColumns);
      boxes_.emplace_back(box, choice);
      watch(box);
      connect(box, &QCheckBox::clicked, this, [this] { emit edited(false); });
    }
  }
  void show_value(const json& v) override {
    for (const auto& [box, choice] : boxes_) {
      box->setChecked(std::find(v.begin(), v.end(), json(choice)) != v.end());
    }
    show_offered();
  }
  void offer(const std::function<bool(std::string_view)>& offered) override {
    offered_ = offered;
    show_offered();
  }
  json value() const override {
    json out = json::array();
    for (const auto& [box, choice] : boxes_) {
      if (box->isChecked()) {
        out.push_back(choice);
      }
    }
    return out;
  }

 private:
  static constexpr int kColumns = 2;

  void show_offered() {
    for (const auto& [box, choice] : boxes_) {
      box->setVisible(!offered_ || box->isChecked() || offered_(choice));
    }
  }
  std::vector<std::pair<QCheckBox*, std::string>> boxes_;  ///< and its choice
  std::function<bool(std::string_view)> offered_;
};

}  // namespace

FieldEditor* make_editor(const EditorSpec& spec, const Theme* theme, QWidget* parent) {
  switch (spec.kind) {
    case Kind::boolean:
      return new BooleanEditor(spec, parent);
    case Kind::integer:
      return new IntegerEditor(spec, parent);
    case Kind::number:
      return new RealEditor(spec, parent);
    case Kind::number_pair:
      return new NumberPairEditor(spec, parent);
    case Kind::text:
      if (spec.prose) {
        return new ProseEditor(spec, parent);
      }
      return new TextEditor(spec, parent);
    case Kind::text_list:
    case Kind::integer_list:
      return new TextEditor(spec, parent);
    case Kind::choice:
    case Kind::targets:
    case Kind::choice_or_number:
      return new ComboEditor(spec, parent);
    case Kind::choice_list:
      return new ChoiceListEditor(spec, parent);
    case Kind::pins:
      return new PinsEditor(spec, theme, parent);
    case Kind::objects:
      return new ObjectsEditor(spec, theme, make_editor, parent);
  }
  return new TextEditor(spec, parent);
}

}  // namespace mantissa::gui
