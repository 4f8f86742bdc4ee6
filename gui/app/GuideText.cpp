#include "gui/app/GuideText.h"

#include <QDir>
#include <QImage>
#include <QScrollBar>
#include <QUrl>
#include <algorithm>

namespace mantissa::gui {

GuideText::GuideText(QWidget* parent) : QTextBrowser(parent) {
  setOpenLinks(false);  // pages link each other; other links lead to the source tree
}

void GuideText::show_page(const QString& markdown, const QString& folder) {
  folder_ = folder;
  markdown_ = markdown;
  laid_out_for_ = widest_image();
  setMarkdown(markdown);
}

int GuideText::widest_image() const {
  // The scroll bar's width even while there is none: it comes with the text.
  return std::max(100, width() - 2 * frameWidth() - verticalScrollBar()->sizeHint().width() -
                           2 * static_cast<int>(document()->documentMargin()));
}

QVariant GuideText::loadResource(int type, const QUrl& name) {
  if (type != QTextDocument::ImageResource || !name.isRelative()) {
    return {};  // nothing is fetched from elsewhere
  }
  QImage image(QDir(folder_).filePath(name.path()));
  if (image.isNull()) {
    return {};
  }
  const qreal pixels = devicePixelRatioF();
  const int wide = static_cast<int>(widest_image() * pixels);
  if (image.width() > wide) {
    image = image.scaledToWidth(wide, Qt::SmoothTransformation);
  }
  image.setDevicePixelRatio(pixels);
  return image;
}

void GuideText::resizeEvent(QResizeEvent* event) {
  QTextBrowser::resizeEvent(event);
  if (widest_image() != laid_out_for_ && !markdown_.isEmpty()) {
    const int range = std::max(1, verticalScrollBar()->maximum());
    const double read = static_cast<double>(verticalScrollBar()->value()) / range;
    show_page(markdown_, folder_);
    verticalScrollBar()->setValue(static_cast<int>(read * verticalScrollBar()->maximum()));
  }
}

}  // namespace mantissa::gui
