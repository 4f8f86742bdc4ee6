#include "engine/ranks/ranks.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <new>

#include "engine/core/system.h"
#include "engine/ranks/launcher.h"

namespace mantissa {

template <typename Call>
void Ranks::linked(const Call& call) {
  try {
    call();
  } catch (const RankLost&) {
    lost_ = true;
    throw;
  } catch (const std::exception& e) {
    lost_ = true;
    throw RankLost(message<"process {number} can't reach the others: {reason}">(
        rank(), Message::verbatim(e.what())));
  }
}

Ranks::Ranks(std::unique_ptr<RankLink> link) : link_(std::move(link)) {
  link_->while_waiting = [this] { look_after_neighbours(); };
  find_neighbours();
}

void Ranks::find_neighbours() {
  const std::vector<std::int64_t> ids = gather_numbers(process_id());
  const auto space = static_cast<std::int64_t>(std::hash<std::string>()(process_space()));
  const std::vector<std::int64_t> spaces = gather_numbers(space);
  for (int other = 0; other < size(); ++other) {
    if (other != rank() && spaces[static_cast<std::size_t>(other)] == space) {
      neighbours_.push_back({other, ids[static_cast<std::size_t>(other)]});
    }
  }
}

/// Launchers notice the end of a process, but some then wait long before they end the others.
void Ranks::look_after_neighbours() {
  constexpr std::int64_t kPause = 200;
  using std::chrono::steady_clock, std::chrono::milliseconds;
  const std::int64_t now =
      std::chrono::duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
  if (now - looked_at_ < kPause) {
    return;
  }
  looked_at_ = now;
  for (const Neighbour& other : neighbours_) {
    if (!process_exists(other.process)) {
      throw RankLost(
          message<"process {number} (id {id}) ended without giving a reason, so the "
                  "run can't continue. Resume it with --resume">(other.rank, other.process));
    }
  }
}

std::vector<std::int64_t> Ranks::gather_numbers(std::int64_t mine) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(size()), mine);
  if (link_) {
    linked([&] {
      link_->gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    });
  }
  return all;
}

std::string Ranks::broadcast(const std::string& text, int from) {
  auto length = static_cast<std::uint64_t>(text.size());
  std::string all = text;
  linked([&] {
    link_->broadcast(std::as_writable_bytes(std::span(&length, 1)), from);
    all.resize(length);
    link_->broadcast(std::as_writable_bytes(std::span(all)), from);
  });
  return all;
}

void Ranks::agree(const std::exception_ptr& failure) {
  const std::vector<std::int64_t> failed = gather_numbers(failure ? 1 : 0);
  const auto first = std::find(failed.begin(), failed.end(), 1);
  if (first != failed.end()) {
    ended_ = true;
    throw_failure(static_cast<int>(first - failed.begin()), failure);
  }
}

void Ranks::throw_failure(int rank, const std::exception_ptr& own) {
  auto kind = ErrorKind::input;
  std::string text, id;
  try {
    if (own) {
      std::rethrow_exception(own);
    }
  } catch (const Error& e) {
    kind = e.kind();
    text = e.what();
    id = e.id();
  } catch (const std::bad_alloc&) {
    kind = ErrorKind::out_of_memory;
    text = "the machine refused more memory";
  } catch (const std::exception& e) {
    text = e.what();
  }
  std::string numbers = broadcast(std::to_string(static_cast<int>(kind)), rank);
  text = broadcast(text, rank);
  id = broadcast(id, rank);
  throw Error(static_cast<ErrorKind>(std::stoi(numbers)),
              message<"process {number}: {message}">(rank, Message::verbatim(text)), id);
}

void Ranks::meet() {
  agree(nullptr);
}

bool Ranks::any(bool mine) {
  agree(nullptr);
  const std::vector<std::int64_t> all = gather_numbers(mine ? 1 : 0);
  return std::find(all.begin(), all.end(), 1) != all.end();
}

std::vector<double> Ranks::gather(double mine) {
  agree(nullptr);
  std::vector<double> all(static_cast<std::size_t>(size()), mine);
  if (link_) {
    linked([&] {
      link_->gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    });
  }
  return all;
}

void Ranks::take_largest(std::vector<float>& values) {
  agree(nullptr);
  if (!link_ || values.empty()) {
    return;
  }
  std::vector<float> all(values.size() * static_cast<std::size_t>(size()));
  linked([&] {
    link_->gather(std::as_bytes(std::span(values)), std::as_writable_bytes(std::span(all)));
  });
  for (std::size_t i = 0; i < all.size(); ++i) {
    float& largest = values[i % values.size()];
    largest = std::fmax(largest, all[i]);
  }
}

std::string Ranks::of_writer(const std::string& text) {
  agree(nullptr);
  return link_ ? broadcast(text, 0) : text;
}

void Ranks::require_same(const Message& what, const std::string& text) {
  const bool same = of_writer(text) == text;
  const std::vector<std::int64_t> others = gather_numbers(same ? 0 : 1);
  const auto first = std::find(others.begin(), others.end(), 1);
  if (first != others.end()) {
    throw Error(
        message<"process {number} differs from process 0: {what}. Start all processes with the "
                "same program, arguments and files">(first - others.begin(), what));
  }
}

void Ranks::scatter(std::span<const std::byte> whole, std::span<const std::size_t> ends,
                    std::span<std::byte> parts) {
  agree(nullptr);
  linked([&] { link_->scatter(whole, ends, parts); });
}

void Ranks::complete(std::span<std::byte> whole, std::span<const std::size_t> ends) {
  agree(nullptr);
  linked([&] { link_->complete(whole, ends); });
}

void Ranks::fail(const std::exception_ptr& why) noexcept {
  if (!link_ || ended_ || lost_) {
    return;
  }
  try {
    agree(why);
  } catch (...) {
    // The others know, or are gone.
  }
}

bool Ranks::leave() noexcept {
  if (!link_) {
    return true;
  }
  try {
    if (!ended_ && !lost_) {
      agree(nullptr);
    }
  } catch (...) {
    // One failed after this one had finished.
  }
  try {
    if (ended_ && !lost_) {
      gather_numbers(0);  // the one that speaks has told the reason
    }
    if (!lost_) {
      link_->close();
    }
  } catch (...) {
    // They are gone.
  }
  return !lost_;
}

std::unique_ptr<Ranks> open_ranks() {
  const std::optional<int> processes = launched_processes();
  return processes ? std::make_unique<Ranks>(open_link(*processes)) : std::make_unique<Ranks>();
}

}  // namespace mantissa
