// DataPage: captions that aren't UTF-8.
#include "gui/dataset/DataPage.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/RecodeDialog.h"

namespace mantissa::gui {

RecodeDialog* DataPage::recoder() const {
  return recoder_;
}

void DataPage::open_recoder() {
  if (is_scanning() || mask_open()) {
    return;
  }
  std::vector<LegacyCaptions> files = legacy_captions(model_->check().data.report);
  if (files.empty()) {  // another program changed them
    scan();
    return;
  }
  auto* dialog = new RecodeDialog(std::move(files), this);
  recoder_ = dialog;
  connect(dialog, &RecodeDialog::converted, this,
          [this, dialog](int count, const QStringList& problems) {
            recoded_ = dialog->journal();
            if (count > 0) {
              emit captions_converted(tr("%n file(s) converted to UTF-8.", nullptr, count));
            }
            if (!problems.isEmpty()) {
              emit problem(problems.join(QLatin1Char('\n')));
            }
            scan();
          });
  // Its files are those of the scan before.
  connect(this, &DataPage::scanned, dialog, [dialog] { dialog->done(QDialog::Rejected); });
  dialog->open();
}

void DataPage::put_back_converted() {
  put_back(recoded_);
}

}  // namespace mantissa::gui
