#include "gui/preset/SweepDialog.h"

#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <utility>

#include "engine/core/error.h"
#include "engine/preset/schema.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/base/Theme.h"
#include "gui/preset/SchemaText.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kNameShown = 3;  ///< runs that are named in the summary

bool is_number(const Setting& setting) {
  return setting.kind == mantissa::Kind::integer || setting.kind == mantissa::Kind::number;
}

}  // namespace

SweepRow::SweepRow(const Preset& preset, bool none, QWidget* parent)
    : QWidget(parent), preset_(preset) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::tiny);
  settings_ = new NoWheelCombo(this);
  settings_->setAccessibleName(tr("Setting that changes"));
  settings_->setEditable(true);
  settings_->setInsertPolicy(QComboBox::NoInsert);
  settings_->completer()->setCompletionMode(QCompleter::PopupCompletion);
  settings_->completer()->setFilterMode(Qt::MatchContains);
  if (none) {
    settings_->addItem(tr("No other setting"), QString());
  }
  for (const Setting* setting : sweepable_settings(preset)) {
    const QString key = to_qstring(setting->key);
    settings_->addItem(
        QStringLiteral("%1 · %2").arg(schema_text(group_title(setting->group)), setting_label(key)),
        key);
  }
  column->addWidget(settings_);
  stack_ = new QStackedWidget(this);
  auto* line = new QWidget(stack_);
  auto* at_top = new QVBoxLayout(line);
  at_top->setContentsMargins(0, 0, 0, 0);
  numbers_ = new QLineEdit(line);
  numbers_->setAccessibleName(tr("Its values"));
  at_top->addWidget(numbers_);
  at_top->addStretch();
  stack_->addWidget(line);
  choices_ = new QListWidget(stack_);
  choices_->setAccessibleName(tr("Its values"));
  choices_->setMaximumHeight(6 * fontMetrics().height());
  stack_->addWidget(choices_);
  column->addWidget(stack_);
  connect(settings_, &QComboBox::currentIndexChanged, this, &SweepRow::show_values);
  connect(numbers_, &QLineEdit::textChanged, this, &SweepRow::changed);
  connect(choices_, &QListWidget::itemChanged, this, &SweepRow::changed);
  show_values();
}

void SweepRow::choose(const QString& key) {
  settings_->setCurrentIndex(settings_->findData(key));
}

const Setting* SweepRow::setting() const {
  const QString key = settings_->currentData().toString();
  return key.isEmpty() ? nullptr : find_setting(key.toStdString());
}

void SweepRow::show_values() {
  const Setting* now = setting();
  stack_->setVisible(now != nullptr);
  if (now == nullptr) {
    emit changed();
    return;
  }
  const nlohmann::json value = get_setting(preset_, now->key);
  stack_->setCurrentIndex(is_number(*now) ? 0 : 1);
  // One line takes no more room than it needs, though the list beside it would.
  stack_->setMaximumHeight(is_number(*now) ? numbers_->sizeHint().height() : QWIDGETSIZE_MAX);
  numbers_->setPlaceholderText(
      tr("Values with commas between, now %1").arg(value_text(to_qstring(now->key), value)));
  const QSignalBlocker quiet(choices_);
  numbers_->clear();
  choices_->clear();
  const auto add = [&](const nlohmann::json& choice) {
    auto* item = new QListWidgetItem(value_text(to_qstring(now->key), choice), choices_);
    item->setData(Qt::UserRole, to_qstring(choice.dump()));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(choice == value ? Qt::Checked : Qt::Unchecked);
  };
  if (now->kind == mantissa::Kind::boolean) {
    add(false);
    add(true);
  }
  for (const std::string_view choice : now->choices) {
    add(std::string(choice));
  }
  emit changed();
}

