#pragma once

#include <QTextBrowser>

namespace mantissa::gui {

/// A page of the guide, whose images are read from beside its file and are no wider than the text.
class GuideText : public QTextBrowser {
  Q_OBJECT

 public:
  explicit GuideText(QWidget* parent);
  /// Shows Markdown whose relative links start in `folder`.
  void show_page(const QString& markdown, const QString& folder);

 protected:
  QVariant loadResource(int type, const QUrl& name) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  int widest_image() const;
  void fit_indented_images();

  QString folder_;
  QString markdown_;
  int laid_out_for_ = 0;  ///< widest_image() when the page was set
};

}  // namespace mantissa::gui
