// SPDX-License-Identifier: BSD-3-Clause
#include "data/csv/pieces.hpp"

#include <algorithm>

#include "coppice/runtime/for_each_task.hpp"
#include "data/csv/chunk_scan.hpp"

namespace coppice::csv {
using namespace internal;

namespace {

// Chunks scanned at a time, so that the first rows of a huge file do not need all of it.
constexpr std::size_t chunks_per_batch = 16;

// Walks over the scanned chunks in order, and so knows where it is.
class Cutter {
 public:
  Cutter(const Content& content, const Layout& layout, const Cutting& cutting)
      : content_(content), rows_(layout.rows), line_(layout.first_line), cutting_(cutting) {}

  [[nodiscard]] bool is_done() const noexcept {
    return next_ == rows_.size() || is_broken_ || n_rows_ >= cutting_.max_rows;
  }

  // The next chunks of whole lines: each of the wanted length, or as long as its last line.
  [[nodiscard]] std::vector<std::string_view> next_chunks() {
    std::vector<std::string_view> chunks;
    for (std::size_t first = next_; first < rows_.size() && chunks.size() < chunks_per_batch;) {
      const std::size_t wanted = std::min(rows_.size() - first, cutting_.bytes_per_piece);
      const std::size_t newline = rows_.find('\n', first + wanted - 1);
      const std::size_t end = newline == std::string_view::npos ? rows_.size() : newline + 1;
      chunks.push_back(rows_.substr(first, end - first));
      first = end;
    }
    return chunks;
  }

  void add(std::string_view chunk, const ChunkScan& scan) {
    if (scan.nul != std::string_view::npos) {
      throw_nul_byte(content_, static_cast<std::size_t>(chunk.data() - content_.bytes.data()) + scan.nul);
    }
    // What a chunk cannot know by itself, whether it begins inside quotes, is known from those before it.
    const Reading& reading = is_inside_ ? scan.inside : scan.outside;
    // A chunk may lie inside one quoted field altogether: it is then part of the piece before it.
    if (reading.n_rows > 0) {
      const std::size_t n_rows = std::min(reading.n_rows, cutting_.max_rows - n_rows_);
      pieces_.push_back({rows_.substr(next_ + reading.first), line_ + reading.n_lines_before, n_rows_, n_rows});
      n_rows_ += n_rows;
    }
    is_inside_ = reading.end == ScanEnd::inside;
    is_broken_ = reading.end == ScanEnd::broken;
    next_ += chunk.size();
    line_ += scan.n_lines;
  }

  // A piece goes on to the next, since its last record may end there.
  [[nodiscard]] std::vector<Piece> take() {
    for (std::size_t piece = 0; piece + 1 < pieces_.size(); ++piece) {
      std::string_view& lines = pieces_[piece].lines;
      lines = lines.substr(0, static_cast<std::size_t>(pieces_[piece + 1].lines.data() - lines.data()));
    }
    return std::move(pieces_);
  }

 private:
  const Content& content_;
  std::string_view rows_;
  std::size_t next_ = 0;  // byte where the next chunk begins
  std::size_t line_;      // and its line
  std::size_t n_rows_ = 0;
  bool is_inside_ = false;  // quotes
  bool is_broken_ = false;
  Cutting cutting_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::vector<Piece> cut_into_pieces(const Content& content, const Layout& layout, const Cutting& cutting,
                                   const Execution& execution) {
  Cutter cutter(content, layout, cutting);
  while (!cutter.is_done()) {
    const std::vector<std::string_view> chunks = cutter.next_chunks();
    std::vector<ChunkScan> scans(chunks.size());
    for_each_task(execution, {.count = chunks.size()},
                  [&](std::size_t chunk) { scans[chunk] = scan_chunk(chunks[chunk], layout.separator); });
    for (std::size_t chunk = 0; chunk < chunks.size() && !cutter.is_done(); ++chunk) {
      cutter.add(chunks[chunk], scans[chunk]);
    }
  }
  return cutter.take();
}

}  // namespace coppice::csv
