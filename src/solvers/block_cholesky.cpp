#include "solvers/block_cholesky.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>

namespace percussion {

namespace {

using Lists = std::vector<std::vector<std::int32_t>>;

constexpr std::int32_t widest = 32;     // columns of a panel: beyond, its own factorisation is better cut in pieces
constexpr double most_zeros = 0.2;      // part of a panel that may be padding
constexpr std::int64_t few_zeros = 24;  // padding that costs less than another panel

/// Rows of equal pattern, in lists.
Lists equal_rows(const CompressedRows& A, std::vector<std::int32_t>& node_of) {
  const auto n = static_cast<PetscInt>(A.first.size()) - 1;
  Lists nodes;
  node_of.resize(n);
  std::unordered_multimap<std::uint64_t, std::int32_t> known;
  const auto columns = [&](PetscInt r) { return std::span(A.column).subspan(A.first[r], A.first[r + 1] - A.first[r]); };
  for (PetscInt r = 0; r < n; ++r) {
    std::uint64_t hash = 0;
    for (const PetscInt c : columns(r)) hash = (hash ^ static_cast<std::uint64_t>(c)) * 0x9E3779B97F4A7C15u + (hash >> 29);
    const auto [from, to] = known.equal_range(hash);
    const auto same = std::find_if(from, to, [&](const auto& k) { return std::ranges::equal(columns(nodes[k.second].front()), columns(r)); });
    // Rows without each other's column are not in one node, however equal: a node is dense.
    const bool joins = same != to && std::ranges::binary_search(columns(r), r);
    node_of[r] = joins ? same->second : static_cast<std::int32_t>(nodes.size());
    if (joins) {
      nodes[same->second].push_back(static_cast<std::int32_t>(r));
    } else {
      nodes.push_back({static_cast<std::int32_t>(r)});
      known.emplace(hash, node_of[r]);
    }
  }
  return nodes;
}

/// Neighbours of each node, without itself.
Lists quotient_graph(const CompressedRows& A, const Lists& nodes, const std::vector<std::int32_t>& node_of) {
  Lists graph(nodes.size());
  std::vector<std::int32_t> seen(nodes.size(), -1);
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(nodes.size()); ++k) {
    seen[k] = k;
    const std::int32_t r = nodes[k].front();
    for (PetscInt e = A.first[r]; e < A.first[r + 1]; ++e)
      if (const std::int32_t other = node_of[A.column[e]]; seen[other] != k) seen[other] = k, graph[k].push_back(other);
  }
  return graph;
}

/// Nodes in the order of elimination.
std::vector<std::int32_t> minimum_degree(const Lists& graph) {
  const auto n = static_cast<int>(graph.size());
  Eigen::SparseMatrix<double> pattern(n, n);
  Eigen::VectorXi count(n);
  for (int k = 0; k < n; ++k) count[k] = static_cast<int>(graph[k].size()) + 1;
  pattern.reserve(count);
  std::vector<std::int32_t> column;
  for (int k = 0; k < n; ++k) {
    column = graph[k];
    column.push_back(k);
    std::ranges::sort(column);
    for (const std::int32_t row : column) pattern.insertBackUncompressed(row, k) = 1;
  }
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  return {order.indices().data(), order.indices().data() + n};
}

/// Nodes below the diagonal in each column of L, ascending, and the parents in the elimination tree (-1: root). All numbers
/// are places in the order of elimination.
Lists symbolic(const Lists& graph, const std::vector<std::int32_t>& order, std::vector<std::int32_t>& parent) {
  const auto n = static_cast<std::int32_t>(graph.size());
  std::vector<std::int32_t> place(n), seen(n, -1);
  for (std::int32_t k = 0; k < n; ++k) place[order[k]] = k;
  Lists structure(n), children(n);
  parent.assign(n, -1);
  for (std::int32_t k = 0; k < n; ++k) {
    seen[k] = k;
    std::vector<std::int32_t>& mine = structure[k];
    const auto add = [&](std::int32_t i) {
      if (i > k && seen[i] != k) seen[i] = k, mine.push_back(i);
    };
    for (const std::int32_t other : graph[order[k]]) add(place[other]);
    for (const std::int32_t child : children[k]) std::ranges::for_each(structure[child], add);
    std::ranges::sort(mine);
    if (mine.empty()) continue;
    parent[k] = mine.front();
    children[mine.front()].push_back(k);
  }
  return structure;
}

}  // namespace

