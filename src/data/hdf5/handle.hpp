// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hdf5.h>

#include <utility>

namespace coppice::hdf5 {

// What the HDF5 library opens, closed at the end by the function that goes with it. False where opening failed.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close) noexcept : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;

  [[nodiscard]] hid_t id() const noexcept { return id_; }
  explicit operator bool() const noexcept { return id_ >= 0; }

 private:
  hid_t id_;
  Close close_;
};

// The library prints what went wrong unless it is told not to; as it was before at the end.
class Silence {
 public:
  Silence() noexcept {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace coppice::hdf5
