// MainWindow and presets: where they come from, and the preflight of the draft.
#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include "engine/io/preset_file.h"
#include "engine/preset/preset_io.h"
#include "gui/app/MainWindow.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/device/DevicePage.h"
#include "gui/engine/AppSettings.h"
#include "gui/precision/PlanWatcher.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/DiffTable.h"
#include "gui/preset/ImportDialog.h"
#include "gui/preset/PresetDiff.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/PresetPicker.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

/// Every local path that is dragged.
QStringList local_paths(const QMimeData* data) {
  QStringList paths;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) {
      paths << url.toLocalFile();
    }
  }
  return paths;
}

/// Shows changes before they are made; `agreed` runs when they are wanted.
void ask_about_changes(QWidget* parent, const Theme* theme, const QString& title,
                       const std::vector<PresetChange>& changes,
                       const std::function<void()>& agreed) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  dialog->resize(620, 420);
  auto* column = new QVBoxLayout(dialog);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::medium);
  auto* area = new QScrollArea(dialog);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setAccessibleName(title);
  auto* table = new DiffTable(theme);
  table->show_changes(changes, MainWindow::tr("Now"), MainWindow::tr("After the fixes"));
  area->setWidget(table);
  column->addWidget(area, 1);
  auto* buttons = new QDialogButtonBox(dialog);
  auto* apply = buttons->addButton(MainWindow::tr("Apply all"), QDialogButtonBox::AcceptRole);
  apply->setAccessibleName(MainWindow::tr("Apply all changes"));
  set_property(apply, "kind", QStringLiteral("primary"));
  auto* cancel = buttons->addButton(MainWindow::tr("Cancel"), QDialogButtonBox::RejectRole);
  cancel->setAccessibleName(MainWindow::tr("Close without changes"));
  column->addWidget(buttons);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, [dialog, agreed] {
    agreed();
    dialog->accept();
  });
  apply->setDefault(true);
  dialog->open();
}

}  // namespace

void MainWindow::connect_setup() {
  PrecisionPanel* panel = setup_->precision();
  connect(panel, &PrecisionPanel::fix_requested, this,
          [this](const QString& patch, const QString& id) {
            const QString wrong =
                p_.document->apply_patch(patch.toStdString(), tr("fix for %1").arg(id));
            if (!wrong.isEmpty()) {
              show_error(wrong);
            }
          });
  connect(panel, &PrecisionPanel::fix_all_requested, this, &MainWindow::fix_all_safe);
  connect(panel, &PrecisionPanel::counted, this, &MainWindow::update_readiness);
  connect(setup_->job(), &JobPanel::changed, this, &MainWindow::update_readiness);
  connect(actions_->fix_all, &QAction::triggered, this, &MainWindow::fix_all_safe);
  connect(this, &MainWindow::first_frame, device_, &DevicePage::refresh);
  update_readiness();
  if (p_.watcher == nullptr) {
    return;
  }
  connect(p_.document, &PresetDocument::changed, this, &MainWindow::plan_draft);
  connect(setup_->job(), &JobPanel::changed, this, &MainWindow::plan_draft);
  connect(p_.watcher, &PlanWatcher::planned, panel, &PrecisionPanel::show_findings);
  connect(p_.watcher, &PlanWatcher::measured, panel, &PrecisionPanel::show_plan);
  connect(p_.watcher, &PlanWatcher::unmeasured, panel, &PrecisionPanel::show_memory_problem);
  connect(p_.watcher, &PlanWatcher::fits, panel, &PrecisionPanel::show_fits);
  connect(p_.watcher, &PlanWatcher::measured, this, [this](const PlanReport& report) {
    if (!p_.engine->is_running()) {
      bar_->set_memory(report.peak_bytes, report.free_bytes);
    }
  });
  connect(this, &MainWindow::first_frame, this, &MainWindow::plan_draft);
}

void MainWindow::plan_draft() {
  JobSpec job = setup_->job()->job();
  job.preset = p_.document->preset();
  p_.watcher->set_job(job);
}

void MainWindow::fix_all_safe() {
  if (p_.watcher == nullptr) {
    return;
  }
  JobSpec job = setup_->job()->job();
  job.preset = p_.document->preset();
  try {
    const Preset fixed = with_safe_fixes(p_.watcher->quick(), job);
    const auto changes = diff_presets(job.preset, fixed);
    if (changes.empty()) {
      show_info(tr("There is nothing to fix."));
      return;
    }
    ask_about_changes(this, p_.theme, tr("Apply safe fixes"), changes,
                      [this, fixed] { p_.document->replace(fixed, tr("applying safe fixes")); });
  } catch (const std::exception& e) {
    show_error(QString::fromUtf8(e.what()));
  }
}

