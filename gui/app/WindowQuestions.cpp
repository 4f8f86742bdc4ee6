#include "gui/app/WindowQuestions.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

QMessageBox* make_question(QWidget* parent, const QString& text) {
  auto* box = new QMessageBox(parent);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setIcon(QMessageBox::Question);
  box->setTextFormat(Qt::PlainText);
  box->setText(shown(text));
  return box;
}

}  // namespace

WindowQuestions WindowQuestions::with_dialogs() {
  WindowQuestions ask;
  ask.open_preset =
      file_chooser(QCoreApplication::translate("questions", "Open preset"),
                   QCoreApplication::translate(
                       "questions", "Presets (*.json *.mantissa-preset);;All files (*)"));
  ask.import_preset = file_chooser(
      QCoreApplication::translate("questions", "Import"),
      QCoreApplication::translate("questions",
                                  "Presets, configurations, adapters (*.json *.toml *.yaml *.yml "
                                  "*.safetensors);;All files (*)"));
  ask.save_preset =
      save_chooser(QCoreApplication::translate("questions", "Save preset"),
                   QCoreApplication::translate("questions", "Presets (*.json *.mantissa-preset)"),
                   QStringLiteral(".json"));
  ask.other_folder =
      folder_chooser(QCoreApplication::translate("questions", "Save to another folder"));
  ask.unsaved = [](QWidget* parent, const QString& text, std::function<void(Answer)> answered) {
    QMessageBox* box = make_question(parent, text);
    box->setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    QObject::connect(box, &QMessageBox::finished, parent, [=](int button) {
      answered(button == QMessageBox::Save      ? Answer::save
               : button == QMessageBox::Discard ? Answer::discard
                                                : Answer::cancel);
    });
    box->open();
  };
  ask.closing = [](QWidget* parent, const QString& text, bool may_go_on, auto answered) {
    auto* sheet = new CloseSheet(text, may_go_on, parent);
    QObject::connect(sheet, &CloseSheet::chosen, parent, answered);
    sheet->open();
  };
  ask.move_to_trash = [](QWidget* parent, const QString& text, std::function<void()> agreed) {
    QMessageBox* box = make_question(parent, text);
    auto* move = box->addButton(QCoreApplication::translate("questions", "Move to trash"),
                                QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(QMessageBox::Cancel));
    QObject::connect(move, &QPushButton::clicked, parent, agreed);
    box->open();
  };
  ask.how_to_stop = [](QWidget* parent, const QString& text,
                       std::function<void(Stop)> answered) -> QWidget* {
    QMessageBox* box = make_question(parent, text);
    auto* save = box->addButton(QCoreApplication::translate("questions", "Save && stop"),
                                QMessageBox::AcceptRole);
    auto* discard = box->addButton(QCoreApplication::translate("questions", "Stop without saving"),
                                   QMessageBox::DestructiveRole);
    auto* keep = box->addButton(QCoreApplication::translate("questions", "Keep training"),
                                QMessageBox::RejectRole);
    box->setDefaultButton(save);
    box->setEscapeButton(keep);
    QObject::connect(save, &QPushButton::clicked, parent, [answered] { answered(Stop::save); });
    QObject::connect(discard, &QPushButton::clicked, parent,
                     [answered] { answered(Stop::discard); });
    box->open();
    return box;
  };
  ask.adapter_folder = [](QWidget* parent, Program program, const QString& start,
                          std::function<void(const QString&)> chosen) {
    folder_chooser(
        QCoreApplication::translate("questions", "LoRA folder of %1").arg(program_title(program)))(
        parent, start, std::move(chosen));
  };
  ask.name_taken = [](QWidget* parent, const QString& text, const QString& new_name,
                      std::function<void(AdapterCopier::Taken)> answered) {
    QMessageBox* box = make_question(parent, text);
    auto* rename =
        box->addButton(QCoreApplication::translate("questions", "Copy as %1").arg(shown(new_name)),
                       QMessageBox::AcceptRole);
    auto* replace = box->addButton(QCoreApplication::translate("questions", "Replace it"),
                                   QMessageBox::DestructiveRole);
    box->setEscapeButton(box->addButton(QMessageBox::Cancel));
    box->setDefaultButton(rename);
    QObject::connect(rename, &QPushButton::clicked, parent,
                     [answered] { answered(AdapterCopier::Taken::rename); });
    QObject::connect(replace, &QPushButton::clicked, parent,
                     [answered] { answered(AdapterCopier::Taken::replace); });
    box->open();
  };
  return ask;
}

}  // namespace mantissa::gui
