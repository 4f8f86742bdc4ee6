#pragma once
// The part of SQLite's C API that the store uses. Private to engine/store.

#include <cstdint>
#include <filesystem>
#include <sqlite3.h>
#include <string>

#include "engine/core/error.h"

namespace mantissa {

constexpr int kStoreVersion = 10;

/// SQLite reports a corrupt file.
struct DamagedDatabase : Error {
  using Error::Error;
};

/// One connection. Errors become mantissa::Error that names the file and its folder.
class Database {
 public:
  enum class Mode { read, write };
  Database(const std::filesystem::path& file, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const char* sql);
  /// Makes every commit durable that this connection has written to its log.
  void sync_log();
  /// First column of the first row; `otherwise` if there is none.
  std::int64_t number(const char* sql, std::int64_t otherwise);
  sqlite3* handle() const { return handle_; }
  const std::filesystem::path& file() const { return file_; }
  /// Throws the last failed call as an Error.
  [[noreturn]] void fail(int code) const;

 private:
  void open(const std::string& name, int flags);
  /// Whether a first query finds the files accessible.
  bool can_be_read() const;

  std::filesystem::path file_;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement. Parameters count from 1, columns from 0.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int at, std::int64_t value);
  Statement& bind(int at, int value) { return bind(at, static_cast<std::int64_t>(value)); }
  Statement& bind(int at, double value);  ///< NaN becomes NULL
  Statement& bind(int at, const std::string& value);
  Statement& bind_blob(int at, const std::string& bytes);

  /// True while there is a row.
  bool row();
  /// Runs to the end, then is ready for new parameters. False on a constraint violation.
  bool run();
  void reset();

  std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
  double real(int column) const { return sqlite3_column_double(statement_, column); }
  bool is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  std::string text(int column) const;
  std::string blob(int column) const;

 private:
  void check(int code);
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace mantissa
