#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"

namespace percussion {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int reason) {
  throw RunError(fmt::format("cannot write {}: {}", path.string(), std::strerror(reason)));
}

// POSIX descriptors rather than streams: only they tell why a write failed.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags)
      : path_(path), fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (fd_ < 0) fail(path_, errno);
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }

  /// 0, or errno.
  int write_all(std::string_view text) const {
    while (!text.empty()) {
      const auto written = ::write(fd_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
  }

  /// Network file systems may report a full disk only here. 0, or errno.
  int close() {
    const int result = ::close(fd_) == 0 ? 0 : errno;
    fd_ = -1;
    return result;
  }

 private:
  std::filesystem::path path_;
  int fd_;
};

}  // namespace

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  auto temporary = path;
  temporary += ".tmp";
  Descriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
  int reason = file.write_all(text);
  if (reason == 0) reason = file.close();
  if (reason == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) reason = errno;
  if (reason == 0) return;
  ::unlink(temporary.c_str());
  fail(path, reason);
}

void append_to_file(const std::filesystem::path& path, std::string_view text) {
  Descriptor file(path, O_WRONLY | O_CREAT | O_APPEND);
  struct stat before {};
  if (::fstat(file.get(), &before) != 0) fail(path, errno);
  int reason = file.write_all(text);
  if (reason != 0) {
    // A part may be on disk. If even shortening fails, the reason of the write is still the one to report.
    [[maybe_unused]] const int shortened = ::ftruncate(file.get(), before.st_size);
    fail(path, reason);
  }
  reason = file.close();
  if (reason != 0) fail(path, reason);
}

void reserve_space(const std::filesystem::path& path, std::size_t bytes) {
  Descriptor file(path, O_RDWR | O_CREAT);
  struct stat before {};
  if (::fstat(file.get(), &before) != 0) fail(path, errno);
  const int reason = ::posix_fallocate(file.get(), before.st_size, static_cast<off_t>(bytes));
  if (reason == 0 || reason == EOPNOTSUPP || reason == EINVAL) return;  // some file systems cannot tell
  [[maybe_unused]] const int shortened = ::ftruncate(file.get(), before.st_size);
  fail(path, reason);
}

ReplacedFile::ReplacedFile(std::filesystem::path file) : file_(std::move(file)), temporary_(file_) {
  temporary_ += ".tmp";
  ::unlink(temporary_.c_str());
}

ReplacedFile::~ReplacedFile() { ::unlink(temporary_.c_str()); }

void ReplacedFile::copy_old() const {
  std::error_code failure;
  std::filesystem::copy_file(file_, temporary_, failure);
  if (failure) fail(file_, failure.value());
}

void ReplacedFile::replace() const {
  if (std::rename(temporary_.c_str(), file_.c_str()) != 0) fail(file_, errno);
}

void fill_holes(const std::filesystem::path& path) {
  Descriptor file(path, O_RDWR);
  struct stat now {};
  if (::fstat(file.get(), &now) != 0) fail(path, errno);
  const int reason = now.st_size > 0 ? ::posix_fallocate(file.get(), 0, now.st_size) : 0;
  if (reason != 0 && reason != EOPNOTSUPP && reason != EINVAL) fail(path, reason);
}

void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to) {
  Descriptor file(from, O_RDONLY);
  if (::fsync(file.get()) != 0) fail(from, errno);
  if (std::rename(from.c_str(), to.c_str()) != 0) fail(to, errno);
  Descriptor folder(to.has_parent_path() ? to.parent_path() : ".", O_RDONLY | O_DIRECTORY);
  // Some file systems cannot do it for folders; the file itself is safe then all the same.
  if (::fsync(folder.get()) != 0 && errno != EINVAL && errno != ENOTSUP) fail(to, errno);
}

}  // namespace percussion
