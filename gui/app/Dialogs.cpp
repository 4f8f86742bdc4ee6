#include <QMessageBox>
#include <QPushButton>

#include "gui/app/MainWindow.h"

namespace mantissa::gui {
namespace {

QMessageBox* make_question(QWidget* parent, const QString& text) {
  auto* box = new QMessageBox(parent);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setIcon(QMessageBox::Question);
  box->setTextFormat(Qt::PlainText);
  box->setText(text);
  return box;
}

}  // namespace

WindowQuestions WindowQuestions::with_dialogs() {
  WindowQuestions ask;
  ask.open_preset = file_chooser(MainWindow::tr("Open preset"),
                                 MainWindow::tr("Presets (*.json);;All files (*)"));
  ask.import_preset = file_chooser(
      MainWindow::tr("Import"),
      MainWindow::tr("Presets, configurations, adapters (*.json *.toml *.safetensors);;"
                     "All files (*)"));
  ask.save_preset = save_chooser(MainWindow::tr("Save preset"), MainWindow::tr("Presets (*.json)"),
                                 QStringLiteral(".json"));
  ask.other_folder = folder_chooser(MainWindow::tr("Save to another folder"));
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
  ask.stop_running = [](QWidget* parent, const QString& text, std::function<void()> agreed) {
    QMessageBox* box = make_question(parent, text);
    auto* stop = box->addButton(MainWindow::tr("Stop, save and quit"), QMessageBox::AcceptRole);
    box->addButton(MainWindow::tr("Keep training"), QMessageBox::RejectRole);
    QObject::connect(stop, &QPushButton::clicked, parent, agreed);
    box->open();
  };
  return ask;
}

}  // namespace mantissa::gui
