// SPDX-License-Identifier: BSD-3-Clause
#include "data/npy/dictionary.hpp"

#include <fmt/format.h>

#include <charconv>

#include "coppice/runtime/error.hpp"

namespace coppice::npy {

namespace {

constexpr std::size_t most_dimensions = 64;  // NumPy's own limit

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Dictionary parse() {
    expect('{');
    while (!accept('}')) {
      entry();
      if (!accept(',') && peek() != '}') fail("',' or '}'");
    }
    skip_blanks();
    if (at_ != text_.size()) fail("nothing more");
    if (!has_descr_ || !has_order_ || !has_shape_) fail("the keys descr, fortran_order and shape");
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(std::string_view expected) const {
    throw DataError(fmt::format("its header has '{}' at byte {} where {} was expected",
                                printable(text_.substr(at_).substr(0, 20)), at_, expected));
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char wanted) {
    const bool found = peek() == wanted && at_ < text_.size();
    if (found) ++at_;
    return found;
  }
  void expect(char wanted) {
    if (!accept(wanted)) fail(fmt::format("'{}'", wanted));
  }

  std::string_view string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("a string in quotes");
    const std::size_t begin = at_ + 1;
    const std::size_t end = text_.find(quote, begin);
    if (end == std::string_view::npos) fail("a string with a closing quote");
    at_ = end + 1;
    return text_.substr(begin, end - begin);
  }

  bool boolean() {
    skip_blanks();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return value;
      }
    }
    fail("True or False");
  }

  std::size_t extent() {
    skip_blanks();
    std::size_t value = 0;
    const char* first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail("a number of rows or columns");
    at_ += static_cast<std::size_t>(end - first);
    accept('L');  // Python 2 wrote long numbers so
    return value;
  }

  void shape() {
    expect('(');
    while (!accept(')')) {
      if (result_.shape.size() == most_dimensions) fail("a shape of at most 64 dimensions");
      result_.shape.push_back(extent());
      if (!accept(',') && peek() != ')') fail("',' or ')'");
    }
  }

  void descr() {
    result_.is_structured = peek() == '[';
    if (!result_.is_structured) {
      result_.descr = string();
      return;
    }
    // A list of fields is refused later, by name; its end is all that matters here.
    std::size_t depth = 0;
    do {
      const char next = peek();
      if (at_ == text_.size()) fail("']'");
      if (next == '\'' || next == '"') {
        (void)string();
        continue;
      }
      depth += next == '[' ? 1U : 0U;
      depth -= next == ']' ? 1U : 0U;
      ++at_;
    } while (depth > 0);
  }

  static void once(bool& seen, std::string_view key) {
    if (seen) throw DataError(fmt::format("its header has the key {} twice", key));
    seen = true;
  }

  void entry() {
    const std::size_t begin = at_;
    const std::string_view key = string();
    expect(':');
    if (key == "descr") {
      once(has_descr_, key);
      descr();
    } else if (key == "fortran_order") {
      once(has_order_, key);
      result_.fortran_order = boolean();
    } else if (key == "shape") {
      once(has_shape_, key);
      shape();
    } else {
      at_ = begin;
      fail("one of the keys descr, fortran_order and shape");
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
  Dictionary result_;
};

}  // namespace

Dictionary parse_dictionary(std::string_view text) { return Parser(text).parse(); }

std::string printable(std::string_view text) {
  std::string result(text.substr(0, 60));
  for (char& c : result) {
    if (c < ' ' || c > '~') c = '?';
  }
  return result;
}

}  // namespace coppice::npy
