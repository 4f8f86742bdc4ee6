// The pages of MainWindow: switching between them, and what one asks of another.
#include <QAbstractButton>
#include <QAction>
#include <QButtonGroup>
#include <QMenu>
#include <QStackedWidget>
#include <QUndoGroup>

#include "gui/app/FrameTicker.h"
#include "gui/app/MainWindow.h"
#include "gui/app/Notifier.h"
#include "gui/app/SetupPage.h"
#include "gui/app/ShortcutsDialog.h"
#include "gui/dataset/DataPage.h"
#include "gui/device/DevicePage.h"
#include "gui/history/ComparePage.h"
#include "gui/history/HistoryPage.h"
#include "gui/history/RunLibrary.h"
#include "gui/precision/PlanWatcher.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunPage.h"
#include "gui/samples/SampleModel.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {

QStringList MainWindow::page_names() {
  return {QStringLiteral("setup"),   QStringLiteral("data"),    QStringLiteral("train"),
          QStringLiteral("samples"), QStringLiteral("history"), QStringLiteral("device")};
}

void MainWindow::show_page(Page page) {
  pages_->setCurrentIndex(page);
  rail_->button(page)->setChecked(true);
  undo_->setActiveStack(page == data ? data_->undo_stack() : p_.document->undo_stack());
  if (page == train) {
    run_->on_frame();
    run_->on_labels();
  }
}

MainWindow::Page MainWindow::page() const {
  return static_cast<Page>(pages_->currentIndex());
}

bool MainWindow::is_loading() const {
  if (!begun_) {
    return true;
  }
  switch (page()) {
    case setup:
      return p_.watcher != nullptr && p_.watcher->is_busy();
    case data:
      return data_->is_loading();
    case train:
    case samples:
      return p_.samples->is_loading();
    case history:
      return !history_->is_listed() || history_->compare()->loaded() != history_->chosen().size();
    case device:
      return !device_->is_ready();
    default:
      return false;
  }
}

void MainWindow::connect_pages() {
  connect(history_, &HistoryPage::news, this, &MainWindow::show_info);
  connect(history_, &HistoryPage::problem, this, &MainWindow::show_error);
  connect(history_, &HistoryPage::deleted, this, [this](const QString& text) {
    messages_->offer(text, {{tr("Undo"), [this] { p_.runs->restore(); }}});
  });
  connect(data_, &DataPage::news, this, &MainWindow::show_info);
  connect(data_, &DataPage::problem, this, &MainWindow::show_error);
  connect(device_, &DevicePage::copied, this,
          [this] { show_info(tr("The device report is on the clipboard.")); });
  connect(device_, &DevicePage::reported, this,
          [this] { setup_->job()->set_devices(device_->report().devices); });
  connect(notifier_, &Notifier::percent_changed, this, &MainWindow::update_title);
  // Also while the window is minimised: that is when the taskbar is looked at.
  connect(ticker_, &FrameTicker::frame, notifier_, &Notifier::update);
}

void MainWindow::add_help(QMenu* menu) {
  auto* keys = menu->addAction(tr("&Keyboard shortcuts"), this,
                               [this] { (new ShortcutsDialog(this, p_.theme, this))->open(); });
  keys->setShortcuts({QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)});
}

}  // namespace mantissa::gui
