#include "gui/app/HelpDialog.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include "engine/core/paths.h"
#include "engine/precision/catalogue.h"
#include "gui/app/GuideText.h"
#include "gui/base/Icons.h"
#include "gui/base/Text.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

struct GuidePage {
  const char* file;  ///< in resources/docs; empty: the catalogue as this build has it
  const char* title;
};
constexpr GuidePage kGuide[] = {
    {"guide/first-lora.md", QT_TRANSLATE_NOOP("mantissa::gui::HelpDialog", "Your first LoRA")},
    {"guide/own-images.md", QT_TRANSLATE_NOOP("mantissa::gui::HelpDialog", "Your own images")},
    {"guide/choosing-settings.md",
     QT_TRANSLATE_NOOP("mantissa::gui::HelpDialog", "Which settings matter")},
    {"guide/reading-the-curves.md",
     QT_TRANSLATE_NOOP("mantissa::gui::HelpDialog", "Reading the curves")},
    {"guide/using-the-result.md",
     QT_TRANSLATE_NOOP("mantissa::gui::HelpDialog", "Using the result")},
    {"guide/when-it-goes-wrong.md",
     QT_TRANSLATE_NOOP("mantissa::gui::HelpDialog", "When it goes wrong")},
    {"", QT_TRANSLATE_NOOP("mantissa::gui::HelpDialog", "Precision catalogue")},
    {"reference/capabilities.md",
     QT_TRANSLATE_NOOP("mantissa::gui::HelpDialog", "What trains where")},
    {"reference/models.md", QT_TRANSLATE_NOOP("mantissa::gui::HelpDialog", "Base models")},
    {"guide/several-cards.md", QT_TRANSLATE_NOOP("mantissa::gui::HelpDialog", "Several cards")},
    {"reference/changelog.md", QT_TRANSLATE_NOOP("mantissa::gui::HelpDialog", "Changes")},
};

/// The path of a page, or "" if it is not here.
QString page_file(const GuidePage& page) {
  const auto file = find_resource(std::string("docs/") + page.file);
  return file ? path_text(*file) : QString();
}

QString page_text(const GuidePage& page) {
  if (*page.file == 0) {
    return to_qstring(catalogue_markdown());
  }
  QFile in(page_file(page));
  return in.open(QIODevice::ReadOnly) ? QString::fromUtf8(in.readAll()) : QString();
}

QDialogButtonBox* close_box(QDialog* dialog) {
  auto* box = new QDialogButtonBox(dialog);
  auto* close = box->addButton(HelpDialog::tr("Close"), QDialogButtonBox::RejectRole);
  close->setAccessibleName(close->text());
  QObject::connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  return box;
}

}  // namespace

HelpDialog::HelpDialog(Page page, const Theme* theme, QWidget* parent) : QDialog(parent) {
  Q_UNUSED(theme)
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Guide"));
  resize(980, 680);
  auto* column = new QVBoxLayout(this);
  auto* row = new QHBoxLayout;
  pages_ = new QListWidget(this);
  pages_->setAccessibleName(tr("Pages of the guide"));
  pages_->setFixedWidth(200);
  text_ = new GuideText(this);
  text_->setAccessibleName(tr("Guide"));
  connect(text_, &QTextBrowser::anchorClicked, this, &HelpDialog::follow);
  row->addWidget(pages_);
  row->addWidget(text_, 1);
  column->addLayout(row, 1);
  column->addWidget(build_language_note());
  column->addWidget(close_box(this));
  for (int i = 0; i < static_cast<int>(std::size(kGuide)); ++i) {
    if (!page_text(kGuide[i]).isEmpty()) {
      auto* item = new QListWidgetItem(tr(kGuide[i].title), pages_);
      item->setData(Qt::UserRole, i);
    }
  }
  connect(pages_, &QListWidget::currentRowChanged, this, &HelpDialog::show_page);
  for (int row_at = 0; row_at < pages_->count(); ++row_at) {
    const GuidePage& at = kGuide[pages_->item(row_at)->data(Qt::UserRole).toInt()];
    if (page == guide || *at.file == 0) {
      pages_->setCurrentRow(row_at);
      break;
    }
  }
}

/// That the pages are in English, where the window isn't.
QLabel* HelpDialog::build_language_note() {
  constexpr const char* kNote = QT_TR_NOOP("The guide is available in English only.");
  auto* note = make_label(tr(kNote), "muted", this);
  note->setWordWrap(true);
  note->setVisible(note->text() != QLatin1String(kNote));
  return note;
}

void HelpDialog::show_page(int row) {
  if (const QListWidgetItem* item = pages_->item(row)) {
    const GuidePage& page = kGuide[item->data(Qt::UserRole).toInt()];
    text_->show_page(page_text(page), QFileInfo(page_file(page)).absolutePath());
  }
}

void HelpDialog::follow(const QUrl& link) {
  for (int row = 0; row < pages_->count(); ++row) {
    const GuidePage& page = kGuide[pages_->item(row)->data(Qt::UserRole).toInt()];
    const QString name = QString::fromLatin1(page.file).section(QLatin1Char('/'), -1);
    if (!name.isEmpty() && link.fileName() == name) {
      pages_->setCurrentRow(row);
      return;
    }
  }
}

AboutDialog::AboutDialog(const std::vector<std::pair<QString, QString>>& versions,
                         const Theme* theme, QWidget* parent)
    : QDialog(parent) {
  Q_UNUSED(theme)
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("About Mantissa"));
  auto* column = new QVBoxLayout(this);
  auto* top = new QHBoxLayout;
  auto* logo = new QLabel(this);
  logo->setPixmap(app_icon().pixmap(QSize(48, 48), devicePixelRatioF()));
  top->addWidget(logo);
  top->addWidget(make_heading(
      QStringLiteral("Mantissa %1").arg(QCoreApplication::applicationVersion()), this));
  top->addStretch();
  column->addLayout(top);
  column->addWidget(make_label(
      tr("Trains LoRA, DoRA, LoHa and LoKr adapters for diffusion models. Apache License 2.0."), "",
      this));
  auto* grid = new QGridLayout;
  int row = 0;
  for (const auto& [what, version] : versions) {
    grid->addWidget(make_label(what, "muted", this), row, 0);
    QLabel* label = make_label(version, "", this);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    grid->addWidget(label, row++, 1);
  }
  grid->setColumnStretch(1, 1);
  column->addLayout(grid);
  column->addWidget(close_box(this));
}

}  // namespace mantissa::gui
