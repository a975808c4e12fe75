// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The errors a user can meet. Each knows the exit code that the command line ends with; a message says what is
// wrong, the actual values, and what to do. Programmer mistakes are COPPICE_ASSERT's business, not these.
//
//   throw OptionError(format_text("{k} is {}, but the data has {} rows; choose 1 to {}", k, rows, rows));
//
// what() names options by their keys; a front end shows text() with the names that they have there.

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include "coppice/runtime/text.hpp"

namespace coppice {

class Error : public std::runtime_error {
 public:
  Error(Text message, int exit_code)
      : std::runtime_error(message.plain()),
        text_(std::make_shared<const Text>(std::move(message))),
        exit_code_(exit_code) {}
  Error(const Error&) = default;  // and no moves, which would leave an error without its text
  Error& operator=(const Error&) = default;
  ~Error() override = default;
  [[nodiscard]] const Text& text() const noexcept { return *text_; }
  [[nodiscard]] int exit_code() const noexcept { return exit_code_; }

 private:
  std::shared_ptr<const Text> text_;  // shared by copies, which must not throw
  int exit_code_;
};

// A method's options do not fit together, or do not fit the data.
class OptionError : public Error {
 public:
  explicit OptionError(Text message) : Error(std::move(message), 2) {}
};

// The data are bad: file, line and column, or array and index, are in the message.
class DataError : public Error {
 public:
  explicit DataError(Text message) : Error(std::move(message), 3) {}
};

// Something cannot be opened, read, written or renamed.
class IoError : public Error {
 public:
  explicit IoError(Text message) : Error(std::move(message), 4) {}
};

// Too large for the memory or for a stated limit.
class LimitError : public Error {
 public:
  explicit LimitError(Text message) : Error(std::move(message), 5) {}
};

// The fit met a number it cannot go on with: component, iteration and quantity are in the message.
class NumericError : public Error {
 public:
  explicit NumericError(Text message) : Error(std::move(message), 1) {}
};

// Another process of the same run failed (communicator.hpp): its words, and the exit code that it ends with.
class RankError : public Error {
 public:
  RankError(std::size_t rank, const Text& message, int exit_code)
      : Error(Text("rank " + std::to_string(rank) + ": ") += message, exit_code) {}
};

}  // namespace coppice
