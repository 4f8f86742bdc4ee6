#include "gui/dataset/TaggerDialog.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/dataset/CaptionBook.h"
#include "gui/dataset/CaptionerForm.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/EndpointForm.h"
#include "gui/dataset/ProposalModel.h"
#include "gui/dataset/TaggerForm.h"
#include "gui/plot/Axis.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kThumb = 56;
constexpr int kTickMs = 200;

}  // namespace

TaggerDialog::TaggerDialog(Images images, const Defaults& defaults, AppSettings* settings,
                           const Theme* theme, QWidget* parent)
    : QDialog(parent), images_(std::move(images)), device_(defaults.device), theme_(theme) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("TaggerDialog"));
  setWindowTitle(tr("Caption by a model"));
  task_ = new CaptionTask(this);
  proposals_ = new ProposalModel(images_.model, this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::medium);
  form_ = new TaggerForm(settings, defaults.trigger, theme, this);
  column->addWidget(form_);
  auto* work = new QHBoxLayout;
  work->setSpacing(Space::small);
  build_work(work);
  column->addLayout(work);
  status_ = make_label(QString(), "muted", this);
  status_->setWordWrap(true);
  status_->setMinimumHeight(2 * fontMetrics().lineSpacing());  // nothing below it moves
  status_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  column->addWidget(status_);
  build_table();
  column->addWidget(table_, 1);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(Space::small);
  build_buttons(buttons);
  column->addLayout(buttons);

  connect(form_, &TaggerForm::changed, this, &TaggerDialog::update_buttons);
  connect(proposals_, &QAbstractItemModel::dataChanged, this, &TaggerDialog::update_buttons);
  connect(task_, &ThreadTask::changed, this, &TaggerDialog::update_buttons);
  connect(task_, &ThreadTask::progressed, this, [this](qint64 done, qint64 total) {
    clock_.advance(task_->is_loading() ? RunPhase::loading : RunPhase::reading, done, total);
    show_progress();
  });
  connect(task_, &CaptionTask::finished, this, &TaggerDialog::end);
  connect(task_, &ThreadTask::failed, this, [this](const Message& message) {
    end();
    say(plain_text(message), true);
  });
  ticks_.setInterval(kTickMs);
  connect(&ticks_, &QTimer::timeout, this, &TaggerDialog::show_progress);
  resize(900, 640);
  update_buttons();
}

void TaggerDialog::build_work(QHBoxLayout* row) {
  scope_ = new NoWheelCombo(this);
  scope_->setAccessibleName(tr("Which images"));
  scope_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  scope_->addItem(tr("The images shown"));
  scope_->addItem(tr("The images selected"));
  scope_->setCurrentIndex(images_.selected.size() > 1 ? 1 : 0);
  row->addWidget(scope_);
  start_ = new QPushButton(this);
  row->addWidget(start_);
  count_ = make_label(QString(), "muted", this);
  row->addWidget(count_);
  row->addStretch(1);
  bar_ = new QProgressBar(this);
  bar_->setTextVisible(false);
  bar_->setFixedWidth(160);
  bar_->setAccessibleName(tr("Images captioned"));
  keep_room(bar_);
  row->addWidget(bar_);
  cancel_ = new QPushButton(tr("Cancel"), this);
  cancel_->setAccessibleName(tr("Cancel captioning"));
  row->addWidget(cancel_);
  connect(scope_, &QComboBox::currentIndexChanged, this, &TaggerDialog::update_buttons);
  connect(start_, &QPushButton::clicked, this, &TaggerDialog::start);
  connect(cancel_, &QPushButton::clicked, this, &TaggerDialog::reject);
}

