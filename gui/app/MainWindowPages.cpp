// The pages of MainWindow: switching between them, and what one asks of another.
#include <QAbstractButton>
#include <QAction>
#include <QButtonGroup>
#include <QMenu>
#include <QStackedWidget>
#include <QUndoGroup>

#include "gui/app/MainWindow.h"
#include "gui/app/ShortcutsDialog.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/RunPage.h"

namespace mantissa {

QStringList MainWindow::page_names() {
  return {QStringLiteral("setup"),   QStringLiteral("data"),    QStringLiteral("train"),
          QStringLiteral("samples"), QStringLiteral("history"), QStringLiteral("device")};
}

void MainWindow::show_page(Page page) {
  pages_->setCurrentIndex(page);
  rail_->button(page)->setChecked(true);
  undo_->setActiveStack(p_.document->undo_stack());
  if (page == train) {
    run_->on_frame();
    run_->on_labels();
  }
}

MainWindow::Page MainWindow::page() const {
  return static_cast<Page>(pages_->currentIndex());
}

void MainWindow::connect_pages() {}

void MainWindow::add_help(QMenu* menu) {
  auto* keys = menu->addAction(tr("&Keyboard shortcuts"), this,
                               [this] { (new ShortcutsDialog(this, p_.theme, this))->open(); });
  keys->setShortcuts({QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)});
}

}  // namespace mantissa
