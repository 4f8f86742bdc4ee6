// DataPage: its layout. The tools, and the images with their crops.
#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/base/Text.h"
#include "gui/dataset/BucketView.h"
#include "gui/dataset/CaptionEditor.h"
#include "gui/dataset/DataPage.h"
#include "gui/dataset/DatasetFilter.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/ImageDelegate.h"
#include "gui/dataset/NoticesView.h"
#include "gui/dataset/ReferenceViews.h"
#include "gui/dataset/VersionPicker.h"
#include "gui/preset/PresetDocument.h"
#include "gui/widgets/ColumnArea.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/PathEdit.h"

namespace mantissa::gui {
namespace {

constexpr int kAroundSearch = 40;  // pixels: its button and frame beside what it says

}  // namespace

QWidget* DataPage::build_tools() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::small);
  const QString tips[views] = {
      tr("The images as they are trained, with their captions.\nGood: every image has a caption, "
         "and nothing important is cut off.\nChange captions here, or of many with the tools."),
      tr("The sizes that images are scaled and cropped to.\nGood: few sizes, none with less than "
         "a batch.\nA size is left out with its checkbox."),
      tr("The folders, with repeats, loss weights and caption prefixes.\nGood: small folders that "
         "matter have more repeats.\nChange them in the table."),
      tr("Files that can't be trained, and why.\nGood: none.\nMend or remove them."),
      tr("What is probably not as you mean it.\nGood: none.\nEach leads to its images.")};
  for (int i = 0; i < views; ++i) {
    auto* chip = new QToolButton(bar);
    explain(chip, tips[i]);
    chip->setProperty("kind", QStringLiteral("chip"));
    chip->setCheckable(true);
    chip->setAutoExclusive(true);
    connect(chip, &QToolButton::clicked, this, [this, i] { show_view(static_cast<View>(i)); });
    chips_.push_back(chip);
    row->addWidget(chip);
  }
  row->addSpacing(Space::small);
  search_ = new QLineEdit(bar);
  search_->setPlaceholderText(tr("Search images"));
  search_->setToolTip(tr("Search names and captions (Ctrl+F)"));
  search_->setAccessibleName(tr("Search names and captions"));
  search_->setMinimumWidth(fontMetrics().horizontalAdvance(search_->placeholderText()) +
                           kAroundSearch);
  add_clear_button(search_, tr("Clear the search"));
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filter_->set_text(text);
    update_counts();
  });
  row->addWidget(search_, 1);
  row->addWidget(build_filter(bar));
  only_ = new QToolButton(bar);
  only_->setProperty("kind", QStringLiteral("chip"));
  only_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  only_->setAccessibleName(tr("Show all images again"));
  only_->setToolTip(tr("Show all images again"));
  bind_icon(only_, Icon::remove, theme_);
  only_->hide();
  connect(only_, &QToolButton::clicked, this, &DataPage::show_all);
  row->addWidget(only_);
  counts_ = new ElideLabel(QString(), bar);
  counts_->set_muted(true);
  counts_->set_mode(Qt::ElideRight);
  row->addWidget(counts_);
  row->addWidget(build_tagger(bar));
  find_ = new QToolButton(bar);
  find_->setText(tr("Find duplicates"));
  find_->setAccessibleName(tr("Find duplicates"));
  find_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bind_icon(find_, Icon::copy, theme_);
  connect(find_, &QToolButton::clicked, this, &DataPage::find_duplicates);
  row->addWidget(find_);
  outstanding_ = new QToolButton(bar);
  outstanding_->setAccessibleName(tr("Images that stood out in a run"));
  outstanding_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bind_icon(outstanding_, Icon::warning, theme_);
  outstanding_->hide();
  connect(outstanding_, &QToolButton::clicked, this, &DataPage::show_outstanding);
  row->addWidget(outstanding_);
  auto* again = new QToolButton(bar);
  again->setText(tr("Scan again"));
  again->setAccessibleName(tr("Scan again"));
  again->setToolTip(tr("Rescan the folders (Ctrl+R)"));
  again->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bind_icon(again, Icon::reset, theme_);
  connect(again, &QToolButton::clicked, this, &DataPage::scan);
  row->addWidget(again);
  return bar;
}

