// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The errors a user can meet. Each knows the exit code that the command line ends with; a message says what is
// wrong, the actual values, and what to do. Programmer mistakes are COPPICE_ASSERT's business, not these.
//
//   throw OptionError(fmt::format("k is {}, but the data has {} rows; choose 1 to {}", k, rows, rows));

#include <stdexcept>
#include <string>

namespace coppice {

class Error : public std::runtime_error {
 public:
  Error(const std::string& message, int exit_code) : std::runtime_error(message), exit_code_(exit_code) {}
  [[nodiscard]] int exit_code() const noexcept { return exit_code_; }

 private:
  int exit_code_;
};

// A method's options do not fit together, or do not fit the data.
class OptionError : public Error {
 public:
  explicit OptionError(const std::string& message) : Error(message, 2) {}
};

// The data are bad: file, line and column, or array and index, are in the message.
class DataError : public Error {
 public:
  explicit DataError(const std::string& message) : Error(message, 3) {}
};

// Something cannot be opened, read, written or renamed.
class IoError : public Error {
 public:
  explicit IoError(const std::string& message) : Error(message, 4) {}
};

// Too large for the memory or for a stated limit.
class LimitError : public Error {
 public:
  explicit LimitError(const std::string& message) : Error(message, 5) {}
};

// The fit met a number it cannot go on with: component, iteration and quantity are in the message.
class NumericError : public Error {
 public:
  explicit NumericError(const std::string& message) : Error(message, 1) {}
};

}  // namespace coppice
