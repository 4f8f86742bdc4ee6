#include "gui/base/StudioFont.h"

#include <QDir>
#include <QFontDatabase>
#include <QFontInfo>
#include <QStringList>

#include "engine/core/paths.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr double kLeastPoints = 10;

/// The family of the bundled files; empty if they are not here.
QString bundled_family() {
  const auto folder = find_resource("fonts");
  const QDir files(folder ? path_text(*folder) : QString());
  QString family;
  for (const QString& file : files.entryList({QStringLiteral("*.otf")}, QDir::Files)) {
    const int id = QFontDatabase::addApplicationFont(files.filePath(file));
    family = QFontDatabase::applicationFontFamilies(id).value(0, family);
  }
  return family;
}

}  // namespace

QFont studio_font(const QFont& desktop) {
  QFont font = desktop;
  const QString family = QFontInfo(desktop).family();
  if (family.startsWith(QLatin1String("DejaVu")) || family.startsWith(QLatin1String("Bitstream"))) {
    static const QString bundled = bundled_family();  // files are loaded once
    if (!bundled.isEmpty()) {
      font.setFamilies({bundled, family});
    }
  }
  if (font.pointSizeF() < kLeastPoints) {
    font.setPointSizeF(kLeastPoints);
  }
  return font;
}

QFont fixed_font() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setFamilies({QFontInfo(font).family()});
  return font;
}

}  // namespace mantissa::gui
