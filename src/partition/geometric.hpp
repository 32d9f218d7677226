// Partition and order of points by where they are: recursive coordinate bisection and the Morton curve.
//
// Bisection: the set of points is cut across its longest extent so that both sides get weight in proportion to their
// number of parts, then each side likewise; ceil(log2 parts) levels. A cut is found by a radix search over the
// coordinate's digits, all cuts of a level in one MPI_Allreduce per digit; no points are moved or gathered.
// Points with equal coordinate along the cut are told apart by the other coordinates, then by id, so lattices are
// cut cleanly and the result does not depend on how the points are distributed at present, nor on the number of
// ranks: sums are over integers. Memory O(points + parts): for redistribution, not inside a step.
#pragma once
#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace percussion {

using Point3 = std::array<double, 3>;

/// Axis-parallel box; lo > hi means empty.
struct Extent {
  Point3 lo, hi;
};

/// Collective: the box of the points of all ranks.
Extent extent_of(MPI_Comm comm, std::span<const Point3> points);

/// Collective. The part in 0 .. parts-1 of each local point. `weights`: empty everywhere (equal) or a finite value >= 0
/// per point. `ids`: empty or one unique number per point, needed only to tell coinciding points apart in a way that
/// does not depend on the distribution. No part is empty if there are at least as many points as parts.
/// RunError on all ranks for non-finite coordinates, bad weights or mismatched sizes.
std::vector<std::int32_t> recursive_bisection(MPI_Comm comm, std::span<const Point3> points,
                                              std::span<const double> weights, int parts,
                                              std::span<const std::int64_t> ids = {});

/// Place of a point on the Morton (Z) curve through `box`, 21 bits per axis; points outside are moved to the border.
std::uint64_t morton_key(const Point3& point, const Extent& box);

/// Local: order[k] is the index of the k-th point along the curve; equal keys keep their order.
std::vector<std::int32_t> morton_order(std::span<const Point3> points, const Extent& box);

}  // namespace percussion
