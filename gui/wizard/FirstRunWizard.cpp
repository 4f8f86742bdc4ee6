#include "gui/wizard/FirstRunWizard.h"

#include <QButtonGroup>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <exception>

#include "engine/io/inspect.h"
#include "engine/plan/job_paths.h"
#include "engine/preset/family_table.h"
#include "gui/base/PresetText.h"
#include "gui/base/Text.h"
#include "gui/widgets/ColumnArea.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/PathEdit.h"

namespace mantissa::gui {
namespace {

/// As the model's files state it; empty if they don't, or can't be read.
QString licence_at(const QString& base) {
  try {
    const auto licence = inspect(to_path(base)).licence;
    return licence ? shown(to_qstring(licence->text())) : QString();
  } catch (const std::exception&) {
    return {};
  }
}

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

FirstRunWizard::FirstRunWizard(const std::vector<PresetEntry>& library, FamilyReader read_family,
                               const Theme* theme, QWidget* parent)
    : QDialog(parent), theme_(theme), read_family_(std::move(read_family)) {
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

  build_base();
  build_images();
  QWidget* page = add_step(tr("What do you want to train?"),
                           tr("This picks a preset. You can change everything in it later."));
  build_goals(page);

  outer->addLayout(build_buttons());
  resize(600, 460);
  show_step(base_step);
  start_worker();
  read_base();
}

void FirstRunWizard::build_base() {
  QWidget* page =
      add_step(tr("Choose a base model"),
               tr("A .safetensors or .gguf file or a diffusers folder of one of these models: %1. "
                  "The demo is a tiny model that comes with Mantissa and trains in minutes on any "
                  "computer.")
                   .arg(base_models()));
  base_ = new PathEdit(
      {.name = tr("Base model"),
       .placeholder = tr(".safetensors or .gguf file, or diffusers folder"),
       .choose = file_chooser(tr("Base model"),
                              tr("Models (*.safetensors *.gguf *.json);;All files (*)")),
       .offer_demo = true},
      theme_, page);
  base_->set_path(QStringLiteral("demo"));
  page->layout()->addWidget(base_);
  kind_ = make_label(QString(), "", page);
  kind_->setWordWrap(true);
  kind_->setAccessibleDescription(tr("What the base model is"));
  page->layout()->addWidget(kind_);
  qobject_cast<QVBoxLayout*>(page->layout())->addStretch();
}

void FirstRunWizard::build_images() {
  QWidget* page = add_step(
      tr("Choose training images"),
      tr("Folders of images; 10 to 40 are enough for a person, an object or a style. A caption is "
         "a text file with the image's name. The Data page helps you write captions."));
  images_ = new PathListEdit({.name = tr("Image folders"),
                              .placeholder = tr("Folders with images and their captions"),
                              .choose = folder_chooser(tr("Image folder")),
                              .offer_demo = true},
                             theme_, page);
  images_->set_paths({QStringLiteral("demo")});
  page->layout()->addWidget(images_);
  qobject_cast<QVBoxLayout*>(page->layout())->addStretch();
}

QLayout* FirstRunWizard::build_buttons() {
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
  return buttons;
}

/// Base models are read on a thread of their own; what they are comes back to this one.
void FirstRunWizard::start_worker() {
  connect(
      this, &FirstRunWizard::relay_family, this,
      [this](quint64 generation, const QString& name, const QString& licence) {
        if (generation == generation_) {
          const FamilyRow* row = find_family_row(name.toStdString());
          show_family(row != nullptr ? row->id : ModelFamily::automatic, licence);
        }
      },
      Qt::QueuedConnection);
  worker_ = std::make_unique<LatestWorker<QString>>(
      [this](const QString& base, std::uint64_t generation) {
        emit relay_family(generation, to_qstring(read_family_(base).name()), licence_at(base));
      });
  connect(base_, &PathEdit::changed, this, &FirstRunWizard::read_base);
}

FirstRunWizard::~FirstRunWizard() {
  worker_.reset();  // its thread posts to this
}

void FirstRunWizard::build_goals(QWidget* page) {
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
    descriptions_.push_back(words);
  }
  rows->addStretch();
  area->set_column(list);
  qobject_cast<QVBoxLayout*>(page->layout())->addWidget(area, 1);
}

/// Demos for the demo alone, and for any other base model the goals of its family.
void FirstRunWizard::read_base() {
  const QString base = base_->path();
  ++generation_;
  const bool demo = is_built_in(base.toStdString());
  const auto is_demo = [](const PresetEntry& goal) {
    return goal.id == family_row(goal.preset.model.family).demo.name;
  };
  show_goals([&](const PresetEntry& goal) { return is_demo(goal) == demo; });
  if (demo) {
    kind_->setText(tr("The demo: a tiny model that trains on any computer."));
  } else if (base.isEmpty()) {
    kind_->clear();
  } else if (!QFileInfo::exists(base)) {
    kind_->setText(tr("There is no such file or folder."));
  } else {
    kind_->setText(tr("Reading the model…"));
    worker_->put(base, generation_);
  }
}

void FirstRunWizard::show_family(const ModelFamily& family, const QString& licence) {
  if (family == ModelFamily::automatic) {
    kind_->setText(tr("No model that Mantissa can train was recognised there."));
    return;
  }
  const QFileInfo file(base_->path());
  QStringList parts{to_qstring(family_row(family).title)};
  if (file.isFile()) {
    parts << format_bytes(static_cast<std::uint64_t>(file.size()));
  }
  if (!licence.isEmpty()) {
    parts << tr("licence: %1").arg(licence);
  }
  kind_->setText(parts.join(QStringLiteral(" · ")));
  show_goals([&](const PresetEntry& goal) {
    return goal.id != family_row(goal.preset.model.family).demo.name &&
           goal.preset.model.family == family;
  });
}

void FirstRunWizard::show_goals(const std::function<bool(const PresetEntry&)>& suits) {
  int first = -1;
  for (int i = 0; i < static_cast<int>(goals_.size()); ++i) {
    const bool there = suits(goals_[static_cast<std::size_t>(i)]);
    goal_->button(i)->setVisible(there);
    descriptions_[static_cast<std::size_t>(i)]->setVisible(there);
    first = first < 0 && there ? i : first;
  }
  const QAbstractButton* chosen = goal_->checkedButton();
  if (first >= 0 && (chosen == nullptr || chosen->isHidden())) {
    goal_->button(first)->setChecked(true);
  }
}

bool FirstRunWizard::offers(const QString& id) const {
  for (int i = 0; i < static_cast<int>(goals_.size()); ++i) {
    if (goals_[static_cast<std::size_t>(i)].id == id.toStdString()) {
      return !goal_->button(i)->isHidden();
    }
  }
  return false;
}

QString FirstRunWizard::base_text() const {
  return kind_->text();
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
  if (goal >= 0 && !goal_->button(goal)->isHidden()) {
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
