// Small text files that are whole at any time: written under a temporary name, then renamed over the old one.
//
// Local (no communication): call on the rank that owns the file, inside all_or_none where others wait.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string_view>

namespace percussion {

/// Replaces `path` by `text`. RunError with path and reason; the old file is then untouched.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

/// Appends `text` to `path`, all of it or nothing. RunError with path and reason.
void append_to_file(const std::filesystem::path& path, std::string_view text);

/// Makes sure that `path` can grow by `bytes` (it is made longer, and created if need be): for libraries that
/// ruin their file when the disk is full. RunError with path and reason; the file then has its old length.
void reserve_space(const std::filesystem::path& path, std::size_t bytes);

/// A file that a library changes while the old one stays: work on path(), which is no file yet or a copy of the old one,
/// then replace(). Without that, path() is removed at the end. RunError with path and reason.
class ReplacedFile {
 public:
  explicit ReplacedFile(std::filesystem::path file);
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  const std::filesystem::path& path() const { return temporary_; }
  void copy_old() const;
  void replace() const;

 private:
  std::filesystem::path file_, temporary_;
};

/// Gives every byte of an existing file its place on the disk, so that writing within it cannot fail for want of space.
void fill_holes(const std::filesystem::path& path);

/// Brings `from` to the disk and renames it to `to`, the folder's entry included: after a loss of power there is either
/// the old `to` or the whole new one.
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace percussion
