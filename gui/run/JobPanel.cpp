#include "gui/run/JobPanel.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/plan/backend.h"
#include "engine/plan/card_split.h"
#include "engine/plan/split_run.h"
#include "gui/base/Text.h"
#include "gui/engine/AppSettings.h"
#include "gui/models/ModelPicker.h"
#include "gui/preset/SchemaText.h"
#include "gui/programs/ModelScan.h"
#include "gui/run/BaseFilesDialog.h"
#include "gui/run/DeviceChoice.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/PathEdit.h"
#include "gui/widgets/SciSpin.h"

namespace mantissa::gui {

JobPanel::JobPanel(AppSettings* settings, const Theme* theme, QWidget* parent)
    : QFrame(parent), settings_(settings), theme_(theme) {
  setProperty("card", QStringLiteral("true"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::tiny);
  column->addWidget(make_heading(tr("This run"), this));
  build_base(column);
  build_images(column);
  QGridLayout* fields = build_fields();
  column->addSpacing(Space::tiny);
  column->addLayout(fields);
  build_end(column);
  fill_fields();
  keep_changes();
}

/// A field over the whole width, below its name.
void JobPanel::add_field(QVBoxLayout* column, const QString& label, QWidget* field) {
  column->addSpacing(Space::tiny);
  auto* text = make_label(label, "muted", this);
  text->setBuddy(field);
  column->addWidget(text);
  column->addWidget(field);
}

PathEdit* JobPanel::folder_field(const QString& name, const QString& placeholder,
                                 const QString& title) {
  return new PathEdit({.name = name, .placeholder = placeholder, .choose = folder_chooser(title)},
                      theme_, this);
}

void JobPanel::build_base(QVBoxLayout* column) {
  base_ = new PathEdit(
      {.name = tr("Base model"),
       .placeholder = tr(".safetensors or .gguf file, or diffusers folder"),
       .choose = file_chooser(tr("Base model"),
                              tr("Models (*.safetensors *.gguf *.json);;All files (*)")),
       .offer_demo = true},
      theme_, this);
  add_field(column, tr("Base model"), base_);
  scan_ = new ModelScan(this);
  models_ = new QPushButton(tr("Find models…"), this);
  models_->setAccessibleName(tr("Choose among the base models on this computer"));
  models_->setToolTip(
      tr("Lists the models in the folders of ComfyUI, A1111/Forge, InvokeAI and Hugging Face, and "
         "in your own"));
  connect(models_, &QPushButton::clicked, this, &JobPanel::find_models);
  files_ = new QPushButton(tr("Separate files…"), this);
  files_->setAccessibleName(tr("Make a base model of separate files"));
  files_->setToolTip(
      tr("Transformer, text encoder and VAE in files of their own, as ComfyUI keeps them"));
  auto* ways = new QHBoxLayout;
  ways->setSpacing(Space::tiny);
  ways->addWidget(models_);
  ways->addWidget(files_);
  ways->addStretch();
  column->addLayout(ways);
  connect(files_, &QPushButton::clicked, this, &JobPanel::choose_files);
}

void JobPanel::build_images(QVBoxLayout* column) {
  images_ = new PathListEdit({.name = tr("Image folders"),
                              .placeholder = tr("Folders with images and their captions"),
                              .choose = folder_chooser(tr("Image folder")),
                              .offer_demo = true},
                             theme_, this);
  add_field(column, tr("Image folders"), images_);
}

/// What few runs need, each beside its name.
QGridLayout* JobPanel::build_fields() {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(Space::small);
  grid->setVerticalSpacing(Space::tiny);
  grid->setColumnStretch(1, 1);
  const auto add_row = [&](const QString& label, QWidget* field) {
    auto* text = make_label(label, "muted", this);
    text->setBuddy(field);
    const int row = grid->rowCount();
    grid->addWidget(text, row, 0);
    grid->addWidget(field, row, 1);
  };
  prior_ = folder_field(tr("Prior images"), tr("Folder, optional"), tr("Prior images"));
  prior_->setToolTip(
      tr("Images of the concept's class, such as dogs for your dog. They preserve what the base "
         "model knows of the class; “%1” sets how strongly.")
          .arg(setting_label(QStringLiteral("training.prior_weight"))));
  add_row(tr("Prior images"), prior_);
  held_out_ =
      folder_field(tr("Validation images"), tr("Folder, optional"), tr("Validation images"));
  held_out_->setToolTip(
      tr("Images that are never trained on. Their loss, always with the same noise, shows when a "
         "run starts to overfit."));
  add_row(tr("Validation images"), held_out_);
  references_ = folder_field(tr("References"), tr("Folder or list"), tr("References"));
  references_->setToolTip(
      tr("For a base model that edits, such as FLUX.2 klein: the images before the edit, each of "
         "the name of the image that is made of it. The caption is the instruction. For a slider "
         "of image pairs: the negative images, each of the name and size of its partner."));
  add_row(tr("References"), references_);
  add_row(tr("Training adapter"), build_training_adapter());
  out_ = folder_field(tr("Run folder"), tr("New folder"), tr("Run folder"));
  add_row(tr("Run folder"), out_);
  device_ = new DeviceChoice(settings_, this);
  add_row(tr("Device"), device_);
  resume_ = folder_field(tr("Continue a run"), tr("New run"), tr("Run to continue"));
  add_row(tr("Continue a run"), resume_);
  return grid;
}

QWidget* JobPanel::build_training_adapter() {
  beside_ = new PathEdit({.name = tr("Training adapter"),
                          .placeholder = tr("Optional"),
                          .choose = file_chooser(tr("Training adapter"),
                                                 tr("Adapters (*.safetensors);;All files (*)"))},
                         theme_, this);
  beside_->setToolTip(
      tr("An adapter that is active while training, and absent from samples and the result. For a "
         "distilled base model (Turbo, klein), one made for it keeps its few steps sharp."));
  beside_weight_ = new SciSpin(-100, 100, this);
  beside_weight_->setAccessibleName(tr("Weight of the training adapter"));
  beside_weight_->setToolTip(tr("Weight of the training adapter"));
  beside_weight_->setFixedWidth(56);
  auto* beside = new QWidget(this);
  auto* beside_row = new QHBoxLayout(beside);
  beside_row->setContentsMargins(0, 0, 0, 0);
  beside_row->setSpacing(Space::tiny);
  beside_row->addWidget(beside_, 1);
  beside_row->addWidget(beside_weight_);
  beside->setFocusProxy(beside_);
  return beside;
}

void JobPanel::build_end(QVBoxLayout* column) {
  apart_ = new QCheckBox(tr("Keep training in the background"), this);
  apart_->setAccessibleName(apart_->text());
  apart_->setToolTip(
      tr("The run is a process of its own: it goes on when the window is closed or crashes. The "
         "next start of the studio shows it again, with all its commands."));
  apart_->setChecked(settings_->keeps_training());
  column->addWidget(apart_);
  name_ = new ElideLabel(QString(), this);
  name_->set_muted(true);
  keep_room(name_);
  name_->hide();
  column->addWidget(name_);
}

void JobPanel::fill_fields() {
  base_->set_path(settings_->base());
  images_->set_paths(settings_->images());
  prior_->set_path(settings_->prior());
  held_out_->set_path(settings_->held_out());
  references_->set_path(settings_->references());
  beside_->set_path(settings_->training_adapter());
  beside_weight_->set_value(settings_->training_adapter_weight());
  beside_weight_->setEnabled(!beside_->path().isEmpty());
  out_->set_path(settings_->out());
}

void JobPanel::keep_changes() {
  const auto keep = [this](PathEdit* field, void (AppSettings::*set)(const QString&)) {
    connect(field, &PathEdit::changed, this, [this, field, set] {
      (settings_->*set)(field->path());
      emit changed();
    });
  };
  keep(base_, &AppSettings::set_base);
  connect(images_, &PathListEdit::changed, this, [this] {
    settings_->set_images(images_->paths());
    emit changed();
  });
  keep(prior_, &AppSettings::set_prior);
  keep(held_out_, &AppSettings::set_held_out);
  keep(references_, &AppSettings::set_references);
  keep(out_, &AppSettings::set_out);
  connect(beside_, &PathEdit::changed, this, [this] {
    settings_->set_training_adapter(beside_->path());
    beside_weight_->setEnabled(!beside_->path().isEmpty());
    emit changed();
  });
  connect(beside_weight_, &SciSpin::edited, this, [this] {
    settings_->set_training_adapter_weight(beside_weight());
    emit changed();
  });
  connect(apart_, &QCheckBox::toggled, this,
          [this](bool on) { settings_->set_keeps_training(on); });
  connect(resume_, &PathEdit::changed, this, &JobPanel::changed);
  connect(device_, &QComboBox::currentIndexChanged, this, &JobPanel::changed);
  connect(device_, &QComboBox::activated, this, [this] {
    settings_->set_device(device());
    emit device_chosen(device());
  });
}

void JobPanel::set_devices(const std::vector<DeviceInfo>& devices) {
  device_->set_devices(devices);
}

QString JobPanel::device() const {
  return device_->device();
}

std::string JobPanel::first_device() const {
  return device_->first_device();
}

void JobPanel::choose_device(const QString& device) {
  device_->choose(device);
}

void JobPanel::set_card_use(CardUse use) {
  settings_->set_card_use(use);
  device_->update_texts();
  emit changed();
}

void JobPanel::set_needs_images(bool needed) {
  if (std::exchange(needs_images_, needed) != needed) {
    for (QWidget* field : {static_cast<QWidget*>(images_), static_cast<QWidget*>(prior_),
                           static_cast<QWidget*>(held_out_)}) {
      field->setEnabled(needed);
    }
    emit changed();
  }
}

JobSpec JobPanel::job() const {
  JobSpec job;
  job.base = to_path(base_->path());
  for (const QString& folder : needs_images_ ? images_->paths() : QStringList()) {
    job.images.push_back(to_path(folder));
  }
  for (const auto& [field, folders] :
       {std::pair{prior_, &job.prior}, std::pair{held_out_, &job.validation},
        std::pair{references_, &job.references}}) {
    if (needs_images_ && !field->path().isEmpty()) {
      folders->push_back(to_path(field->path()));
    }
  }
  if (!beside_->path().isEmpty()) {
    job.training_adapters.push_back({to_path(beside_->path()), beside_weight()});
  }
  job.out = to_path(out_->path());
  job.device = device().toStdString();
  if (settings_->card_use() == CardUse::each) {
    job.device = first_device();
  } else if (settings_->card_use() == CardUse::split && device().contains(QLatin1Char(','))) {
    split_over(job, job.device);
  }
  if (!resume_->path().isEmpty()) {
    job.resume = to_path(resume_->path());
  }
  return job;
}

double JobPanel::beside_weight() const {
  return std::clamp(beside_weight_->value().value_or(1), -100.0, 100.0);
}

QString JobPanel::missing() const {
  if (!resume_->path().isEmpty()) {
    return {};
  }
  if (base_->path().isEmpty()) {
    return tr("Choose a base model first, or press Demo beside it.");
  }
  if (needs_images_ && images_->paths().isEmpty()) {
    return tr("Add a folder with images first, or press Demo below the list.");
  }
  return {};
}

QWidget* JobPanel::field(const QString& option) const {
  const std::pair<QLatin1String, QWidget*> fields[] = {
      {QLatin1String("--base"), base_},
      {QLatin1String("--images"), images_},
      {QLatin1String("--prior"), prior_},
      {QLatin1String("--validation"), held_out_},
      {QLatin1String("--references"), references_},
      {QLatin1String("--training-adapter"), beside_},
      {QLatin1String("--out"), out_},
      {QLatin1String("--device"), device_},
      {QLatin1String("--split-cards"), device_},
      {QLatin1String("--resume"), resume_}};
  for (const auto& [name, widget] : fields) {
    if (option == name) {
      return widget;
    }
  }
  return nullptr;
}

void JobPanel::split_over_cards() {
  set_card_use(CardUse::split);
  choose_device(to_qstring(device_of(device_->cards())));
  emit device_chosen(device());
}

Remedy JobPanel::remedy(const Finding& finding) {
  const std::string& id = finding.id;
  if (id == "split" && finding.verdict == Verdict::refused) {
    return {tr("Use one card"), [this] {
              choose_device(to_qstring(first_device()));
              emit device_chosen(device());
            }};
  }
  if (id == "split" && job().split.empty() && !finding.fields.empty()) {
    return {tr("Split over the cards"), [this] { split_over_cards(); }};
  }
  const auto clear = [](PathEdit* field) { return [field] { field->set_path(QString()); }; };
  return id == "base"               ? Remedy{tr("Choose…"), [this] { base_->browse(); }}
         : id == "parts"            ? Remedy{tr("Separate files…"), [this] { choose_files(); }}
         : id == "images"           ? Remedy{tr("Add folder…"), [this] { images_->browse(); }}
         : id == "files"            ? Remedy{tr("Show images"), [this] { emit images_wanted(); }}
         : id == "prior"            ? Remedy{tr("Leave out"), clear(prior_)}
         : id == "validation"       ? Remedy{tr("Leave out"), clear(held_out_)}
         : id == "references"       ? Remedy{tr("Leave out"), clear(references_)}
         : id == "training-adapter" ? Remedy{tr("Choose…"), [this] { beside_->browse(); }}
         : id == "N13"    ? Remedy{tr("Training adapter…"), [this] { beside_->browse(); }}
         : id == "output" ? Remedy{tr("Use a new folder"), clear(out_)}
         : id == "resume" ? Remedy{tr("Start a new run instead"), clear(resume_)}
         : id == "device" ? Remedy{tr("Use the CPU"), [this] { device_->setCurrentIndex(0); }}
                          : Remedy{};
}

void JobPanel::choose_files() {
  auto* dialog = new BaseFilesDialog(base_->path(), theme_, this);
  connect(dialog, &BaseFilesDialog::saved, this, [this](const QString& list) {
    base_->set_path(list);
    emit changed();  // also if the same list was written again
  });
  dialog->open();
}

void JobPanel::find_models() {
  auto* dialog = new ModelPicker(scan_, find_roots_, settings_, theme_, this);
  connect(dialog, &ModelPicker::chosen, base_, &PathEdit::set_path);
  dialog->open();
}

void JobPanel::set_paths(const QString& base, const QStringList& images) {
  base_->set_path(base);
  images_->set_paths(images);
  settings_->set_base(base);
  settings_->set_images(images);
  emit changed();
}

void JobPanel::use_demo() {
  base_->set_path(QStringLiteral("demo"));
  images_->set_paths({QStringLiteral("demo")});
  settings_->set_images(images_->paths());
  prior_->set_path({});
  held_out_->set_path({});
  references_->set_path({});
  beside_->set_path({});
  emit changed();
}

void JobPanel::show_name(const QString& name) {
  name_->set_text(tr("Name of the next run: %1").arg(shown(name)));
  name_->setVisible(!name.isEmpty());
}

void JobPanel::set_out(const QString& folder) {
  out_->set_path(folder);
}

void JobPanel::set_resume(const QString& run) {
  resume_->set_path(run);
}

}  // namespace mantissa::gui
