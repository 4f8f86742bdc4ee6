#include "gui/app/DropTarget.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

#include "engine/io/path_kind.h"
#include "gui/app/PageStack.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/preset/SettingsReader.h"
#include "gui/run/JobPanel.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {
namespace {

/// All dragged local paths.
QStringList local_paths(const QMimeData* data) {
  QStringList paths;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) {
      paths << QDir::toNativeSeparators(url.toLocalFile());
    }
  }
  return paths;
}

}  // namespace

DropTarget::DropTarget(QWidget* window, PageStack* pages, SetupPage* setup, PresetFiles* files,
                       SettingsReader* reader, MessageBar* messages)
    : pages_(pages), setup_(setup), files_(files), reader_(reader), messages_(messages) {
  window->setAcceptDrops(true);
  window->installEventFilter(this);
}

bool DropTarget::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop) {
    return QObject::eventFilter(watched, event);
  }
  auto* drop = static_cast<QDropEvent*>(event);
  const QStringList paths = local_paths(drop->mimeData());
  if (paths.isEmpty()) {
    event->ignore();
    return true;
  }
  drop->acceptProposedAction();
  if (event->type() == QEvent::Drop) {
    // After the drop has finished: a dialog may follow.
    QMetaObject::invokeMethod(
        this, [this, paths] { take(paths); }, Qt::QueuedConnection);
  }
  return true;
}

void DropTarget::take(const QStringList& paths) {
  for (const QString& path : paths) {
    if (QFileInfo(path).isDir()) {
      take_as(path, {path_kind(to_path(path)), std::nullopt, {}});  // by what it holds, unread
    } else {
      reader_->read(path, this, [this, path](const SettingsFile& read) { take_as(path, read); });
    }
  }
}

void DropTarget::take_as(const QString& path, const SettingsFile& read) {
  JobPanel* job = setup_->job();
  const QString name = QFileInfo(path).fileName();
  switch (read.kind) {
    case PathKind::model:
      job->base()->set_path(path);
      pages_->show_page(setup_);
      if (name.endsWith(QLatin1String(".safetensors"), Qt::CaseInsensitive)) {
        messages_->show_info(
            tr("%1 carries no preset; it is now the base model of this run.").arg(shown(name)));
      } else if (!QFileInfo(path).isDir()) {
        messages_->show_info(tr("%1 is now the base model of this run.").arg(shown(name)));
      }
      break;
    case PathKind::images:
      job->images()->add(path);
      pages_->show_page(setup_);
      break;
    case PathKind::settings:
      files_->import_read(path, read);
      break;
  }
}

}  // namespace mantissa::gui
