#include "engine/ranks/ranks.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <new>
#include <thread>

#include "engine/core/system.h"
#include "engine/ranks/launcher.h"
#include "kernels/check.h"

namespace mantissa {
namespace {

/// Long enough for a machine that swaps or a switch that restarts a port, and short enough that all
/// have ended within half a minute.
constexpr double kMostSilence = 10;       ///< seconds
constexpr double kNoticeableSilence = 4;  ///< several beats
/// After a loss: the launcher ends all when the first exits, which must not be before the process
/// that speaks has noticed the loss too.
constexpr std::chrono::seconds kTimeToTell{3};

/// In place of an ErrorKind.
constexpr int kDeviceLost = 100, kRankLost = 101;

}  // namespace

template <typename Call>
void Ranks::linked(const Call& call) {
  try {
    call();
  } catch (const RankLost&) {
    lost_ = true;
    throw;
  } catch (const std::exception& e) {
    lost_ = true;
    throw RankLost(message<"{process} can't reach the others: {reason}">(
        name(rank()), Message::verbatim(e.what())));
  }
}

Ranks::Ranks(std::unique_ptr<RankLink> link) : link_(std::move(link)) {
  link_->while_waiting = [this] { look_after_others(); };
  find_neighbours();
  find_hosts();
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

void Ranks::find_hosts() {
  using Name = std::array<char, 64>;
  Name mine{};
  const std::string name = host_name();
  std::copy_n(name.begin(), std::min(name.size(), mine.size() - 1), mine.begin());
  std::vector<Name> all(static_cast<std::size_t>(size()));
  linked([&] {
    link_->gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
  });
  for (const Name& other : all) {
    hosts_.emplace_back(other.data());
  }
}

std::string Ranks::host(int rank) const {
  return hosts_.empty() ? std::string() : hosts_[static_cast<std::size_t>(rank)];
}

Message Ranks::name(int rank) const {
  const std::string card = this->card(rank);
  return card.empty() ? message<"process {number}">(rank) : Message::verbatim(card);
}

Message Ranks::name_and_host(int rank) const {
  return card(rank).empty() ? message<"process {number} on {host}">(rank, host(rank)) : name(rank);
}

Message Ranks::all() const {
  return card(0).empty() ? message<"{count} processes">(size()) : message<"{count} cards">(size());
}

int Ranks::place_on_host() const {
  return static_cast<int>(std::count(hosts_.begin(), hosts_.begin() + rank(), host(rank())));
}

int Ranks::processes_on_host() const {
  return alone() ? 1 : static_cast<int>(std::ranges::count(hosts_, host(rank())));
}

void Ranks::look_after_others() {
  constexpr std::int64_t kPause = 200;
  using std::chrono::steady_clock, std::chrono::milliseconds;
  const std::int64_t now =
      std::chrono::duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
  if (!link_ || now - looked_at_ < kPause) {
    return;
  }
  looked_at_ = now;
  linked([this] { find_lost(); });
}

/// Launchers notice the end of a process, but some then wait long before they end the others; none
/// notices one that is stopped.
void Ranks::find_lost() const {
  const auto gone = std::ranges::find_if(
      neighbours_, [](const Neighbour& other) { return !process_exists(other.process); });
  const bool one_ended = gone != neighbours_.end();
  // A neighbour that ended may have been the first to miss another one, which is then the reason.
  const double limit = one_ended ? kNoticeableSilence : kMostSilence;
  for (int other = 0; other < size(); ++other) {
    if (link_->silence(other) > limit && !(one_ended && gone->rank == other)) {
      throw RankLost(
          message<
              "{process} can't be heard any more: it was stopped or ended, its machine is down, or "
              "the network between is. The run can't continue. Resume it with --resume">(
              name_and_host(other)));
    }
  }
  if (one_ended) {
    throw RankLost(
        message<"process {number} (id {id}) ended without giving a reason, so the "
                "run can't continue. Resume it with --resume">(gone->rank, gone->process));
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
  int kind = static_cast<int>(ErrorKind::input);
  std::string text, id;
  try {
    if (own) {
      std::rethrow_exception(own);
    }
  } catch (const RankLost& e) {
    kind = kRankLost;
    text = e.what();
  } catch (const Error& e) {
    kind = static_cast<int>(e.kind());
    text = e.what();
    id = e.id();
  } catch (const DeviceLost& e) {
    kind = kDeviceLost;
    text = e.what();
  } catch (const OutOfDeviceMemory& e) {
    kind = static_cast<int>(ErrorKind::out_of_memory);
    text = e.what();
  } catch (const std::bad_alloc&) {
    kind = static_cast<int>(ErrorKind::out_of_memory);
    text = "the machine refused more memory";
  } catch (const std::exception& e) {
    text = e.what();
  }
  kind = std::stoi(broadcast(std::to_string(kind), rank));
  text = broadcast(text, rank);
  id = broadcast(id, rank);
  // A card's own messages name it.
  Message told = !card(rank).empty() && text.find(card(rank)) != std::string::npos
                     ? Message::verbatim(text)
                     : message<"{process}: {message}">(name(rank), Message::verbatim(text));
  if (kind == kDeviceLost) {
    throw RankDeviceLost(told.text());
  }
  if (kind == kRankLost) {
    throw RankLost(std::move(told));
  }
  throw Error(static_cast<ErrorKind>(kind), std::move(told), id);
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

std::vector<std::string> Ranks::texts(const std::string& mine) {
  agree(nullptr);
  std::vector<std::string> all{mine};
  if (link_) {
    all.clear();
    for (int from = 0; from < size(); ++from) {
      all.push_back(broadcast(mine, from));
    }
  }
  return all;
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
        message<"{process} differs from {first}: {what}. All need the same program, arguments and "
                "files">(name(static_cast<int>(first - others.begin())), name(0), what));
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
    link_->announce_failure();
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
    lost_ = true;  // they are gone
  }
  if (lost_ && !writes()) {
    std::this_thread::sleep_for(kTimeToTell);
  }
  return !lost_;
}

std::unique_ptr<Ranks> open_ranks() {
  const std::optional<int> processes = launched_processes();
  return processes ? std::make_unique<Ranks>(open_link(*processes)) : std::make_unique<Ranks>();
}

}  // namespace mantissa
