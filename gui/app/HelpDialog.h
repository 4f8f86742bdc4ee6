#pragma once

#include <QDialog>
#include <utility>
#include <vector>

#include "gui/base/Theme.h"

class QLabel;
class QListWidget;
class QUrl;

namespace mantissa::gui {

class GuideText;

/// The guide that ships with the program (resources/docs), to read without a browser.
class HelpDialog : public QDialog {
  Q_OBJECT

 public:
  enum Page { guide, catalogue };
  HelpDialog(Page page, const Theme* theme, QWidget* parent);

  QListWidget* pages() const { return pages_; }
  GuideText* text() const { return text_; }

 private:
  QLabel* build_language_note();
  void show_page(int row);
  /// Shows the page that `link` names; other links lead nowhere here.
  void follow(const QUrl& link);

  QListWidget* pages_;
  GuideText* text_;
};

/// The program's version, those of what it is made of, and its licence.
class AboutDialog : public QDialog {
  Q_OBJECT

 public:
  AboutDialog(const std::vector<std::pair<QString, QString>>& versions, const Theme* theme,
              QWidget* parent);
};

}  // namespace mantissa::gui
