#include "gui/widgets/OpenFolder.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QUrl>

#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(OpenFolder)
};

}  // namespace

QString open_folder(const QString& path) {
  const QFileInfo info(path);
  const QString folder = QFileInfo(info.isDir() ? path : info.path()).absoluteFilePath();
  const QString name = shown(QDir::toNativeSeparators(folder));
  if (path.isEmpty() || !QFileInfo(folder).isDir()) {
    return Words::tr("The folder %1 is no longer there.").arg(name);
  }
  if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder))) {
    return Words::tr("No program here shows folders. The folder is %1").arg(name);
  }
  return {};
}

}  // namespace mantissa::gui
