// HDF5 identifiers that close themselves, and HDF5 failures as RunError.
//
// hdf5_check(path, H5Dwrite(...)) throws "cannot access <path>: <innermost message of HDF5>". Hdf5Quiet keeps
// HDF5 from printing its error stack for as long as it lives.
#pragma once
#include <hdf5.h>

#include <string>
#include <utility>

namespace percussion {

class Hdf5Quiet {
 public:
  Hdf5Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Hdf5Quiet(const Hdf5Quiet&) = delete;
  Hdf5Quiet& operator=(const Hdf5Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Throws RunError if `result` (an id, herr_t or htri_t) is negative; returns it otherwise.
hid_t hdf5_check(const std::string& path, hid_t result);

class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(const std::string& path, hid_t id, Close close_id)
      : id_(hdf5_check(path, id)), close_(close_id) {}
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  hid_t get() const { return id_; }
  /// Closes now: the destructor could not tell of a failure.
  void close(const std::string& path) { hdf5_check(path, close_(std::exchange(id_, -1))); }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

}  // namespace percussion
