#include "gui/widgets/PathEdit.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QStandardPaths>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include "gui/base/Icons.h"
#include "gui/base/Text.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

QStringList dropped_paths(const QMimeData* data) {
  QStringList out;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) {
      out << QDir::toNativeSeparators(url.toLocalFile());
    }
  }
  return out;
}

void open_dialog(QFileDialog* dialog, std::function<void(const QString&)> chosen) {
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &QFileDialog::fileSelected, dialog,
                   [chosen = std::move(chosen)](const QString& file) {
                     if (!file.isEmpty()) {
                       chosen(QDir::toNativeSeparators(file));
                     }
                   });
  dialog->open();
}

constexpr QLatin1String kDemo("demo");

/// A list with placeholder text.
class FolderList : public QListWidget {
 public:
  FolderList(QString placeholder, QWidget* parent)
      : QListWidget(parent), placeholder_(std::move(placeholder)) {}

 protected:
  void paintEvent(QPaintEvent* event) override {
    QListWidget::paintEvent(event);
    if (count() == 0) {
      QPainter painter(viewport());
      painter.setPen(palette().color(QPalette::PlaceholderText));
      const QRect room = viewport()->rect().adjusted(6, 4, -6, -4);
      painter.drawText(room, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, placeholder_);
    }
  }

 private:
  QString placeholder_;
};

/// Where a dialog opens if there is no path yet: what the program was started in says nothing.
QString start_or(const QString& start, QStandardPaths::StandardLocation place) {
  if (!start.isEmpty()) {
    return start;
  }
  const QString usual = QStandardPaths::writableLocation(place);
  return QFileInfo(usual).isDir() ? usual : QDir::homePath();
}

}  // namespace

PathChooser folder_chooser(const QString& title) {
  return
      [title](QWidget* parent, const QString& start, std::function<void(const QString&)> chosen) {
        auto* dialog =
            new QFileDialog(parent, title, start_or(start, QStandardPaths::PicturesLocation));
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        open_dialog(dialog, std::move(chosen));
      };
}

PathChooser file_chooser(const QString& title, const QString& filter) {
  return [=](QWidget* parent, const QString& start, std::function<void(const QString&)> chosen) {
    auto* dialog =
        new QFileDialog(parent, title, start_or(start, QStandardPaths::HomeLocation), filter);
    dialog->setFileMode(QFileDialog::ExistingFile);
    open_dialog(dialog, std::move(chosen));
  };
}

PathChooser save_chooser(const QString& title, const QString& filter, const QString& suffix) {
  return [=](QWidget* parent, const QString& start, std::function<void(const QString&)> chosen) {
    const QString folder =
        QFileInfo(start).isRelative() ? QString() : QFileInfo(start).absolutePath();
    auto* dialog =
        new QFileDialog(parent, title, start_or(folder, QStandardPaths::DocumentsLocation), filter);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix.mid(1));
    dialog->selectFile(QFileInfo(start).fileName());
    open_dialog(dialog, std::move(chosen));
  };
}

PathEdit::PathEdit(Options options, const Theme* theme, QWidget* parent)
    : QWidget(parent), options_(std::move(options)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::tiny);
  edit_ = new QLineEdit(this);
  edit_->setPlaceholderText(options_.placeholder);
  edit_->setAccessibleName(options_.name);
  add_clear_button(edit_, tr("Clear %1").arg(options_.name));
  row->addWidget(edit_, 1);
  auto* browse = new QToolButton(this);
  browse->setAccessibleName(tr("Browse for %1").arg(options_.name));
  browse->setToolTip(tr("Browse…"));
  bind_icon(browse, Icon::folder, theme);
  row->addWidget(browse);
  if (options_.offer_demo) {
    auto* demo = new QPushButton(tr("Demo"), this);
    demo->setAccessibleName(tr("Use the built-in demo as %1").arg(options_.name));
    demo->setToolTip(tr("Use the built-in demo"));
    row->addWidget(demo);
    connect(demo, &QPushButton::clicked, this, [this] { set_path(kDemo); });
  }
  connect(edit_, &QLineEdit::textChanged, this, &PathEdit::changed);
  connect(browse, &QToolButton::clicked, this, &PathEdit::browse);
  setFocusProxy(edit_);
  setAcceptDrops(true);
  edit_->setAcceptDrops(false);  // so that drops reach this widget
}

