#include "gui/result/SamplePairView.h"

#include <QHBoxLayout>
#include <QImageReader>
#include <QLabel>
#include <QVBoxLayout>
#include <utility>

#include "gui/base/Text.h"
#include "gui/base/Theme.h"
#include "gui/samples/ImagePane.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

SamplePairView::SamplePairView(QWidget* parent) : QWidget(parent) {
  pool_.setMaxThreadCount(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  prompts_ = new NoWheelCombo(this);
  prompts_->setAccessibleName(tr("Prompt of the samples"));
  prompts_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  prompts_->setMinimumContentsLength(12);
  prompts_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  column->addWidget(prompts_);
  auto* across = new QHBoxLayout;
  across->setSpacing(Space::medium);
  for (int side = 0; side < 2; ++side) {
    auto* box = new QWidget(this);
    auto* rows = new QVBoxLayout(box);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(Space::tiny);
    headings_[side] = make_label(QString(), "muted", box);
    rows->addWidget(headings_[side]);
    panes_[side] = new ImagePane(QString(), box);
    rows->addWidget(panes_[side], 1);
    across->addWidget(box, 1);
    if (side == 0) {
      of_first_ = box;
    }
  }
  column->addLayout(across, 1);
  connect(prompts_, &QComboBox::currentIndexChanged, this, &SamplePairView::show_current);
}

SamplePairView::~SamplePairView() {
  pool_.clear();
  pool_.waitForDone();
}

QString SamplePairView::heading(bool last) const {
  return headings_[last ? 1 : 0]->text();
}

void SamplePairView::show_pairs(std::vector<SamplePair> pairs) {
  pairs_ = std::move(pairs);
  {
    const QSignalBlocker quiet(prompts_);
    const int before = prompts_->currentIndex();
    prompts_->clear();
    for (const SamplePair& pair : pairs_) {
      prompts_->addItem(shown(pair.prompt));
    }
    prompts_->setCurrentIndex(before >= 0 && before < prompts_->count() ? before : 0);
    prompts_->setVisible(pairs_.size() > 1);
  }
  show_current();
}

void SamplePairView::show_current() {
  ++asked_;
  const auto at = static_cast<std::size_t>(std::max(prompts_->currentIndex(), 0));
  if (at >= pairs_.size()) {
    for (ImagePane* pane : panes_) {
      pane->show_file(QString());
    }
    return;
  }
  const SamplePair& pair = pairs_[at];
  const bool two = pair.first.step != pair.last.step;
  of_first_->setVisible(two);
  const SampleRecord* samples[] = {&pair.first, &pair.last};
  for (int side = two ? 0 : 1; side < 2; ++side) {
    headings_[side]->setText(samples[side]->step == 0 ? tr("Before training")
                             : side == 0
                                 ? tr("First sample · step %1").arg(step_text(samples[side]->step))
                                 : tr("Last sample · step %1").arg(step_text(samples[side]->step)));
    read(side, path_text(samples[side]->path));
  }
}

void SamplePairView::read(int side, const QString& file) {
  if (panes_[side]->file() == file && panes_[side]->has_image()) {
    return;
  }
  ++reading_;
  pool_.start([this, side, file, asked = asked_] {
    QImageReader reader(file);
    QImage image = reader.read();
    if (std::max(image.width(), image.height()) > kLongest) {
      image = image.scaled(kLongest, kLongest, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    }
    const QString problem = reader.errorString();
    QMetaObject::invokeMethod(
        this,
        [this, side, file, asked, image, problem] {
          --reading_;
          if (asked == asked_) {
            panes_[side]->show_image(file, image, problem);
          }
        },
        Qt::QueuedConnection);
  });
}

}  // namespace mantissa::gui