void MainWindow::add_preset_actions(QMenu* file, QMenu* edit) {
  if (file != nullptr) {
    recent_menu_ = file->addMenu(tr("Open &recent"));
    connect(recent_menu_, &QMenu::aboutToShow, this, &MainWindow::fill_recent);
    file->addAction(tr("&Import…"), QKeySequence(Qt::CTRL | Qt::Key_I), this, [this] {
      ask_.import_preset(this, p_.settings->last_folder(),
                         [this](const QString& chosen) { import_file(chosen); });
    });
    file->addAction(tr("Choose a &built-in preset…"), QKeySequence(Qt::CTRL | Qt::Key_B), this,
                    &MainWindow::show_picker);
    fill_recent();
  }
  if (edit != nullptr) {
    edit->addAction(tr("Edit preset as &text"), QKeySequence(Qt::CTRL | Qt::Key_E), this, [this] {
      show_page(setup);
      setup_->show_view(SetupPage::text_view);
    });
    edit->addAction(tr("Co&mpare presets"), QKeySequence(Qt::CTRL | Qt::Key_D), this, [this] {
      show_page(setup);
      setup_->show_view(SetupPage::diff_view);
    });
  }
}

void MainWindow::fill_recent() {
  recent_menu_->clear();
  for (const QString& path : p_.settings->recent_files()) {
    QString name = QFileInfo(path).fileName();
    QAction* action = recent_menu_->addAction(
        name.replace(QLatin1Char('&'), QLatin1String("&&")), this,
        [this, path] { settle_unsaved([this, path] { open_preset(path); }); });
    action->setToolTip(path.toHtmlEscaped());
    action->setStatusTip(path);
  }
  recent_menu_->setEnabled(!recent_menu_->isEmpty());
}

void MainWindow::set_library(const std::vector<PresetEntry>& presets) {
  library_ = in_groups(presets);
  setup_->diff()->set_library(library_);
  library_menu_->clear();
  library_menu_->setToolTipsVisible(true);
  QString group;
  for (const PresetEntry& entry : library_) {
    if (preset_group(entry) != group) {
      group = preset_group(entry);
      library_menu_->addSection(group);
    }
    const QString name =
        entry.preset.name.empty() ? to_qstring(entry.id) : to_qstring(entry.preset.name);
    QAction* action = library_menu_->addAction(name, this, [this, preset = entry.preset] {
      settle_unsaved([this, preset] { p_.document->load(preset, QString()); });
    });
    action->setToolTip(to_qstring(entry.preset.description).toHtmlEscaped());
  }
  library_menu_->setEnabled(!presets.empty());
}

void MainWindow::show_picker() {
  auto* picker = new PresetPicker(library_, p_.theme, this);
  connect(picker, &PresetPicker::chosen, this, [this](const Preset& preset) {
    settle_unsaved([this, preset] {
      p_.document->load(preset, QString());
      show_page(setup);
    });
  });
  picker->open();
}

void MainWindow::import_file(const QString& file) {
  const QString name = QFileInfo(file).fileName();
  ImportResult result;
  try {
    result = import_preset_file(to_path(file));
  } catch (const std::exception& e) {
    show_error(QString::fromUtf8(e.what()));
    return;
  }
  messages_->hide();
  p_.settings->set_last_folder(QFileInfo(file).absolutePath());
  show_import(result, name);
}

void MainWindow::show_import(const ImportResult& result, const QString& name) {
  auto* dialog = new ImportDialog(result, name, p_.document->preset(), p_.theme, this);
  connect(dialog, &ImportDialog::applied, this, [this, name](const Preset& preset) {
    p_.document->replace(preset, tr("import of %1").arg(name));
    show_page(setup);
  });
  dialog->open();
}

void MainWindow::paste_preset() {
  try {
    show_import(import_preset_text(QApplication::clipboard()->text().toStdString(),
                                   tr("clipboard").toStdString()),
                tr("clipboard"));
  } catch (const std::exception& e) {
    show_error(QString::fromUtf8(e.what()));
  }
}

void MainWindow::take_dropped(const QStringList& paths) {
  for (const QString& path : paths) {
    const QFileInfo info(path);
    if (info.isDir()) {
      // A diffusers folder says so by its index or its UNet; any other folder holds images.
      const bool model = QFileInfo::exists(path + QLatin1String("/model_index.json")) ||
                         QFileInfo::exists(path + QLatin1String("/unet/config.json"));
      if (model) {
        setup_->job()->base()->set_path(path);
      } else {
        setup_->job()->images()->add(path);
      }
      show_page(setup);
      continue;
    }
    const bool weights =
        info.suffix().compare(QLatin1String("safetensors"), Qt::CaseInsensitive) == 0;
    if (weights) {
      try {
        show_import(import_preset_file(to_path(path)), info.fileName());
      } catch (const std::exception&) {
        // No preset in it: a base model, or an adapter of another program.
        setup_->job()->base()->set_path(path);
        show_info(
            tr("%1 carries no preset; it is now the base model of this run.").arg(info.fileName()));
        show_page(setup);
      }
    } else {
      import_file(path);
    }
  }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!local_paths(event->mimeData()).isEmpty()) {
    event->acceptProposedAction();
  }
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  // After the drop is over: a question may be asked.
  const QStringList paths = local_paths(event->mimeData());
  QMetaObject::invokeMethod(
      this, [this, paths] { take_dropped(paths); }, Qt::QueuedConnection);
}

}  // namespace mantissa::gui
