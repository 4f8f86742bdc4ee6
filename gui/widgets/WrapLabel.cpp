#include "gui/widgets/WrapLabel.h"

#include <QPaintEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOption>
#include <QTextDocument>
#include <QTextOption>
#include <algorithm>

namespace mantissa::gui {
namespace {

constexpr int kLongWord = 20;  ///< letters: longer than words of a sentence
constexpr int kPiece = 8;      ///< letters of a long word that stay together
constexpr QChar kBreak(0x200B);

bool is_joint(QChar letter) {
  return QStringLiteral("/\\_-.,:;=&").contains(letter);
}

/// East Asian text breaks between characters by its own rules, and an emoji may be several
/// characters: neither counts toward a long word.
bool breaks_by_itself(QChar letter) {
  constexpr char16_t kJoiner = 0x200D, kFirstEastAsian = 0x2E80;  // and surrogates, and selectors
  return letter.unicode() >= kFirstEastAsian || letter.unicode() == kJoiner;
}

/// A long word breaks behind its joints, or, without any, wherever a piece is full.
QString broken(QStringView word) {
  QString out;
  int piece = 0;
  for (qsizetype i = 0; i < word.size(); ++i) {
    out += word[i];
    ++piece;
    const bool inside = i + 1 < word.size() && !word[i + 1].isMark();
    if (inside && (is_joint(word[i]) || piece >= kPiece)) {
      out += kBreak;
      piece = 0;
    }
  }
  return out;
}

}  // namespace

QString with_breaks(const QString& text) {
  QString out;
  qsizetype begin = 0;
  const auto end_word = [&](qsizetype end) {
    const QStringView word = QStringView(text).sliced(begin, end - begin);
    out += word.size() > kLongWord ? broken(word) : word.toString();
  };
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (text[i].isSpace() || breaks_by_itself(text[i])) {
      end_word(i);
      out += text[i];
      begin = i + 1;
    }
  }
  end_word(text.size());
  return out;
}

bool WrapLabel::breaks_words() const {
  return wordWrap() && QLabel::minimumSizeHint().width() > WrapLabel::minimumSizeHint().width();
}

QSize WrapLabel::minimumSizeHint() const {
  const QSize hint = QLabel::minimumSizeHint();
  const int narrow = fontMetrics().averageCharWidth() * kLongWord;
  return wordWrap() ? QSize(std::min(hint.width(), narrow), hint.height()) : hint;
}

QTextDocument* WrapLabel::document() const {
  return textInteractionFlags().testAnyFlags(Qt::TextSelectableByMouse |
                                             Qt::TextSelectableByKeyboard)
             ? findChild<QTextDocument*>()
             : nullptr;
}

void WrapLabel::break_in_document(QTextDocument* document) const {
  QTextOption option = document->defaultTextOption();
  if (option.wrapMode() != QTextOption::WrapAtWordBoundaryOrAnywhere) {
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    document->setDefaultTextOption(option);
  }
}

int WrapLabel::heightForWidth(int width) const {
  const int plain = QLabel::heightForWidth(width);
  if (!breaks_words()) {
    return plain;
  }
  if (QTextDocument* own = document()) {
    break_in_document(own);  // laid out just now: it stays as it is until the text or width changes
    return QLabel::heightForWidth(width);
  }
  const QMargins around = contentsMargins();
  const int edge = 2 * margin();
  const int inside = std::max(1, width - around.left() - around.right() - edge);
  const QRect room(0, 0, inside, QWIDGETSIZE_MAX);
  return fontMetrics().boundingRect(room, Qt::TextWordWrap, with_breaks(text())).height() +
         around.top() + around.bottom() + edge;
}

/// QLabel lays its document out again after a resize, and keeps words whole.
void WrapLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  if (document() != nullptr) {
    heightForWidth(width());
  }
}

void WrapLabel::paintEvent(QPaintEvent* event) {
  if (!breaks_words()) {
    QLabel::paintEvent(event);
    return;
  }
  if (const QTextDocument* own = document()) {
    // Every layout asks for a repaint: only once after the text has changed.
    if (own->defaultTextOption().wrapMode() != QTextOption::WrapAtWordBoundaryOrAnywhere) {
      heightForWidth(width());
    }
    QLabel::paintEvent(event);
    return;
  }
  QPainter painter(this);
  drawFrame(&painter);
  QStyleOption option;
  option.initFrom(this);
  const QRect room = contentsRect().adjusted(margin(), margin(), -margin(), -margin());
  const auto flags = QStyle::visualAlignment(layoutDirection(), alignment()) | Qt::TextWordWrap;
  style()->drawItemText(&painter, room, static_cast<int>(flags), option.palette, isEnabled(),
                        with_breaks(text()), foregroundRole());
}

}  // namespace mantissa::gui
