#include "gui/wizard/FirstRunWizard.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "engine/plan/job_paths.h"
#include "engine/preset/family_table.h"
#include "gui/base/PresetText.h"
#include "gui/base/Text.h"
#include "gui/widgets/ColumnArea.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/PathEdit.h"

namespace mantissa::gui {
namespace {

/// "SDXL, SD 1.5, …": the base models of every family.
QString base_models() {
  QString list;
  for (const FamilyRow* row : family_rows()) {
    const QString models = to_qstring(family_models(*row));
    for (const QString& model : models.split(QStringLiteral(", "), Qt::SkipEmptyParts)) {
      list = list.isEmpty() ? model : FirstRunWizard::tr("%1, %2").arg(list, model);
    }
  }
  return list;
}

}  // namespace

FirstRunWizard::FirstRunWizard(const std::vector<PresetEntry>& library, const Theme* theme,
                               QWidget* parent)
    : QDialog(parent), theme_(theme) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("FirstRunWizard"));
  setWindowTitle(tr("Welcome to Mantissa"));
  for (const std::string_view id : first_goals()) {  // the first is the default
    for (const PresetEntry& entry : library) {
      if (entry.id == id) {
        goals_.push_back(entry);
      }
    }
  }
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(Space::huge, Space::large, Space::huge, Space::large);
  outer->setSpacing(Space::medium);
  where_ = make_label(QString(), "muted", this);
  outer->addWidget(where_);
  steps_ = new QStackedWidget(this);
  outer->addWidget(steps_, 1);

  QWidget* page = add_step(
      tr("Choose a base model"),
      tr("A .safetensors file or a diffusers folder of one of these models: %1. The demo is a tiny "
         "model that comes with Mantissa and trains in minutes on any computer.")
          .arg(base_models()));
  base_ = new PathEdit(
      {.name = tr("Base model"),
       .placeholder = tr(".safetensors file or diffusers folder"),
       .choose = file_chooser(tr("Base model"),
                              tr("Models (*.safetensors *.gguf *.json);;All files (*)")),
       .offer_demo = true},
      theme, page);
  base_->set_path(QStringLiteral("demo"));
  page->layout()->addWidget(base_);
  qobject_cast<QVBoxLayout*>(page->layout())->addStretch();

  page = add_step(
      tr("Choose training images"),
      tr("Folders of images; 10 to 40 are enough for a person, an object or a style. A caption is "
         "a text file with the image's name. The Data page helps you write captions."));
  images_ = new PathListEdit({.name = tr("Image folders"),
                              .placeholder = tr("Folders with images and their captions"),
                              .choose = folder_chooser(tr("Image folder")),
                              .offer_demo = true},
                             theme, page);
  images_->set_paths({QStringLiteral("demo")});
  page->layout()->addWidget(images_);
  qobject_cast<QVBoxLayout*>(page->layout())->addStretch();

  page = add_step(tr("What do you want to train?"),
                  tr("This picks a preset. You can change everything in it later."));
  auto* area = new ColumnArea(tr("Goals"), page);
  auto* list = new QWidget;
  list->setProperty("flat", QStringLiteral("true"));
  auto* rows = new QVBoxLayout(list);
  rows->setContentsMargins(0, 0, Space::small, 0);
  rows->setSpacing(Space::tiny);
  goal_ = new QButtonGroup(this);
  for (int i = 0; i < static_cast<int>(goals_.size()); ++i) {
    const PresetEntry& preset = goals_[static_cast<std::size_t>(i)];
    auto* button = new QRadioButton(preset_title(preset), list);
    button->setAccessibleName(preset_title(preset));
    button->setAccessibleDescription(preset_description(preset));
    QFont font = button->font();
    font.setWeight(QFont::DemiBold);
    button->setFont(font);
    button->setChecked(i == 0);
    goal_->addButton(button, i);
    rows->addWidget(button);
    QLabel* words = make_label(preset_description(preset), "muted", list);
    words->setWordWrap(true);
    words->setContentsMargins(Space::huge, 0, 0, Space::small);
    rows->addWidget(words);
  }
  rows->addStretch();
  area->set_column(list);
  qobject_cast<QVBoxLayout*>(page->layout())->addWidget(area, 1);

  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(Space::small);
  const auto add = [&](const QString& text) {
    auto* button = new QPushButton(text, this);
    button->setAccessibleName(text);
    button->setAutoDefault(false);
    buttons->addWidget(button);
    return button;
  };
  skip_ = add(tr("Skip"));
  skip_->setToolTip(tr("Start with the defaults and don't show this again"));
  buttons->addStretch();
  back_ = add(tr("Back"));
  next_ = add(tr("Next"));
  next_->setProperty("kind", QStringLiteral("primary"));
  next_->setDefault(true);
  outer->addLayout(buttons);
  connect(skip_, &QPushButton::clicked, this, &QDialog::reject);
  connect(back_, &QPushButton::clicked, this, [this] { show_step(steps_->currentIndex() - 1); });
  connect(next_, &QPushButton::clicked, this, [this] {
    if (step() == goal_step) {
      emit chosen(choice());
      accept();
    } else {
      show_step(steps_->currentIndex() + 1);
    }
  });
  resize(600, 460);
  show_step(base_step);
}

QWidget* FirstRunWizard::add_step(const QString& title, const QString& words) {
  auto* page = new QWidget(steps_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::medium);
  QLabel* heading = make_heading(title, page);
  QFont font = heading->font();
  font.setPointSizeF(font.pointSizeF() * 1.35);
  heading->setFont(font);
  heading->setWordWrap(true);
  column->addWidget(heading);
  QLabel* text = make_label(words, "muted", page);
  text->setWordWrap(true);
  column->addWidget(text);
  steps_->addWidget(page);
  return page;
}

void FirstRunWizard::show_step(int step) {
  steps_->setCurrentIndex(step);
  where_->setText(tr("Step %1 of %2").arg(step + 1).arg(steps_->count()));
  back_->setEnabled(step > 0);
  const QString text = step + 1 == steps_->count() ? tr("Done") : tr("Next");
  next_->setText(text);
  next_->setAccessibleName(text);
}

FirstRunWizard::Step FirstRunWizard::step() const {
  return static_cast<Step>(steps_->currentIndex());
}

void FirstRunWizard::choose_goal(const QString& id) {
  for (int i = 0; i < static_cast<int>(goals_.size()); ++i) {
    if (goals_[static_cast<std::size_t>(i)].id == id.toStdString()) {
      goal_->button(i)->setChecked(true);
    }
  }
}

FirstRunChoice FirstRunWizard::choice() const {
  FirstRunChoice choice{base_->path(), images_->paths(), std::nullopt};
  const int goal = goal_->checkedId();
  if (goal >= 0) {
    choice.preset = goals_[static_cast<std::size_t>(goal)].preset;
    // Several families have a tiny model: the goal says which.
    const DemoBase& demo = family_row(choice.preset->model.family).demo;
    if (is_built_in(choice.base.toStdString()) && !demo.name.empty()) {
      choice.base = to_qstring(demo.name);
    }
  }
  return choice;
}

}  // namespace mantissa::gui
