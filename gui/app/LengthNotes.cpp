#include "gui/app/LengthNotes.h"

#include <QLocale>
#include <cmath>

#include "engine/plan/run_length.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/plot/Axis.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"

namespace mantissa::gui {

LengthNotes::LengthNotes(const PresetDocument* document, const DataPage* data,
                         const SetupPage* setup)
    : document_(document), data_(data), setup_(setup) {
  connect(document_, &PresetDocument::changed, this, &LengthNotes::update);
  connect(data_, &DataPage::scanned, this, &LengthNotes::update);
  connect(data_->model(), &DatasetModel::sorted, this, &LengthNotes::update);
  connect(setup_->job(), &JobPanel::changed, this, &LengthNotes::update);
  update();
}

void LengthNotes::update() {
  const Preset& preset = document_->preset();
  const RunLength length = run_length(preset, data_->batches_per_epoch());
  const SchemaForm* form = setup_->form();
  const bool known = length.batches_per_epoch > 0;
  form->row(QStringLiteral("training.steps"))
      ->set_result(known ? tr("%1 epochs of these images")
                               .arg(format_number(length.epochs_after(length.steps), 3))
                         : QString());
  const Preset::Adapter& adapter = preset.adapter;
  const double scale = adapter.alpha / (adapter.scaling == AdapterScaling::rslora
                                            ? std::sqrt(static_cast<double>(adapter.rank))
                                            : static_cast<double>(adapter.rank));
  form->row(QStringLiteral("adapter.alpha"))
      ->set_result(scale == 1 ? QString()
                              : tr("With this rank the adapter's change is scaled by %1.")
                                    .arg(format_number(scale, 3)));
  form->row(QStringLiteral("training.epochs"))
      ->set_result(preset.training.epochs == 0 ? QString()
                   : known ? tr("%1 steps with these images").arg(step_text(length.steps))
                           : tr("The steps are known once the images are scanned."));
}

}  // namespace mantissa::gui
