#include "gui/preset/PresetDiff.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QShowEvent>
#include <QVBoxLayout>

#include "engine/preset/schema.h"
#include "gui/base/EngineText.h"
#include "gui/base/PresetText.h"
#include "gui/base/Text.h"
#include "gui/preset/DiffTable.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SettingsReader.h"
#include "gui/widgets/ColumnArea.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kLeastChoice = 120, kMostChoice = 280;  // width of the preset compared with

// Meaning of the list's entries; numbers from zero are library indices.
constexpr int kDefaults = -1;
constexpr int kSaved = -2;
constexpr int kFile = -3;
constexpr int kChosenFile = -4;
constexpr int kRun = -5;

}  // namespace

PresetDiff::PresetDiff(PresetDocument* document, PathChooser choose_file, SettingsReader* reader,
                       const Theme* theme, QWidget* parent)
    : QWidget(parent), document_(document), choose_file_(std::move(choose_file)), reader_(reader) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::medium);
  auto* top = new QHBoxLayout;
  top->setSpacing(Space::small);
  top->addWidget(make_label(tr("Compare with"), "muted", this));
  choice_ = new NoWheelCombo(this);
  choice_->setAccessibleName(tr("Compare with"));
  choice_->setMinimumWidth(kLeastChoice);
  choice_->setMaximumWidth(kMostChoice);
  choice_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  top->addWidget(choice_, 1);
  count_ = make_label(QString(), "muted", this);
  top->addWidget(count_);
  top->addStretch();
  take_all_ = new QPushButton(tr("Use all"), this);
  take_all_->setAccessibleName(tr("Use every value of the other preset"));
  top->addWidget(take_all_);
  column->addLayout(top);
  problem_ = make_label(QString(), "error", this);
  problem_->setWordWrap(true);
  problem_->hide();
  column->addWidget(problem_);

  auto* area = new ColumnArea(tr("Differences"), this);
  auto* card = make_card(area->viewport());
  auto* inside = new QVBoxLayout(card);
  inside->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  table_ = new DiffTable(theme, card);
  inside->addWidget(table_);
  inside->addStretch();
  area->set_column(card);
  column->addWidget(area, 1);

  fill_choice();
  other_title_ = tr("Defaults");
  connect(choice_, &QComboBox::activated, this, &PresetDiff::choose);
  connect(document_, &PresetDocument::changed, this, [this] { refresh(); });
  connect(document_, &PresetDocument::title_changed, this, &PresetDiff::fill_choice);
  connect(table_, &DiffTable::take_requested, this, [this](const QString& key) {
    document_->seal();
    document_->edit(key.toStdString(), get_setting(other_, key.toStdString()));
    document_->seal();
  });
  connect(take_all_, &QPushButton::clicked, this,
          [this] { document_->replace(other_, tr("using everything from %1").arg(other_title_)); });
  refresh();
}

void PresetDiff::fill_choice() {
  const QVariant before = choice_->currentData();
  const bool has_file = choice_->findData(kChosenFile) >= 0;
  const QSignalBlocker quiet(choice_);
  choice_->clear();
  choice_->addItem(tr("Defaults"), kDefaults);
  if (!document_->file().isEmpty()) {
    choice_->addItem(tr("Last saved: %1").arg(QFileInfo(document_->file()).fileName()), kSaved);
  }
  if (run_) {
    choice_->addItem(tr("Run: %1").arg(shown(run_name_)), kRun);
  }
  for (std::size_t i = 0; i < library_.size(); ++i) {
    const PresetEntry& entry = library_[i];
    choice_->addItem(preset_title(entry), static_cast<int>(i));
  }
  if (has_file) {
    choice_->addItem(other_title_, kChosenFile);
  }
  choice_->addItem(tr("Another file…"), kFile);
  choice_->setCurrentIndex(std::max(choice_->findData(before), 0));
  last_index_ = choice_->currentIndex();
}

void PresetDiff::set_library(const std::vector<PresetEntry>& presets) {
  library_ = presets;
  fill_choice();
}

void PresetDiff::set_run(const Preset& preset, const QString& name) {
  run_ = preset;
  run_name_ = name;
  fill_choice();
  if (choice_->currentData().toInt() == kRun) {
    choose(choice_->currentIndex());
  }
}

void PresetDiff::show_run() {
  if (const int index = choice_->findData(kRun); index >= 0) {
    choice_->setCurrentIndex(index);
    choose(index);
  }
}

void PresetDiff::choose(int index) {
  const int what = choice_->itemData(index).toInt();
  problem_->hide();
  ++asked_;  // a file that is still being read is no longer wanted
  if (what == kFile) {
    choice_->setCurrentIndex(last_index_);
    choose_file_(this, document_->file(), [this](const QString& file) { compare_with_file(file); });
    return;
  }
  last_index_ = index;
  if (what == kDefaults) {
    other_ = Preset{};
    other_title_ = tr("Defaults");
  } else if (what == kRun) {
    other_ = *run_;
    other_title_ = choice_->itemText(index);
  } else if (what == kSaved) {
    compare_with_file(document_->file());
    return;
  } else if (what >= 0) {
    other_ = library_[static_cast<std::size_t>(what)].preset;
    other_title_ = choice_->itemText(index);
  }
  refresh();
}

void PresetDiff::compare_with_file(const QString& file) {
  problem_->hide();
  const int asked = ++asked_;
  reader_->read(file, this, [this, file, asked](const SettingsFile& read) {
    if (asked == asked_) {
      show_other(file, read);
    }
  });
}

void PresetDiff::show_other(const QString& file, const SettingsFile& read) {
  if (!read.result) {
    problem_->setText(error_text(read.problem));
    problem_->show();
    return;
  }
  other_ = read.result->preset;
  const bool saved = choice_->currentData().toInt() == kSaved;
  other_title_ = saved ? tr("Last saved") : QFileInfo(file).fileName();
  if (!saved) {
    const int known = choice_->findData(kChosenFile);
    if (known >= 0) {
      choice_->setItemText(known, other_title_);
    } else {
      choice_->insertItem(choice_->count() - 1, other_title_, kChosenFile);
    }
    choice_->setCurrentIndex(choice_->findData(kChosenFile));
    last_index_ = choice_->currentIndex();
  }
  refresh();
}

void PresetDiff::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) {
    refresh();
  }
}

void PresetDiff::refresh() {
  stale_ = !isVisible();
  if (stale_) {
    return;
  }
  const auto changes = diff_presets(other_, document_->preset());
  table_->show_changes(changes, other_title_, tr("This preset"), tr("Use"));
  const int count = table_->rows();
  count_->setText(count == 0   ? tr("The same")
                  : count == 1 ? tr("1 difference")
                               : tr("%1 differences").arg(count));
  take_all_->setEnabled(!changes.empty());
}

}  // namespace mantissa::gui