BlockCholesky::BlockCholesky(const CompressedRows& A) {
  std::vector<std::int32_t> node_of, parent, begin{0};
  const Lists nodes = equal_rows(A, node_of);
  const Lists graph = quotient_graph(A, nodes, node_of);
  const std::vector<std::int32_t> order = minimum_degree(graph);
  position_.resize(node_of.size());
  for (const std::int32_t node : order) {
    std::int32_t next = begin.back();
    for (const std::int32_t row : nodes[node]) position_[row] = next++;
    begin.push_back(next);
  }
  const Lists structure = symbolic(graph, order, parent);
  make_panels(structure, parent, begin);
  place_entries(A);
}

void BlockCholesky::make_panels(const Lists& structure, const std::vector<std::int32_t>& parent, const std::vector<std::int32_t>& begin) {
  const auto n = static_cast<std::int32_t>(structure.size());
  const auto rows_of = [&](std::int32_t node) { return begin[node + 1] - begin[node]; };
  const auto height_below = [&](std::int32_t node) {
    std::int32_t sum = 0;
    for (const std::int32_t i : structure[node]) sum += rows_of(i);
    return sum;
  };
  panel_of_.resize(begin.back());
  std::int64_t size = 0;
  for (std::int32_t k = 0; k < n;) {
    std::int32_t width = rows_of(k), last = k, below = height_below(k);
    std::int64_t zeros = 0;
    // The parent joins its last child if their patterns (nearly) agree.
    while (last + 1 < n && parent[last] == last + 1 && width + rows_of(last + 1) <= widest) {
      const std::int32_t joint = height_below(last + 1), more = rows_of(last + 1);
      const std::int64_t padding = zeros + static_cast<std::int64_t>(width) * (joint + more - below);
      const std::int64_t total = static_cast<std::int64_t>(width + more) * (width + more + joint);
      if (padding > few_zeros && static_cast<double>(padding) > most_zeros * static_cast<double>(total)) break;
      width += more, below = joint, zeros = padding, ++last;
    }
    const auto first_below = static_cast<std::int32_t>(below_.size());
    for (const std::int32_t i : structure[last])
      for (std::int32_t r = begin[i]; r < begin[i + 1]; ++r) below_.push_back(r);
    std::fill_n(panel_of_.begin() + begin[k], width, static_cast<std::int32_t>(panels_.size()));
    panels_.push_back({begin[k], width, first_below, below, size});
    size += static_cast<std::int64_t>(width) * (width + below);
    k = last + 1;
  }
  L_.resize(size), y_.resize(begin.back());
}

std::int64_t BlockCholesky::place(std::int32_t row, std::int32_t column) const {
  const Panel& panel = panels_[panel_of_[column]];
  std::int64_t local = row - panel.first;
  if (local >= panel.width) {
    const auto from = below_.begin() + panel.below;
    local = panel.width + (std::lower_bound(from, from + panel.n_below, row) - from);
  }
  return panel.offset + static_cast<std::int64_t>(column - panel.first) * panel.height() + local;
}

void BlockCholesky::place_entries(const CompressedRows& A) {
  target_.assign(A.column.size(), -1);
  for (std::size_t r = 0; r < position_.size(); ++r) {
    const std::int32_t row = position_[r];
    diagonal_.push_back(place(row, row));
    for (PetscInt e = A.first[r]; e < A.first[r + 1]; ++e)
      if (const std::int32_t column = position_[A.column[e]]; column <= row) target_[e] = place(row, column);
  }
}

