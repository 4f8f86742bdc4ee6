#include "engine/store/sqlite.h"

#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "engine/core/disk_full.h"
#include "engine/core/paths.h"
#include "engine/core/regular_file.h"
#include "engine/core/system.h"
#include "engine/core/system_message.h"

namespace mantissa {

namespace {

constexpr int kBusyMilliseconds = 10'000;
#ifdef _WIN32
constexpr const char* kFileSystem = "win32-longpath";  // the default's paths end at 1,040 bytes
#else
constexpr const char* kFileSystem = nullptr;  // the default
#endif
constexpr std::uintmax_t kFullBytes = 1 << 20, kNeededBytes = 16'000'000;

// No room left? SQLite says so for most writes; for the rest (shared memory, journals) it reports
// an I/O error, so check the file system.
bool is_full(int code, const std::filesystem::path& folder) {
  if ((code & 0xff) == SQLITE_FULL) {
    return true;
  }
  if ((code & 0xff) != SQLITE_IOERR) {
    return false;
  }
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  return !error && space.available < kFullBytes;
}

/// The database and its side files: SQLite would wait for ever to open a pipe.
void require_regular_files(const std::filesystem::path& file) {
  for (const char* side : {"", "-wal", "-shm", "-journal"}) {
    std::filesystem::path path = file;
    path += side;
    std::error_code error;
    if (std::filesystem::exists(path, error)) {
      require_regular_file(path);
    }
  }
}

/// Whether a write failed for the limit of file sizes: SQLite reports an I/O error, and the
/// system's reason is lost by then.
bool meets_size_limit(int code, const std::filesystem::path& file) {
  constexpr std::uint64_t kOneWrite = 1 << 20;
  const std::uint64_t limit = largest_file();
  if ((code & 0xff) != SQLITE_IOERR || limit > std::numeric_limits<std::int64_t>::max()) {
    return false;
  }
  for (const char* side : {"", "-wal", "-shm"}) {
    std::filesystem::path path = file;
    path += side;
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (!error && bytes + kOneWrite > limit) {
      return true;
    }
  }
  return false;
}

/// Whether all of a database is in its file: nothing is left in its log.
bool is_settled(const std::filesystem::path& file) {
  std::filesystem::path log = file;
  log += "-wal";
  std::error_code error;
  return !std::filesystem::exists(log, error) || std::filesystem::file_size(log, error) == 0;
}

/// As a URI that makes SQLite read the file alone.
std::string immutable_uri(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char c : path_to_utf8(std::filesystem::absolute(file))) {
    if (c == '%' || c == '?' || c == '#') {
      uri += c == '%' ? "%25" : c == '?' ? "%3f" : "%23";
    } else {
      uri += c == '\\' ? '/' : c;
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

Database::Database(const std::filesystem::path& file, Mode mode) : file_(file) {
  require_regular_files(file);
  open(path_to_utf8(file),
       mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (mode == Mode::read && !can_be_read() && is_settled(file)) {
    // In a folder where this user may not write, and SQLite can't share its log.
    sqlite3_close_v2(std::exchange(handle_, nullptr));
    open(immutable_uri(file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  }
}

void Database::open(const std::string& name, int flags) {
  const int code = sqlite3_open_v2(
      name.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, kFileSystem);
  if (code != SQLITE_OK) {
    try {
      fail(code);
    } catch (...) {
      sqlite3_close_v2(handle_);
      throw;
    }
  }
  sqlite3_busy_timeout(handle_, kBusyMilliseconds);
}

bool Database::can_be_read() const {
  const int code =
      sqlite3_exec(handle_, "SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr) & 0xff;
  return code != SQLITE_CANTOPEN && code != SQLITE_READONLY;
}

Database::~Database() {
  sqlite3_close_v2(handle_);
}

void Database::fail(int code) const {
  const std::string file = path_to_utf8(file_);
  const std::string folder = path_to_utf8(file_.parent_path());
  const std::string reason = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  if (is_full(code, file_.parent_path())) {
    throw DiskFull(file_.parent_path(), kNeededBytes,
                   message<"the runs database {file} can't grow: the folder {folder} is full; free "
                           "at least 16 MB there and continue">(file, folder));
  }
  if (meets_size_limit(code, file_)) {
    throw Error(ErrorKind::out_of_disk,
                message<"the runs database {file} can't grow: {reason}; raise the limit of file "
                        "sizes (ulimit -f) or set MANTISSA_HOME">(
                    file, system_message(std::make_error_code(std::errc::file_too_large))));
  }
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      throw DamagedDatabase(message<"the runs database {file} is damaged ({reason}); the next "
                                    "program that writes to it sets it aside">(file, reason));
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      throw Error(
          message<"the runs database {file} can't be opened or written ({reason}); make the "
                  "folder {folder} writable or set MANTISSA_HOME">(file, reason, folder));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Error(
          message<"the runs database {file} in {folder} is held by another program for more "
                  "than 10 seconds; close that program">(file, folder));
    default:
      throw Error(
          message<"the runs database {file} in the folder {folder} can't be read or written "
                  "({reason}); check that disk and try again">(file, folder, reason));
  }
}

void Database::execute(const char* sql) {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) {
    fail(code);
  }
}

void Database::sync_log() {
  sqlite3_file* log = nullptr;
  int code = sqlite3_file_control(handle_, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  // Without methods the log isn't open: nothing was written since it was last moved into the file.
  if (code == SQLITE_OK && log != nullptr && log->pMethods != nullptr) {
    code = log->pMethods->xSync(log, SQLITE_SYNC_NORMAL);
  }
  if (code != SQLITE_OK) {
    fail(code);
  }
}

std::int64_t Database::number(const char* sql, std::int64_t otherwise) {
  Statement statement(*this, sql);
  return statement.row() ? statement.number(0) : otherwise;
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
  check(sqlite3_prepare_v3(database.handle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement_,
                           nullptr));
}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

void Statement::check(int code) {
  if (code != SQLITE_OK) {
    database_.fail(code);
  }
}

Statement& Statement::bind(int at, std::int64_t value) {
  check(sqlite3_bind_int64(statement_, at, value));
  return *this;
}

Statement& Statement::bind(int at, double value) {
  check(std::isnan(value) ? sqlite3_bind_null(statement_, at)
                          : sqlite3_bind_double(statement_, at, value));
  return *this;
}

Statement& Statement::bind(int at, const std::string& value) {
  check(sqlite3_bind_text64(statement_, at, value.data(), value.size(), SQLITE_TRANSIENT,
                            SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_blob(int at, const std::string& bytes) {
  check(sqlite3_bind_blob64(statement_, at, bytes.data(), bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

bool Statement::row() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) {
    return true;
  }
  if (code != SQLITE_DONE) {
    sqlite3_reset(statement_);
    database_.fail(code);
  }
  return false;
}

bool Statement::run() {
  int code = SQLITE_ROW;
  while (code == SQLITE_ROW) {
    code = sqlite3_step(statement_);
  }
  if (code != SQLITE_DONE && (code & 0xff) != SQLITE_CONSTRAINT) {
    // Before the reset, which would overwrite the reason.
    try {
      database_.fail(code);
    } catch (...) {
      sqlite3_reset(statement_);
      throw;
    }
  }
  sqlite3_reset(statement_);
  return code == SQLITE_DONE;
}

void Statement::reset() {
  sqlite3_reset(statement_);
}

std::string Statement::blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
}

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
}

}  // namespace mantissa