QString PathEdit::path() const {
  return edit_->text().trimmed();
}

void PathEdit::browse() {
  // The demo is no place to begin at.
  options_.choose(this, path() == kDemo ? QString() : path(),
                  [this](const QString& chosen) { set_path(chosen); });
}

void PathEdit::set_path(const QString& path) {
  if (edit_->text() != path) {
    edit_->setText(path);
  }
}

void PathEdit::dragEnterEvent(QDragEnterEvent* event) {
  if (!dropped_paths(event->mimeData()).isEmpty()) {
    event->acceptProposedAction();
  }
}

void PathEdit::dropEvent(QDropEvent* event) {
  set_path(dropped_paths(event->mimeData()).value(0));
  event->acceptProposedAction();
}

PathListEdit::PathListEdit(PathEdit::Options options, const Theme* theme, QWidget* parent)
    : QWidget(parent), options_(std::move(options)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::tiny);
  list_ = new FolderList(options_.placeholder, this);
  list_->setAccessibleName(options_.name);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setTextElideMode(Qt::ElideMiddle);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setFixedHeight(56);
  list_->setToolTip(options_.placeholder);
  column->addWidget(list_);
  auto* row = new QHBoxLayout;
  row->setSpacing(Space::tiny);
  auto* add_button = new QPushButton(tr("Add folder…"), this);
  add_button->setAccessibleName(tr("Add to %1").arg(options_.name));
  bind_icon(add_button, Icon::add, theme);
  remove_ = new QPushButton(tr("Remove"), this);
  remove_->setAccessibleName(tr("Remove the selected from %1").arg(options_.name));
  row->addWidget(add_button);
  row->addWidget(remove_);
  row->addStretch();
  if (options_.offer_demo) {
    auto* demo = new QPushButton(tr("Demo"), this);
    demo->setAccessibleName(tr("Use the built-in demo as %1").arg(options_.name));
    demo->setToolTip(tr("Use the built-in demo"));
    row->addWidget(demo);
    connect(demo, &QPushButton::clicked, this, [this] {
      set_paths({kDemo});
      emit changed();
    });
  }
  column->addLayout(row);
  connect(add_button, &QPushButton::clicked, this, &PathListEdit::browse);
  setFocusProxy(list_);
  connect(remove_, &QPushButton::clicked, this, &PathListEdit::remove_selected);
  auto* erase = new QAction(this);
  erase->setShortcut(QKeySequence::Delete);
  erase->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(erase, &QAction::triggered, this, &PathListEdit::remove_selected);
  list_->addAction(erase);
  connect(list_, &QListWidget::itemSelectionChanged, this,
          [this] { remove_->setEnabled(!list_->selectedItems().isEmpty()); });
  remove_->setEnabled(false);
  setAcceptDrops(true);
}

QStringList PathListEdit::paths() const {
  QStringList out;
  for (int i = 0; i < list_->count(); ++i) {
    out << list_->item(i)->data(Qt::UserRole).toString();
  }
  return out;
}

void PathListEdit::set_paths(const QStringList& paths) {
  list_->clear();
  for (const QString& path : paths) {
    auto* item = new QListWidgetItem(shown(path), list_);
    item->setData(Qt::UserRole, path);
    item->setToolTip(shown(path).toHtmlEscaped());
  }
}

void PathListEdit::add(const QString& path) {
  QStringList now = paths();
  now.removeAll(kDemo);  // the demo's images must not mix with the user's
  if (!now.contains(path)) {
    now << path;
  }
  set_paths(now);
  emit changed();
}

void PathListEdit::browse() {
  const QString first = paths().value(0);
  options_.choose(this, first == kDemo ? QString() : first,
                  [this](const QString& chosen) { add(chosen); });
}

void PathListEdit::remove_selected() {
  if (list_->selectedItems().isEmpty()) {
    return;
  }
  qDeleteAll(list_->selectedItems());
  emit changed();
}

void PathListEdit::dragEnterEvent(QDragEnterEvent* event) {
  if (!dropped_paths(event->mimeData()).isEmpty()) {
    event->acceptProposedAction();
  }
}

void PathListEdit::dropEvent(QDropEvent* event) {
  for (const QString& path : dropped_paths(event->mimeData())) {
    add(path);
  }
  event->acceptProposedAction();
}

}  // namespace mantissa::gui