void TaggerDialog::build_table() {
  table_ = new QTableView(this);
  table_->setModel(proposals_);
  table_->setAccessibleName(tr("New captions"));
  table_->setProperty("rows", QStringLiteral("true"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setShowGrid(false);
  table_->setWordWrap(true);
  table_->setIconSize(QSize(kThumb, kThumb));
  table_->setMinimumHeight(2 * kThumb);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setDefaultSectionSize(
      std::max(kThumb + 8, 3 * fontMetrics().lineSpacing() + 8));
  QHeaderView* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->setSectionResizeMode(QHeaderView::Stretch);
  header->setSectionResizeMode(ProposalModel::image, QHeaderView::Fixed);
  header->resizeSection(ProposalModel::image, 220);
}

void TaggerDialog::build_buttons(QHBoxLayout* row) {
  undo_ = new QPushButton(tr("Put back the latest captions"), this);
  undo_->setAccessibleName(undo_->text());
  undo_->setToolTip(
      tr("Puts back what a model's latest captions changed, of this window or of "
         "the command line, but for captions edited since"));
  row->addWidget(undo_);
  row->addStretch(1);
  write_ = new QPushButton(this);
  row->addWidget(write_);
  auto* close = new QPushButton(tr("Close"), this);
  close->setAccessibleName(tr("Close the dialog"));
  row->addWidget(close);
  connect(undo_, &QPushButton::clicked, this, &TaggerDialog::undo_wanted);
  connect(write_, &QPushButton::clicked, this, &TaggerDialog::write_chosen);
  connect(close, &QPushButton::clicked, this, &TaggerDialog::reject);
}

const QVector<int>& TaggerDialog::scope_items() const {
  return scope_->currentIndex() == 0 ? images_.shown : images_.selected;
}

QVector<int> TaggerDialog::wanted() const {
  const bool keep = form_->existing() == ExistingCaption::keep;
  QVector<int> items;
  std::ranges::copy_if(scope_items(), std::back_inserter(items), [&](int item) {
    return images_.book->is_writable(item) && !(keep && !images_.book->caption(item).isEmpty());
  });
  return items;
}

void TaggerDialog::update_buttons() {
  const bool busy = task_->is_busy();
  const auto count = static_cast<int>(wanted().size());
  const auto others = static_cast<int>(scope_items().size()) - count;
  start_->setText(scope_->currentIndex() == 0 ? tr("Caption %n shown image(s)", nullptr, count)
                                              : tr("Caption %n selected image(s)", nullptr, count));
  start_->setAccessibleName(start_->text());
  count_->setText(others == 0 ? QString()
                  : form_->existing() == ExistingCaption::keep
                      ? tr("%n caption(s) kept", nullptr, others)
                      : tr("%n read-only", nullptr, others));
  // The next step stands out.
  const bool reviewing = proposals_->ticked() > 0;
  set_property(start_, "kind", reviewing ? QString() : QStringLiteral("primary"));
  set_property(write_, "kind", reviewing ? QStringLiteral("primary") : QString());
  const QString lack = form_->lack();
  start_->setEnabled(!busy && count > 0 && lack.isEmpty());
  start_->setToolTip(lack.toHtmlEscaped());
  form_->setEnabled(!busy);
  scope_->setEnabled(!busy);
  undo_->setEnabled(!busy);
  cancel_->setEnabled(busy);
  bar_->setVisible(busy);
  const int ticked = proposals_->ticked();
  write_->setText(tr("Write %n caption(s)", nullptr, ticked));
  write_->setAccessibleName(write_->text());
  write_->setEnabled(!busy && ticked > 0);
}

void TaggerDialog::start() {
  const std::optional<CaptionOptions> options = form_->options();
  if (!options || task_->is_busy()) {
    return;
  }
  form_->remember();
  const QVector<int> items = wanted();
  CaptionTask::Wish wish{to_path(form_->tagger()), device_, *options, {}};
  if (form_->uses_endpoint()) {
    wish.endpoint = form_->endpoint()->options();
  } else if (form_->uses_captioner()) {
    wish.captioner = to_path(form_->captioner()->model()->path());
    wish.question = form_->captioner()->options();
  }
  for (const int item : items) {
    // As the page has it, which a file may lack yet.
    ImageItem& image = wish.images.emplace_back(*images_.model->at(item));
    image.caption = images_.book->caption(item).toStdString();
    image.caption_source = "txt";
  }
  proposals_->expect(items);
  warned_ = false;
  clock_.clear();
  bar_->setRange(0, 0);
  say(form_->uses_endpoint()    ? tr("Asking the model…")
      : form_->uses_captioner() ? tr("Loading the model…")
                                : tr("Loading the tagger…"));
  task_->start(std::move(wish));
  ticks_.start();
}

void TaggerDialog::show_progress() {
  proposals_->add(task_->take());
  if (!task_->is_busy() || !clock_.phase()) {
    return;
  }
  bar_->setRange(0, static_cast<int>(clock_.total()));
  bar_->setValue(static_cast<int>(clock_.done()));
  if (clock_.phase() == RunPhase::loading) {
    return;
  }
  QString text =
      tr("Captioned %1 of %2 images").arg(step_text(clock_.done()), step_text(clock_.total()));
  if (const double left = clock_.remaining(); left >= 1) {
    text += QStringLiteral(" · ") + tr("ETA %1").arg(format_duration(left));
  }
  say(text);
}

void TaggerDialog::end() {
  ticks_.stop();
  proposals_->add(task_->take());
  QStringList parts{tr("Captioned %n image(s).", nullptr, proposals_->rowCount())};
  if (const int broken = proposals_->unreadable(); broken > 0) {
    parts << (form_->uses_endpoint() || form_->uses_captioner()
                  ? tr("%n image(s) got no caption.", nullptr, broken)
                  : tr("%n image(s) can't be read.", nullptr, broken));
  }
  parts << tr(
      "Nothing is written yet: a double click edits a caption, and only those "
      "with a tick are written.");
  say(parts.join(QLatin1Char(' ')));
  update_buttons();
}

void TaggerDialog::reject() {
  if (task_->is_busy()) {
    task_->cancel();
    end();
    return;
  }
  if (const int ticked = proposals_->ticked(); ticked > 0 && !warned_) {
    warned_ = true;
    say(tr("%n caption(s) aren't written. Close again to discard them.", nullptr, ticked));
    return;
  }
  QDialog::reject();
}

void TaggerDialog::write_chosen() {
  const int count = images_.book->write_now(proposals_->chosen(), tr("captions by a model"));
  emit written(count);
  accept();
}

void TaggerDialog::say(const QString& text, bool error) {
  set_property(status_, "role", error ? QStringLiteral("error") : QStringLiteral("muted"));
  status_->setText(text);
}

QString TaggerDialog::status() const {
  return status_->text();
}

}  // namespace mantissa::gui
