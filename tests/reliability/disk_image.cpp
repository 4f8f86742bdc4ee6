#include "tests/reliability/disk_image.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "engine/io/file.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

void write_at(std::string& content, std::size_t offset, std::string_view data) {
  content.resize(std::max(content.size(), offset + data.size()));
  std::memcpy(content.data() + offset, data.data(), data.size());
}

/// Only those sectors of a write that `random` picks reached the disk.
void write_sectors(std::string& content, std::size_t offset, std::string_view data,
                   std::mt19937& random) {
  const std::size_t sector = random() % 2 == 0 ? 512 : 4096;
  const std::size_t end = offset + data.size();
  content.resize(std::max(content.size(), end));
  for (std::size_t at = offset; at < end;) {
    const std::size_t next = std::min((at / sector + 1) * sector, end);
    if (random() % 2 == 0) {
      std::memcpy(content.data() + at, data.data() + (at - offset), next - at);
    }
    at = next;
  }
}

}  // namespace

/// A change of one folder's entries; both of a rename are one, as in a journaling file system.
struct DiskImage::Change {
  std::vector<std::pair<std::string, std::shared_ptr<Node>>> entries;  ///< no node: removed
};

/// A write, or a truncation if there is no data.
struct DiskImage::Pending {
  std::size_t offset = 0;
  std::string data;
  bool truncates = false;
};

struct DiskImage::Node {
  bool folder = false;
  std::string content, durable;
  std::vector<Pending> pending;
  Entries entries, durable_entries;
  std::vector<Change> changes;
};

DiskImage::DiskImage(fs::path root) : root_(std::move(root)), top_(load(root_)) {}

DiskImage::~DiskImage() = default;

std::shared_ptr<DiskImage::Node> DiskImage::load(const fs::path& path) const {
  auto node = std::make_shared<Node>();
  node->folder = fs::is_directory(path);
  if (!node->folder) {
    node->content = node->durable = read_text(path);
    return node;
  }
  for (const auto& entry : fs::directory_iterator(path)) {
    node->entries[entry.path().filename().string()] = load(entry.path());
  }
  node->durable_entries = node->entries;
  return node;
}

std::shared_ptr<DiskImage::Node> DiskImage::find(const std::string& path) const {
  std::shared_ptr<Node> node = top_;
  for (const fs::path& part : fs::path(path)) {
    const auto at = node->entries.find(part.string());
    if (at == node->entries.end()) {
      return nullptr;
    }
    node = at->second;
  }
  return node;
}

std::shared_ptr<DiskImage::Node> DiskImage::node_of(const TracedCall& call) const {
  const fs::path relative = fs::path(call.path).lexically_relative(root_);
  const auto node = relative == "." ? top_ : find(relative.string());
  if (node == nullptr) {
    throw std::runtime_error("a recorded call is on an unknown file: " + call.path);
  }
  return node;
}

DiskImage::Place DiskImage::place_of(const std::string& path) const {
  const fs::path relative = fs::path(path).lexically_relative(root_);
  const fs::path parent = relative.parent_path();
  const auto folder = find(parent.string());
  if (folder == nullptr) {
    throw std::runtime_error("a recorded call is in no known folder: " + path);
  }
  return {folder, relative.filename().string()};
}

void DiskImage::change(const std::string& path, std::shared_ptr<Node> node) {
  const Place place = place_of(path);
  if (node == nullptr) {
    place.folder->entries.erase(place.name);
  } else {
    place.folder->entries[place.name] = node;
  }
  place.folder->changes.push_back({{{place.name, node}}});
}

void DiskImage::apply(const TracedCall& call) {
  switch (call.call) {
    case FileCall::create:
    case FileCall::make_folder: {
      auto node = std::make_shared<Node>();
      node->folder = call.call == FileCall::make_folder;
      change(call.path, node);
      break;
    }
    case FileCall::truncate: {
      const auto node = node_of(call);
      node->content.resize(static_cast<std::size_t>(call.offset));
      node->pending.push_back({static_cast<std::size_t>(call.offset), {}, true});
      break;
    }
    case FileCall::write: {
      const auto node = node_of(call);
      write_at(node->content, static_cast<std::size_t>(call.offset), call.data);
      node->pending.push_back({static_cast<std::size_t>(call.offset), call.data, false});
      break;
    }
    case FileCall::sync: {
      const auto node = node_of(call);
      node->durable = node->content;
      node->pending.clear();
      node->durable_entries = node->entries;
      node->changes.clear();
      break;
    }
    case FileCall::rename: {
      const Place from = place_of(call.path), to = place_of(call.data);
      const auto node = from.folder->entries.at(from.name);
      from.folder->entries.erase(from.name);
      to.folder->entries[to.name] = node;
      if (from.folder == to.folder) {
        from.folder->changes.push_back({{{from.name, nullptr}, {to.name, node}}});
      } else {
        to.folder->changes.push_back({{{to.name, node}}});
        from.folder->changes.push_back({{{from.name, nullptr}}});
      }
      break;
    }
    case FileCall::remove:
      change(call.path, nullptr);
      break;
  }
}

bool DiskImage::is_durable(const std::string& path) const {
  std::shared_ptr<Node> node = top_;
  for (const fs::path& part : fs::path(path)) {
    const auto at = node->durable_entries.find(part.string());
    if (at == node->durable_entries.end()) {
      return false;
    }
    node = at->second;
  }
  return true;
}

void DiskImage::lose_power(Unsynced how, std::mt19937& random) const {
  for (const auto& entry : fs::directory_iterator(root_)) {
    fs::remove_all(entry.path());
  }
  write_out(*top_, root_, how, random);
}

void DiskImage::write_out(const Node& node, const fs::path& path, Unsynced how,
                          std::mt19937& random) {
  if (!node.folder) {
    std::string content = node.durable;
    for (std::size_t i = 0; i < node.pending.size() && how != Unsynced::dropped; ++i) {
      const Pending& p = node.pending[i];
      if (how == Unsynced::reordered && random() % 3 == 0) {
        continue;
      }
      if (p.truncates) {
        content.resize(p.offset);
      } else if (how == Unsynced::reordered || i + 1 == node.pending.size()) {
        write_sectors(content, p.offset, p.data, random);
      } else {
        write_at(content, p.offset, p.data);
      }
    }
    std::ofstream(path, std::ios::binary) << content;
    return;
  }
  Entries entries = node.durable_entries;
  const std::size_t kept = how == Unsynced::dropped ? 0
                           : how == Unsynced::kept  ? node.changes.size()
                                                    : random() % (node.changes.size() + 1);
  for (std::size_t i = 0; i < kept; ++i) {
    for (const auto& [name, entry] : node.changes[i].entries) {
      if (entry == nullptr) {
        entries.erase(name);
      } else {
        entries[name] = entry;
      }
    }
  }
  fs::create_directories(path);
  for (const auto& [name, entry] : entries) {
    write_out(*entry, path / name, how, random);
  }
}

std::vector<TracedCall> read_trace(const fs::path& file) {
  const std::string bytes = read_text(file, std::uint64_t{1} << 32);
  std::string_view rest = bytes;
  std::vector<TracedCall> calls;
  for (TracedCall call; unpack_call(rest, call);) {
    calls.push_back(call);
  }
  if (!rest.empty()) {
    throw std::runtime_error("the recorded calls end in the midst of one");
  }
  return calls;
}

}  // namespace mantissa