bool BlockCholesky::factorise(const std::vector<double>& values, const std::vector<double>& shift) {
  std::fill(L_.begin(), L_.end(), 0.);
  for (std::size_t e = 0; e < target_.size(); ++e)
    if (target_[e] >= 0) L_[target_[e]] += values[e];
  for (std::size_t r = 0; r < diagonal_.size(); ++r) L_[diagonal_[r]] += shift[r];
  for (const Panel& panel : panels_) {
    const std::int32_t height = panel.height();
    double* L = L_.data() + panel.offset;
    for (std::int32_t j = 0; j < panel.width; ++j) {
      double* column = L + std::int64_t(j) * height;
      for (std::int32_t k = 0; k < j; ++k) {
        const double* left = L + std::int64_t(k) * height;
        const double factor = left[j];
        for (std::int32_t i = j; i < height; ++i) column[i] -= factor * left[i];
      }
      if (!(column[j] > 0)) return false;
      const double inverse = 1 / std::sqrt(column[j]);
      for (std::int32_t i = j; i < height; ++i) column[i] *= inverse;
    }
    if (panel.n_below > 0) update_ancestors(panel);
  }
  return true;
}

void BlockCholesky::update_ancestors(const Panel& panel) {
  using Strided = Eigen::Map<const MatX, 0, Eigen::OuterStride<>>;
  const std::int32_t m = panel.n_below;
  const Strided L21(L_.data() + panel.offset + panel.width, m, panel.width, Eigen::OuterStride<>(panel.height()));
  if (update_.rows() < m) update_.resize(m, m);
  auto U = update_.topLeftCorner(m, m);
  U.triangularView<Eigen::Lower>().setZero();
  U.selfadjointView<Eigen::Lower>().rankUpdate(L21);
  const std::int32_t* row = below_.data() + panel.below;
  relative_.resize(m);
  for (std::int32_t i = 0; i < m;) {
    // Columns i .. next belong to one ancestor; where are rows i .. m in its panel?
    const Panel& to = panels_[panel_of_[row[i]]];
    const std::int32_t* candidate = below_.data() + to.below;
    std::int32_t at = to.width, next = i;
    for (std::int32_t k = i; k < m; ++k) {
      if (row[k] < to.first + to.width) {
        relative_[k] = row[k] - to.first, next = k + 1;
        continue;
      }
      while (candidate[at - to.width] != row[k]) ++at;
      relative_[k] = at++;
    }
    for (std::int32_t c = i; c < next; ++c) {
      double* column = L_.data() + to.offset + std::int64_t(row[c] - to.first) * to.height();
      for (std::int32_t k = c; k < m; ++k) column[relative_[k]] -= U(k, c);
    }
    i = next;
  }
}

void BlockCholesky::solve(const std::vector<double>& b, std::vector<double>& x) {
  for (std::size_t r = 0; r < position_.size(); ++r) y_[position_[r]] = b[r];
  for (const Panel& panel : panels_) {
    const std::int32_t height = panel.height(), m = panel.n_below;
    double* y = y_.data() + panel.first;
    part_.assign(m, 0.);
    for (std::int32_t j = 0; j < panel.width; ++j) {
      const double* column = L_.data() + panel.offset + std::int64_t(j) * height;
      const double value = y[j] /= column[j];
      for (std::int32_t i = j + 1; i < panel.width; ++i) y[i] -= value * column[i];
      for (std::int32_t i = 0; i < m; ++i) part_[i] += value * column[panel.width + i];
    }
    for (std::int32_t i = 0; i < m; ++i) y_[below_[panel.below + i]] -= part_[i];
  }
  for (auto p = panels_.rbegin(); p != panels_.rend(); ++p) {
    const std::int32_t height = p->height(), m = p->n_below;
    double* y = y_.data() + p->first;
    part_.resize(m);
    for (std::int32_t i = 0; i < m; ++i) part_[i] = y_[below_[p->below + i]];
    for (std::int32_t j = p->width - 1; j >= 0; --j) {
      const double* column = L_.data() + p->offset + std::int64_t(j) * height;
      const Eigen::Map<const VecX> below(column + p->width, m), known(part_.data(), m);
      double value = y[j] - below.dot(known);
      for (std::int32_t i = j + 1; i < p->width; ++i) value -= column[i] * y[i];
      y[j] = value / column[j];
    }
  }
  for (std::size_t r = 0; r < position_.size(); ++r) x[r] = y_[position_[r]];
}

}  // namespace percussion
