#include "gui/dataset/TaggerForm.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/models/qwen3/qwen3_vl_file.h"
#include "gui/base/Text.h"
#include "gui/dataset/CaptionerForm.h"
#include "gui/dataset/EndpointForm.h"
#include "gui/engine/AppSettings.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/SciSpin.h"

namespace mantissa::gui {
namespace {

constexpr ExistingCaption kExisting[] = {ExistingCaption::keep, ExistingCaption::append,
                                         ExistingCaption::prepend, ExistingCaption::replace};

enum Source { by_tagger, by_endpoint, by_captioner };
const QLatin1String kSources[] = {QLatin1String(), QLatin1String("endpoint"),
                                  QLatin1String("captioner")};

Source source_called(const QString& name) {
  const auto at = std::ranges::find(kSources, name);
  return at == std::end(kSources) ? by_tagger : static_cast<Source>(at - std::begin(kSources));
}

std::optional<double> share(const SciSpin* spin) {
  const std::optional<double> value = spin->value();
  return value && *value >= 0 && *value <= 1 ? value : std::nullopt;
}

}  // namespace

TaggerForm::TaggerForm(AppSettings* settings, const QString& trigger, const Theme* theme,
                       QWidget* parent)
    : QWidget(parent), settings_(settings), choose_(folder_chooser(tr("Folder of the tagger"))) {
  source_ = new NoWheelCombo(this);
  source_->addItems({tr("A tagger"), tr("A model that another program serves"), tr("A Qwen3-VL")});
  source_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  source_->setAccessibleName(tr("What captions the images"));
  pages_ = new QStackedWidget(this);
  endpoint_ = new EndpointForm(settings, this);
  captioner_ = new CaptionerForm(settings, theme, this);
  folder_ = new PathEdit({tr("Tagger"),
                          tr("Folder with model.safetensors, config.json and "
                             "selected_tags.csv"),
                          [this](QWidget* above, const QString& start, auto chosen) {
                            choose_(above, start, std::move(chosen));
                          }},
                         theme, this);
  existing_ = new NoWheelCombo(this);
  existing_->addItems({tr("Keep"), tr("Add after them"), tr("Add before them"), tr("Replace")});
  existing_->setAccessibleName(tr("Existing captions"));
  const auto spin = [this](const QString& name, const QString& tip) {
    auto* field = new SciSpin(0, 1, this);
    field->setAccessibleName(name);
    field->setToolTip(tip);
    field->setFixedWidth(90);
    connect(field, &SciSpin::edited, this, &TaggerForm::changed);
    return field;
  };
  threshold_ = spin(tr("Least certainty of a tag"),
                    tr("How sure the tagger must be of a general tag, 0 to 1"));
  characters_ = spin(tr("Least certainty of a character"),
                     tr("How sure the tagger must be of a character's name, 0 to 1"));
  trigger_ = new QLineEdit(this);
  trigger_->setAccessibleName(tr("Trigger word"));
  trigger_->setPlaceholderText(tr("None"));
  trigger_->setToolTip(tr("A word that stands first in every caption"));
  excluded_ = new QLineEdit(this);
  excluded_->setAccessibleName(tr("Tags that no caption gets"));
  excluded_->setPlaceholderText(tr("None; separated by commas"));
  ratings_ = new QCheckBox(tr("Likeliest rating first"), this);
  underscores_ = new QCheckBox(tr("Underscores in tags"), this);
  for (QCheckBox* box : {ratings_, underscores_}) {
    box->setAccessibleName(box->text());
  }
  lay_out();
  recall(trigger);
  connect(source_, &QComboBox::currentIndexChanged, pages_, &QStackedWidget::setCurrentIndex);
  connect(source_, &QComboBox::currentIndexChanged, this, &TaggerForm::changed);
  connect(endpoint_, &EndpointForm::changed, this, &TaggerForm::changed);
  connect(captioner_, &CaptionerForm::changed, this, &TaggerForm::changed);
  connect(folder_, &PathEdit::changed, this, &TaggerForm::recognise);
  connect(folder_, &PathEdit::changed, this, &TaggerForm::changed);
  connect(existing_, &QComboBox::currentIndexChanged, this, &TaggerForm::changed);
}

void TaggerForm::lay_out() {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(Space::medium);
  const auto add = [&](const QString& name, QWidget* field, int at) {
    auto* label = make_label(name, "muted", this);
    label->setBuddy(field);
    grid->addWidget(label, 0, at);
    grid->addWidget(field, 0, at + 1);
    grid->setColumnStretch(at + 1, 1);
  };
  add(tr("Captions by"), source_, 0);
  add(tr("Existing captions"), existing_, 2);
  add(tr("Trigger word"), trigger_, 4);
  column->addLayout(grid);
  pages_->addWidget(tagger_page());
  pages_->addWidget(endpoint_);
  pages_->addWidget(captioner_);
  column->addWidget(pages_);
}

QWidget* TaggerForm::tagger_page() {
  auto* page = new QWidget(this);
  auto* grid = new QGridLayout(page);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(Space::medium);
  grid->setVerticalSpacing(Space::small);
  const auto add = [&](const QString& name, QWidget* field, int row, int at, int span = 1) {
    auto* label = make_label(name, "muted", page);
    label->setBuddy(field);
    grid->addWidget(label, row, at);
    grid->addWidget(field, row, at + 1, 1, span);
  };
  add(tr("Tagger"), folder_, 0, 0, 5);
  auto* where = make_label(
      tr("The taggers v3 of SmilingWolf's WD family are read, ViT and EVA-02: their pages state "
         "the Apache-2.0 licence. Put the three files of one into a folder of its own; nothing is "
         "downloaded here."),
      "muted", page);
  where->setWordWrap(true);
  grid->addWidget(where, 1, 1, 1, 5);
  add(tr("Excluded tags"), excluded_, 2, 0);
  add(tr("Tags from"), threshold_, 2, 2);
  add(tr("Characters from"), characters_, 2, 4);
  grid->setColumnStretch(1, 1);
  auto* boxes = new QHBoxLayout;
  boxes->setSpacing(Space::large);
  boxes->addWidget(ratings_);
  boxes->addWidget(underscores_);
  boxes->addStretch();
  grid->addLayout(boxes, 3, 1, 1, 5);
  return page;
}

void TaggerForm::recall(const QString& trigger) {
  const TagOptions usual;
  const QVariantMap kept = settings_->tagger_options();
  const auto number = [&](const char* key, double otherwise) {
    return kept.value(QLatin1String(key), otherwise).toDouble();
  };
  source_->setCurrentIndex(source_called(settings_->caption_source()));
  pages_->setCurrentIndex(source_->currentIndex());
  folder_->set_path(settings_->tagger());
  threshold_->set_value(number("threshold", usual.threshold));
  characters_->set_value(number("characters", usual.character_threshold));
  excluded_->setText(kept.value(QStringLiteral("excluded")).toString());
  ratings_->setChecked(kept.value(QStringLiteral("ratings")).toBool());
  underscores_->setChecked(kept.value(QStringLiteral("underscores")).toBool());
  trigger_->setText(trigger);
}

void TaggerForm::remember() const {
  settings_->set_caption_source(kSources[source_->currentIndex()]);
  endpoint_->remember();
  captioner_->remember();
  settings_->set_tagger(tagger());
  settings_->set_tagger_options(
      {{QStringLiteral("threshold"), threshold_->value().value_or(TagOptions().threshold)},
       {QStringLiteral("characters"),
        characters_->value().value_or(TagOptions().character_threshold)},
       {QStringLiteral("excluded"), excluded_->text()},
       {QStringLiteral("ratings"), ratings_->isChecked()},
       {QStringLiteral("underscores"), underscores_->isChecked()}});
}

bool TaggerForm::uses_endpoint() const {
  return source_->currentIndex() == by_endpoint;
}

bool TaggerForm::uses_captioner() const {
  return source_->currentIndex() == by_captioner;
}

void TaggerForm::recognise() {
  const QString chosen = tagger();
  if (is_qwen3_vl(to_path(chosen))) {
    captioner_->model()->set_path(chosen);
    folder_->set_path(settings_->tagger());
    source_->setCurrentIndex(by_captioner);
  }
}

QString TaggerForm::lack() const {
  if (uses_endpoint()) {
    return endpoint_->lack();
  }
  if (uses_captioner()) {
    return captioner_->lack();
  }
  return tagger().isEmpty() ? tr("Choose the folder of a tagger first")
         : !options()       ? tr("A certainty is a number from 0 to 1")
                            : QString();
}

QString TaggerForm::tagger() const {
  return folder_->path();
}

ExistingCaption TaggerForm::existing() const {
  return kExisting[existing_->currentIndex()];
}

std::optional<CaptionOptions> TaggerForm::options() const {
  const std::optional<double> tags = share(threshold_), characters = share(characters_);
  const TagOptions usual;
  if (source_->currentIndex() == by_tagger && (!tags || !characters)) {
    return std::nullopt;
  }
  CaptionOptions options;
  options.existing = existing();
  options.tags.threshold = tags.value_or(usual.threshold);
  options.tags.character_threshold = characters.value_or(usual.character_threshold);
  options.tags.ratings = ratings_->isChecked();
  options.tags.underscores = underscores_->isChecked();
  for (const QString& tag : excluded_->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    options.tags.excluded.insert(tag.trimmed().toStdString());
  }
  options.trigger = trigger_->text().trimmed().toStdString();
  return options;
}

}  // namespace mantissa::gui