std::vector<nlohmann::json> SweepRow::values() const {
  const Setting* now = setting();
  if (now == nullptr) {
    return {};
  }
  if (is_number(*now)) {
    return swept_numbers(*now, numbers_->text());
  }
  std::vector<nlohmann::json> values;
  for (int i = 0; i < choices_->count(); ++i) {
    if (choices_->item(i)->checkState() == Qt::Checked) {
      values.push_back(
          nlohmann::json::parse(choices_->item(i)->data(Qt::UserRole).toString().toStdString()));
    }
  }
  return values;
}

SweepDialog::SweepDialog(const Preset& preset, std::function<QString(const Preset&)> refusal,
                         QWidget* parent)
    : QDialog(parent), preset_(preset), refusal_(std::move(refusal)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("SweepDialog"));
  setWindowTitle(tr("Sweep"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::medium);
  auto* what = make_label(
      tr("A run for each value, at the end of the queue; of two settings, for each combination."),
      "muted", this);
  what->setWordWrap(true);
  column->addWidget(what);
  first_ = new SweepRow(preset, false, this);
  column->addWidget(first_);
  second_ = new SweepRow(preset, true, this);
  column->addWidget(second_);
  summary_ = make_label(QString(), "", this);
  summary_->setWordWrap(true);
  summary_->setMinimumHeight(3 * fontMetrics().height());  // nothing below it moves
  summary_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  column->addWidget(summary_);
  column->addStretch(1);
  auto* buttons = new QDialogButtonBox(this);
  add_ = buttons->addButton(tr("Add to queue"), QDialogButtonBox::AcceptRole);
  add_->setAccessibleName(add_->text());
  set_property(add_, "kind", QStringLiteral("primary"));
  auto* cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
  cancel->setAccessibleName(tr("Close without adding runs"));
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(first_, &SweepRow::changed, this, &SweepDialog::update_runs);
  connect(second_, &SweepRow::changed, this, &SweepDialog::update_runs);
  first_->choose(QStringLiteral("optimizer.learning_rate"));
  resize(30 * fontMetrics().averageCharWidth() + 320, sizeHint().height());
  update_runs();
}

QString SweepDialog::find_runs() {
  presets_.clear();
  std::vector<SweptSetting> settings;
  std::size_t count = 1;
  try {
    for (const SweepRow* row : {first_, second_}) {
      if (const Setting* setting = row->setting()) {
        settings.push_back({std::string(setting->key), row->values()});
        count *= settings.back().values.size();
      }
    }
    if (settings.empty() || count == 0) {
      return tr("Give the setting's values.");
    }
    if (settings.size() == 2 && settings[0].key == settings[1].key) {
      return tr("The second setting is the first one: choose another.");
    }
    if (count > static_cast<std::size_t>(kMostSwept)) {
      return tr("%1 runs: a sweep has %2 at most.").arg(count).arg(kMostSwept);
    }
    std::vector<Preset> runs = swept(preset_, settings);
    for (const Preset& run : runs) {
      if (const QString why = refusal_(run); !why.isEmpty()) {
        return QStringLiteral("%1: %2").arg(to_qstring(run.output.name), why);
      }
    }
    presets_ = std::move(runs);
  } catch (const Error& e) {
    return error_text(e.message());
  }
  return {};
}

void SweepDialog::update_runs() {
  const QString why = find_runs();
  if (why.isEmpty()) {
    QStringList names;
    for (const Preset& run : presets_) {
      if (names.size() < kNameShown) {
        names << to_qstring(run.output.name);
      }
    }
    QString text = tr("%n run(s)", nullptr, static_cast<int>(presets_.size())) +
                   QStringLiteral(": ") + names.join(QStringLiteral(", "));
    summary_->setText(presets_.size() > kNameShown ? text + QStringLiteral(", …") : text);
  } else {
    summary_->setText(shown(why));
  }
  add_->setEnabled(!presets_.empty());
}

QString SweepDialog::summary() const {
  return summary_->text();
}

}  // namespace mantissa::gui
