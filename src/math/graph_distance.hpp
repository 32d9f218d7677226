// Hausdorff distance of two filled-in graphs (Moreau 1978; Acary 44-47).
//
// A graph is a polyline of points (t, x), t not decreasing; a jump is filled in by its segment, vertical if two points
// have the same t. Metric (45): d((t, x), (s, y)) = max(|t - s|, |x - y|), so t must come scaled to the unit of x: a jump
// misplaced by less than its height then counts with the scaled shift, not with its height.
//
// Exact up to 1e-6 of the result: the vertices of one graph are measured against the segments of the other; between two
// vertices the distance to ONE segment is convex, which bounds it from above, and the piece is halved where the bound is
// not met. Cost O(n (log m + w)) for n against m points, w = segments within the distance found: a few for graphs that
// are close, m if they are farther apart than their extent.
#pragma once
#include <span>

namespace percussion {

struct GraphPoint {
  double t = 0, x = 0;
};

/// Excess of `from` over `to` (46): the farthest that a point of `from` is from `to`. One-sided. Neither may be empty;
/// infinite if a coordinate is not finite.
double graph_excess(std::span<const GraphPoint> from, std::span<const GraphPoint> to);

/// The larger of both excesses (47).
double graph_distance(std::span<const GraphPoint> a, std::span<const GraphPoint> b);

}  // namespace percussion
