#include "gui/models/ModelPicker.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <utility>

#include "gui/base/Text.h"
#include "gui/engine/AppSettings.h"
#include "gui/models/ModelTable.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kOwnRole = Qt::UserRole;  ///< the path of a folder that the user added

}  // namespace

ModelPicker::ModelPicker(ModelScan* scan, FindRoots roots, AppSettings* settings,
                         const Theme* theme, QWidget* parent)
    : QDialog(parent),
      scan_(scan),
      roots_(std::move(roots)),
      settings_(settings),
      theme_(theme),
      choose_folder_(folder_chooser(tr("Folder with models"))) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Base models on this computer"));
  models_ = new ModelTable(this);
  filter_ = new ModelFilter(models_, this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::medium);
  search_ = new QLineEdit(this);
  search_->setPlaceholderText(tr("Search names, families, places"));
  search_->setAccessibleName(tr("Search models"));
  add_clear_button(search_, tr("Clear the search"));
  column->addWidget(search_);
  column->addWidget(build_table(), 1);
  column->addLayout(build_status());
  column->addWidget(build_folders());
  auto* buttons = new QDialogButtonBox(this);
  use_ = buttons->addButton(tr("Use this model"), QDialogButtonBox::AcceptRole);
  use_->setAccessibleName(tr("Use the selected model"));
  set_property(use_, "kind", QStringLiteral("primary"));
  auto* cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
  cancel->setAccessibleName(tr("Close without choosing"));
  column->addWidget(buttons);

  connect(buttons, &QDialogButtonBox::accepted, this, &ModelPicker::take);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect_parts();
  resize(860, 580);
  search_->setFocus();
  look();
}

QTableView* ModelPicker::build_table() {
  table_ = new QTableView(this);
  table_->setModel(filter_);
  table_->setAccessibleName(tr("Base models"));
  table_->setProperty("rows", QStringLiteral("true"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->setMinimumHeight(120);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
  QHeaderView* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setSortIndicatorClearable(true);
  header->setSortIndicator(-1, Qt::AscendingOrder);  // as they lie in their folders
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setSectionResizeMode(ModelTable::name, QHeaderView::Stretch);
  header->setMinimumSectionSize(60);
  header->setAccessibleName(tr("Columns of the models"));
  table_->setSortingEnabled(true);
  return table_;
}

QLayout* ModelPicker::build_status() {
  auto* row = new QHBoxLayout;
  row->setSpacing(Space::medium);
  status_ = make_label(QString(), "muted", this);
  row->addWidget(status_, 1);
  progress_ = new QProgressBar(this);
  progress_->setRange(0, 0);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(120);
  progress_->setAccessibleName(tr("Looking for models"));
  keep_room(progress_);
  row->addWidget(progress_);
  return row;
}

void ModelPicker::connect_parts() {
  connect(table_, &QTableView::doubleClicked, this, &ModelPicker::take);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filter_->set_text(text);
    if (!table_->currentIndex().isValid() && filter_->rowCount() > 0) {
      table_->selectRow(0);
    }
    update_status();
  });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &ModelPicker::update_status);
  connect(scan_, &ModelScan::found, this, [this](const QVector<FoundModel>& models) {
    models_->add(models);
    update_status();
  });
  connect(scan_, &ModelScan::finished, this,
          [this](const std::vector<ProgramFolder>& found, int others) {
            others_ = others;
            show_folders(found);
            update_status();
          });
}

ModelPicker::~ModelPicker() {
  if (scan_) {
    scan_->cancel();
  }
}

QWidget* ModelPicker::build_folders() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::tiny);
  column->addWidget(make_label(tr("Folders looked through"), "muted", box));
  auto* row = new QHBoxLayout;
  row->setSpacing(Space::small);
  folders_ = new QListWidget(box);
  folders_->setAccessibleName(tr("Folders looked through"));
  folders_->setTextElideMode(Qt::ElideMiddle);
  folders_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  folders_->setFixedHeight(4 * (fontMetrics().height() + 6));
  row->addWidget(folders_, 1);
  auto* side = new QVBoxLayout;
  side->setSpacing(Space::tiny);
  auto* add = new QPushButton(tr("Add folder…"), box);
  add->setAccessibleName(tr("Add a folder with models"));
  bind_icon(add, Icon::add, theme_);
  side->addWidget(add);
  remove_ = new QPushButton(tr("Remove"), box);
  remove_->setAccessibleName(tr("Remove the selected folder"));
  side->addWidget(remove_);
  side->addStretch();
  row->addLayout(side);
  column->addLayout(row);
  connect(add, &QPushButton::clicked, this, [this] {
    choose_folder_(this, settings_->model_folders().value(0),
                   [this](const QString& folder) { add_folder(folder); });
  });
  connect(remove_, &QPushButton::clicked, this, &ModelPicker::remove_folder);
  const auto update = [this] {
    const QListWidgetItem* item = folders_->currentItem();
    remove_->setEnabled(item != nullptr && !item->data(kOwnRole).toString().isEmpty());
  };
  connect(folders_, &QListWidget::currentItemChanged, this, update);
  update();
  return box;
}

void ModelPicker::look() {
  others_ = -1;
  models_->clear();
  show_folders({});
  scan_->start(roots_, settings_->model_folders());
  update_status();
}

void ModelPicker::show_folders(const std::vector<ProgramFolder>& found) {
  folders_->clear();
  const auto add = [this](const QString& text, const QString& own) {
    auto* item = new QListWidgetItem(shown(text), folders_);
    item->setData(kOwnRole, own);
    item->setToolTip(item->text().toHtmlEscaped());
  };
  for (const QString& folder : settings_->model_folders()) {
    add(tr("%1 · added by you").arg(folder), folder);
  }
  for (const ProgramFolder& folder : found) {
    add(QStringLiteral("%1 · %2").arg(QDir::toNativeSeparators(folder.path),
                                      program_title(folder.program)),
        QString());
  }
}

void ModelPicker::add_folder(const QString& folder) {
  QStringList folders = settings_->model_folders();
  if (!folder.isEmpty() && !folders.contains(folder)) {
    folders << folder;
    settings_->set_model_folders(folders);
    look();
  }
}

void ModelPicker::remove_folder() {
  if (const QListWidgetItem* item = folders_->currentItem()) {
    QStringList folders = settings_->model_folders();
    folders.removeAll(item->data(kOwnRole).toString());
    settings_->set_model_folders(folders);
    look();
  }
}

QString ModelPicker::status() const {
  return status_->text();
}

void ModelPicker::update_status() {
  const int all = models_->rowCount(), seen = filter_->rowCount();
  QStringList parts{seen == all ? tr("%n model(s)", nullptr, all)
                                : tr("%1 of %2").arg(step_text(seen), step_text(all))};
  if (others_ > 0) {
    parts << tr("%n other file(s) passed over", nullptr, others_);
  }
  if (others_ >= 0 && all == 0) {
    parts = {tr("No base model was found. Add the folder that holds yours.")};
  }
  status_->setText(parts.join(QStringLiteral(" · ")));
  progress_->setVisible(others_ < 0);
  use_->setEnabled(table_->selectionModel()->hasSelection());
}

void ModelPicker::take() {
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  if (!rows.isEmpty()) {
    emit chosen(rows.front().data(ModelTable::kPathRole).toString());
    accept();
  }
}

}  // namespace mantissa::gui
