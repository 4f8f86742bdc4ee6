#pragma once
// Records as rows of a table: their fields() are its columns.
// Private to engine/store.

#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/core/fields.h"
#include "engine/precision/health.h"
#include "engine/store/rows.h"
#include "engine/store/sqlite.h"

namespace mantissa {

using Histogram = decltype(TensorStatistics::histogram);

/// The bins from the first to the last nonempty one: its number as one byte, then each count in
/// four, little-endian. Empty if all are.
std::string pack_histogram(const Histogram& bins);
/// Invalid bytes leave bins at zero.
void unpack_histogram(const std::string& bytes, Histogram& bins);

/// The SQL type of a member. Null for a list of other records, which have a table of their own.
template <typename T>
constexpr const char* column_type() {
  if constexpr (std::is_same_v<T, double>) {
    return "REAL";
  } else if constexpr (std::is_integral_v<T>) {
    return "INTEGER";
  } else if constexpr (std::is_same_v<T, Histogram>) {
    return "BLOB";
  } else if constexpr (RecordList<T>) {
    return nullptr;
  } else {
    return "TEXT";
  }
}

template <typename T>
void bind_column(Statement& s, int at, const T& value) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::string>) {
    s.bind(at, value);
  } else if constexpr (std::is_integral_v<T>) {
    s.bind(at, static_cast<std::int64_t>(value));
  } else if constexpr (std::is_same_v<T, Histogram>) {
    s.bind_blob(at, pack_histogram(value));
  } else if constexpr (std::is_same_v<T, Part>) {
    s.bind(at, std::string(value.name()));
  } else if constexpr (std::is_same_v<T, HealthKind>) {
    s.bind(at, std::string(health_kind_name(value)));
  } else {
    static_assert(std::is_same_v<T, DType>, "a type without a column");
    s.bind(at, std::string(dtype_name(value)));
  }
}

/// NULL is NaN, or a column that the row is older than: a number is then NaN, and all else keeps
/// its default. So do names that this version doesn't know.
template <typename T>
void read_column(const Statement& s, int column, T& value) {
  if constexpr (std::is_same_v<T, double>) {
    value = s.is_null(column) ? std::numeric_limits<double>::quiet_NaN() : s.real(column);
  } else if (s.is_null(column)) {
    return;
  } else if constexpr (std::is_same_v<T, bool>) {
    value = s.number(column) != 0;
  } else if constexpr (std::is_integral_v<T>) {
    value = static_cast<T>(s.number(column));
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = s.text(column);
  } else if constexpr (std::is_same_v<T, Histogram>) {
    unpack_histogram(s.blob(column), value);
  } else if constexpr (std::is_same_v<T, Part>) {
    const std::string name = s.text(column);
    value = Part(name.size() <= Part::kLongest ? name : std::string());
  } else if constexpr (std::is_same_v<T, HealthKind>) {
    value = health_kind(s.text(column)).value_or(value);
  } else {
    static_assert(std::is_same_v<T, DType>, "a type without a column");
    value = dtype_from_name(s.text(column)).value_or(value);
  }
}

/// Calls use(name, member) for each member of a record that is a column.
template <typename Record, typename Use>
void each_column(Record& record, Use&& use) {
  each_field(record, [&](const char* name, auto& member) {
    if constexpr (column_type<std::remove_cvref_t<decltype(member)>>() != nullptr) {
      use(name, member);
    }
  });
}

struct Column {
  std::string name;
  const char* type;
};

/// The columns of several records in one row.
template <typename... Records>
std::vector<Column> columns_of() {
  std::vector<Column> columns;
  const auto add = [&](const auto& record) {
    each_column(record, [&](const char* name, const auto& member) {
      columns.push_back({name, column_type<std::remove_cvref_t<decltype(member)>>()});
    });
  };
  (add(Records{}), ...);
  return columns;
}

/// Reads a record from the columns that begin with `at`; returns the one after them.
template <typename Record>
int read_columns(const Statement& s, int at, Record& record) {
  each_column(record, [&](const char*, auto& member) { read_column(s, at++, member); });
  return at;
}

/// A step's number, which the rows of its parts begin with.
struct StepKey {
  std::int64_t step = 0;
  static constexpr auto fields() { return field_list(Field{"step", &StepKey::step}); }
};

/// A table with rows of a run's steps: column `run`, then those of its records.
struct StepTable {
  const char* name;
  std::vector<Column> columns;
};
/// All of them. A resumed run loses their rows of later steps, a deleted one all.
std::vector<StepTable> step_tables();

/// The columns that a table of this database has; empty if there is no such table.
std::set<std::string> columns_in(Database& db, const std::string& table);
/// Adds the columns that a table lacks; existing rows have NULL there.
void add_missing_columns(Database& db, const StepTable& table);
/// "step, NULL, pictures": what to select for `columns` in a table that has only those in
/// `present`, some by an older name.
std::string selection(const std::string& table, const std::vector<Column>& columns,
                      const std::set<std::string>& present);
/// INSERT OR REPLACE with parameters for `run` and `columns`.
std::string insertion(const std::string& table, const std::vector<Column>& columns);

/// Writes rows of a run that have the columns of these records, one after another.
template <typename... Records>
class RowInsert {
 public:
  RowInsert(Database& db, const std::string& table)
      : statement_(db, insertion(table, columns_of<Records...>()).c_str()) {}

  void run(std::int64_t run, const Records&... records) {
    statement_.bind(1, run);
    int at = 2;
    const auto bind = [&](const auto& record) {
      each_column(record, [&](const char*, const auto& m) { bind_column(statement_, at++, m); });
    };
    (bind(records), ...);
    statement_.run();
  }

 private:
  Statement statement_;
};

}  // namespace mantissa
