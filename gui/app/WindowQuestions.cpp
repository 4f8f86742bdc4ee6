#include "gui/app/WindowQuestions.h"

#include <QCoreApplication>
#include <QPushButton>

#include "gui/base/Text.h"
#include "gui/widgets/QuestionSheet.h"

namespace mantissa::gui {
namespace {

struct QuestionWords {
  Q_DECLARE_TR_FUNCTIONS(questions)
};

}  // namespace

WindowQuestions WindowQuestions::with_dialogs() {
  WindowQuestions ask;
  ask.open_preset =
      file_chooser(QuestionWords::tr("Open preset"),
                   QuestionWords::tr("Presets (*.json *.mantissa-preset);;All files (*)"));
  ask.import_preset = file_chooser(
      QuestionWords::tr("Import"),
      QuestionWords::tr("Presets, configurations, adapters (*.json *.toml *.yaml *.yml "
                        "*.safetensors);;All files (*)"));
  ask.save_preset = save_chooser(QuestionWords::tr("Save preset"),
                                 QuestionWords::tr("Presets (*.json *.mantissa-preset)"),
                                 QStringLiteral(".json"));
  ask.other_folder = folder_chooser(QuestionWords::tr("Save to another folder"));
  ask.unsaved = [](QWidget* parent, const QString& text,
                   const std::function<void(Answer)>& answered) {
    auto* sheet = new QuestionSheet(QuestionWords::tr("Unsaved changes"), text, parent);
    sheet->add(QuestionWords::tr("Save"), {}, [answered] { answered(Answer::save); });
    QPushButton* discard = sheet->add(
        QuestionWords::tr("Discard the changes"),
        QuestionWords::tr("What was changed since the preset was opened or saved is lost."),
        [answered] { answered(Answer::discard); });
    discard->setProperty("kind", QStringLiteral("danger"));
    sheet->add_way_out(QuestionWords::tr("Cancel"), {}, [answered] { answered(Answer::cancel); });
    sheet->open();
  };
  ask.closing = [](QWidget* parent, const QString& text, bool may_go_on,
                   std::function<void(Closing)> answered) {
    (new CloseSheet(text, may_go_on, std::move(answered), parent))->open();
  };
  ask.lose = [](QWidget* parent, const QString& text, std::function<void()> agreed) {
    auto* sheet = new QuestionSheet(QuestionWords::tr("Close the window"), text, parent);
    sheet->add(QuestionWords::tr("Close all the same"), {}, std::move(agreed))
        ->setProperty("kind", QStringLiteral("danger"));
    sheet->set_first(sheet->add_way_out(QuestionWords::tr("Keep the window"),
                                        QuestionWords::tr("Nothing is lost while it is open.")));
    sheet->open();
  };
  ask.move_to_trash = [](QWidget* parent, const QString& text, std::function<void()> agreed) {
    auto* sheet = new QuestionSheet(QuestionWords::tr("Move to trash"), text, parent);
    sheet->add(QuestionWords::tr("Move to trash"), {}, std::move(agreed));
    sheet->set_first(sheet->add_way_out(QuestionWords::tr("Cancel")));
    sheet->open();
  };
  ask.how_to_stop = [](QWidget* parent, const QString& text,
                       const std::function<void(Stop)>& answered) -> QWidget* {
    auto* sheet = new QuestionSheet(QuestionWords::tr("Stop the run"), text, parent);
    sheet->add(QuestionWords::tr("Save && stop"),
               QuestionWords::tr("A checkpoint is saved first; Resume continues from it."),
               [answered] { answered(Stop::save); });
    QPushButton* discard = sheet->add(QuestionWords::tr("Stop without saving"),
                                      QuestionWords::tr("The unsaved steps are lost."),
                                      [answered] { answered(Stop::discard); });
    discard->setProperty("kind", QStringLiteral("danger"));
    sheet->add_way_out(QuestionWords::tr("Keep training"));
    sheet->open();
    return sheet;
  };
  ask.adapter_folder = [](QWidget* parent, Program program, const QString& start,
                          std::function<void(const QString&)> chosen) {
    folder_chooser(QuestionWords::tr("LoRA folder of %1").arg(program_title(program)))(
        parent, start, std::move(chosen));
  };
  ask.name_taken = [](QWidget* parent, const QString& text, const QString& new_name,
                      const std::function<void(AdapterCopier::Taken)>& answered) {
    auto* sheet = new QuestionSheet(QuestionWords::tr("A file of this name exists"), text, parent);
    sheet->add(QuestionWords::tr("Copy as %1").arg(shown(new_name)), {},
               [answered] { answered(AdapterCopier::Taken::rename); });
    QPushButton* replace =
        sheet->add(QuestionWords::tr("Replace it"), QuestionWords::tr("The other file is lost."),
                   [answered] { answered(AdapterCopier::Taken::replace); });
    replace->setProperty("kind", QStringLiteral("danger"));
    sheet->add_way_out(QuestionWords::tr("Cancel"));
    sheet->open();
  };
  return ask;
}

}  // namespace mantissa::gui
