// SPDX-License-Identifier: BSD-3-Clause
// All that ranks need is one exchange of messages with all others; sums, maxima and broadcasts are made of it. Each
// message begins with how its sender fares, so that a rank that fails or was asked to stop is heard of at the next
// exchange, and nobody waits for one that is gone.

#include "coppice/runtime/communicator.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "coppice/runtime/assert.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice {

namespace {

// How the sender of a message fares stands first: one of these, or a reason to stop counted from `stop`. Behind
// `failed` come its exit code and its words, a number per character; else what is to be gathered.
constexpr double well = 0.0;
constexpr double failed = 1.0;
constexpr double stop = 2.0;

std::vector<double> message_of(const std::exception& error) {
  const auto* known = dynamic_cast<const Error*>(&error);
  const std::string words = (known != nullptr ? known->text() : Text(error.what())).to_template();
  std::vector<double> message{failed, static_cast<double>(known != nullptr ? known->exit_code() : 1)};
  for (const char letter : words) message.push_back(static_cast<double>(static_cast<unsigned char>(letter)));
  return message;
}

RankError error_in(std::size_t rank, std::span<const double> message) {
  std::string words;
  for (const double letter : message.subspan(2)) words += static_cast<char>(static_cast<unsigned char>(letter));
  return {rank, Text::from_template(words), static_cast<int>(message[1])};
}

}  // namespace

Communicator::Gathered Communicator::gather(std::span<const double> mine, std::optional<StopReason> reason) const {
  COPPICE_ASSERT(!is_over_);
  std::vector<double> message{reason ? stop + static_cast<double>(*reason) : well};
  message.insert(message.end(), mine.begin(), mine.end());
  Gathered messages = exchange(std::move(message));
  const auto ends = [](const std::vector<double>& one) { return one.front() == failed; };
  // Failures before stops, and the lowest rank first: all ranks find the same one.
  if (const auto left = std::ranges::find_if(messages, ends); left != messages.end()) {
    is_over_ = true;
    throw error_in(static_cast<std::size_t>(left - messages.begin()), *left);
  }
  const auto stops = [](const std::vector<double>& one) { return one.front() >= stop; };
  if (const auto asked = std::ranges::find_if(messages, stops); asked != messages.end()) {
    throw Stopped(static_cast<StopReason>(asked->front() - stop));
  }
  for (std::vector<double>& one : messages) one.erase(one.begin());
  return messages;
}

double Communicator::max(double mine) const {
  double largest = mine;
  for (const std::vector<double>& of_rank : gather({&mine, 1})) largest = std::max(largest, of_rank.front());
  return largest;
}

void Communicator::broadcast(std::span<double> from_rank_zero) const {
  const Gathered all = gather(rank() == 0 ? from_rank_zero : std::span<double>{});
  std::ranges::copy(all.front(), from_rank_zero.begin());
}

void Communicator::leave(const std::exception& error) const noexcept {
  if (is_alone() || std::exchange(is_over_, true)) return;
  try {
    (void)exchange(message_of(error));
  } catch (...) {  // the others cannot be told, and this one is ending already
  }
}

}  // namespace coppice
