#include "gui/app/GuideText.h"

#include <QDir>
#include <QImage>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextImageFormat>
#include <QTextList>
#include <QUrl>
#include <algorithm>
#include <vector>

namespace mantissa::gui {

GuideText::GuideText(QWidget* parent) : QTextBrowser(parent) {
  setOpenLinks(false);  // pages link each other; other links lead to the source tree
}

void GuideText::show_page(const QString& markdown, const QString& folder) {
  folder_ = folder;
  markdown_ = markdown;
  laid_out_for_ = widest_image();
  setMarkdown(markdown);
  fit_indented_images();
}

/// An image is loaded before its place is known: in a list it has less room.
void GuideText::fit_indented_images() {
  struct Fitted {
    int at, length;
    QTextImageFormat format;
  };
  std::vector<Fitted> fitted;
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
    const QTextList* list = block.textList();
    const int level =
        block.blockFormat().indent() + (list != nullptr ? list->format().indent() : 0);
    const double room = widest_image() - level * document()->indentWidth();
    for (auto part = block.begin(); level > 0 && !part.atEnd(); ++part) {
      const QTextFragment fragment = part.fragment();
      QTextImageFormat format = fragment.charFormat().toImageFormat();
      if (!format.isValid()) {
        continue;
      }
      const auto image =
          document()->resource(QTextDocument::ImageResource, QUrl(format.name())).value<QImage>();
      const QSizeF size = image.deviceIndependentSize();
      if (size.width() > room) {
        format.setWidth(room);
        format.setHeight(size.height() * room / size.width());
        fitted.push_back({fragment.position(), fragment.length(), format});
      }
    }
  }
  for (const Fitted& image : fitted) {
    QTextCursor cursor(document());
    cursor.setPosition(image.at);
    cursor.setPosition(image.at + image.length, QTextCursor::KeepAnchor);
    cursor.setCharFormat(image.format);
  }
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
