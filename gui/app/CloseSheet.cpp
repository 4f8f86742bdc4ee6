#include "gui/app/CloseSheet.h"

#include <QPushButton>

namespace mantissa::gui {

CloseSheet::CloseSheet(const QString& text, bool may_go_on, std::function<void(Closing)> chosen,
                       QWidget* parent)
    : QuestionSheet(tr("Close the window"), text, parent) {
  apart_ = add(tr("Save and continue without the window"),
               may_go_on ? tr("The run is saved and continues in a process of its own, exactly "
                              "where it was. The next start of the studio shows it again.")
                         : tr("Only a single run can continue in a process of its own."),
               [chosen] { chosen(Closing::apart); });
  apart_->setEnabled(may_go_on);
  stop_ = add(tr("Stop, save and quit"), tr("Nothing is lost: the next start offers to resume."),
              [chosen] { chosen(Closing::stop); });
  keep_ = add_way_out(tr("Keep the window"), tr("The run goes on as before."));
  if (!may_go_on) {
    set_first(stop_);
  }
}

}  // namespace mantissa::gui