QWidget* DataPage::build_images() {
  auto* split = new QSplitter(Qt::Horizontal, this);
  split->setHandleWidth(Space::large);
  split->setChildrenCollapsible(false);
  list_ = new QListView(split);
  list_->setProperty("gallery", QStringLiteral("true"));
  list_->setModel(filter_);
  list_->setItemDelegate(new ImageDelegate(theme_, list_));
  list_->setAccessibleName(tr("Images"));
  list_->setViewMode(QListView::IconMode);
  list_->setResizeMode(QListView::Adjust);
  list_->setMovement(QListView::Static);
  list_->setUniformItemSizes(true);
  list_->setLayoutMode(QListView::Batched);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setSpacing(2);
  split->addWidget(list_);
  auto* card = make_card(split);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::small);
  column->addWidget(build_image_head(card));
  auto* side_by_side = new QHBoxLayout;
  side_by_side->setSpacing(Space::small);
  crop_ = new CropView(&loader_, theme_, card);
  side_by_side->addWidget(crop_, 1);
  references_ = new ReferenceViews(&loader_, theme_, card);
  side_by_side->addWidget(references_, 1);
  column->addLayout(side_by_side, 3);
  versions_ = new VersionPicker(theme_, card);
  connect(versions_, &VersionPicker::chosen, this, &DataPage::show_current);
  column->addWidget(versions_);
  fit_ = make_label(QString(), "muted", card);
  fit_->setWordWrap(true);
  column->addWidget(fit_);
  column->addWidget(build_image_actions(card));
  // In a low window it scrolls: its preview comes and goes.
  auto* scroll = new ColumnArea(tr("Caption and tags"), card);
  editor_ = new CaptionEditor(&book_, theme_, scroll->viewport());
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setMinimumHeight(9 * fontMetrics().lineSpacing());
  editor_->setProperty("flat", QStringLiteral("true"));
  scroll->set_column(editor_);
  column->addWidget(scroll, 4);
  split->addWidget(card);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  split->setSizes({660, 440});
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &DataPage::show_current);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &DataPage::show_current);
  return split;
}

bool DataPage::is_settled(const DataFinding& finding, const FoundFile& file) const {
  const auto found = noticed_.find(file.path);
  const ImageItem* item = found == noticed_.end() ? nullptr : model_->at(found->second);
  if (item == nullptr || item->path != file.path) {
    return false;
  }
  const QString caption = book_.caption(found->second);
  switch (finding.kind) {
    case DataFindingKind::no_caption:
    case DataFindingKind::empty_caption:
      return !caption.isEmpty();
    case DataFindingKind::cut_caption:
      return caption != to_qstring(item->caption);
    default:
      return false;
  }
}

void DataPage::show_notices(bool rows) {
  const std::vector<DataFinding>& findings = model_->check().data.report.findings;
  const auto settled = [this](const DataFinding& finding, const FoundFile& file) {
    return is_settled(finding, file);
  };
  if (rows) {
    notices_view_->show_findings(findings, settled);
  } else {
    notices_view_->count_findings(findings, settled);
  }
}

void DataPage::show_crop(int current) {
  const QString path = path_text(model_->at(current)->path);
  if (versions_->variant() >= 0) {
    const ImageVersion version =
        model_->version(current, document_->preset(), versions_->variant());
    crop_->show_version(path, version);
    references_->show_references(model_->at(current)->references,
                                 model_->references(current, version), true);
    fit_->setText(version_text(version));
    return;
  }
  const Placement p = model_->placement(current);
  crop_->show_image(path, p);
  references_->show_references(model_->at(current)->references, model_->references(current, {p}),
                               false);
  const double kept = 1.0 * p.bucket.width * p.bucket.height /
                      (static_cast<double>(p.scaled_width) * p.scaled_height);
  const double enlarged = static_cast<double>(p.scaled_width) / p.original_width;
  QString fit = tr("%1 × %2, trained as %3 × %4; %5 of it is kept")
                    .arg(p.original_width)
                    .arg(p.original_height)
                    .arg(p.bucket.width)
                    .arg(p.bucket.height)
                    .arg(percent_text(kept, kept < 0.9995 ? 1 : 0));
  if (enlarged > 1.01) {
    fit += tr("; enlarged %1 times").arg(enlarged, 0, 'f', 2);
  }
  for (const QString& more :
       {mask_text(current), model_->group_text(current), model_->run_text(current)}) {
    fit += more.isEmpty() ? more : QLatin1Char('\n') + more;
  }
  fit_->setText(fit);
}

}  // namespace mantissa::gui
