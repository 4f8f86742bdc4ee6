#pragma once

#include <vector>

#include "gui/base/Theme.h"
#include "gui/run/PhaseClock.h"
#include "gui/tools/ToolForm.h"
#include "gui/tools/ToolTask.h"
#include "gui/widgets/Page.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableWidget;

namespace mantissa::gui {

/// The tools on files of models and adapters, as the command line has them.
class ToolsPage : public Page {
  Q_OBJECT

 public:
  explicit ToolsPage(const Theme* theme, QWidget* parent = nullptr);

  std::vector<Look> looks() override;
  void show_tool(Tool tool);
  ToolForm* form() const;
  QListWidget* tools() const { return tools_; }
  QLineEdit* search() const { return search_; }
  QPushButton* start_button() const { return start_; }
  QPushButton* cancel_button() const { return cancel_; }
  QPushButton* open_button() const { return open_; }
  QTableWidget* rows() const { return rows_; }
  QString said() const;
  bool is_busy() const { return task_->is_busy(); }

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  /// A tool of the list; its form and what that scrolls in are null until it is shown.
  struct Place {
    ToolRow row;
    ToolForm* form = nullptr;
    QWidget* area = nullptr;
  };
  QWidget* build_list();
  QWidget* build_work();
  QWidget* build_result();
  void make_form(Place& place);
  void show_form(int at);
  void filter(const QString& words);
  void start();
  void update_buttons();
  void show_progress();
  void show_result(const ToolResult& result);
  void show_rows(const ToolResult& result);
  void say(const QString& text, const char* role);

  const Theme* theme_;
  ToolTask* task_;
  PhaseClock clock_;
  QListWidget* tools_ = nullptr;
  QLineEdit* search_ = nullptr;
  QStackedWidget* forms_ = nullptr;
  std::vector<Place> places_;
  QPushButton *start_ = nullptr, *cancel_ = nullptr, *open_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QLabel *progress_ = nullptr, *of_ = nullptr, *said_ = nullptr, *notices_ = nullptr;
  QTableWidget* rows_ = nullptr;
  QString written_;  ///< by the last tool
};

}  // namespace mantissa::gui
