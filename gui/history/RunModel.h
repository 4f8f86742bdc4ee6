#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <functional>
#include <vector>

#include "engine/store/rows.h"
#include "gui/base/Theme.h"

namespace mantissa::gui {

/// The display name of a state in the database.
QString run_state_text(const std::string& state);
/// Splits "a, b", without empty ones and duplicates.
QStringList run_tags(const QString& tags);

/// The runs as a table, newest first. Rows are changed in place, so that the selection stays.
class RunModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    name,
    state,
    started,
    base,
    adapter,
    precision,
    steps,
    loss,
    time,
    tags,
    note,
    column_count
  };
  static constexpr int kSortRole = Qt::UserRole, kIdRole = Qt::UserRole + 1;

  /// `label`: the displayed name of a run; `failure`: why it failed, or empty.
  using TextOf = std::function<QString(const RunSummary&)>;
  RunModel(const Theme* theme, TextOf label, TextOf failure, QObject* parent = nullptr);

  /// In the order of the database: by time of creation, newest first.
  void set_runs(const std::vector<RunSummary>& runs);
  const RunSummary* at(int row) const;
  /// Every tag in use, sorted.
  QStringList all_tags() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 signals:
  void annotated(const QString& id, const QString& tags, const QString& note);

 private:
  QVariant text(const RunSummary& run, int column) const;
  /// What a narrow list leaves out, too: the name's tooltip.
  QString whole_text(const RunSummary& run) const;
  /// Whether the reason of its failure is told there.
  bool is_about_failure(const RunSummary& run, int column) const;
  QVariant sort_value(const RunSummary& run, int column) const;

  const Theme* theme_;
  TextOf label_, failure_;
  std::vector<RunSummary> runs_;
};

/// Filters them by search words, tag and state.
class RunFilterModel : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit RunFilterModel(RunModel* model, QObject* parent = nullptr);
  void set_text(const QString& text);
  void set_tag(const QString& tag);
  void set_state(const QString& state);
  /// It filters nothing.
  bool is_open() const { return words_.isEmpty() && tag_.isEmpty() && state_.isEmpty(); }
  const RunSummary* at(const QModelIndex& index) const;
  /// Runs that were stopped before their first step have nothing to show: they are listed only
  /// where stopped ones are asked for.
  static bool is_empty(const RunSummary& run) { return run.state == "stopped" && run.steps == 0; }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;

 private:
  RunModel* model_;
  QStringList words_;
  QString tag_, state_;
};

}  // namespace mantissa::gui
