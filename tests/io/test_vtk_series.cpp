// VTK series: what all ranks wrote is what VTK's own parallel reader gives back, bit by bit.
#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPPolyDataReader.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <iterator>

#ifdef PERCUSSION_SANITIZE
#include <sanitizer/lsan_interface.h>
#endif

#include "base/error.hpp"
#include "io/pvd_file.hpp"
#include "io/scratch_folder.hpp"
#include "io/vtk_series.hpp"
#include "io/write_limit.hpp"

using namespace percussion;

namespace {

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
int world_size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

// A cloud whose values follow from the global number of a point; irrational, so that every bit counts.
struct Cloud {
  std::vector<double> points, radius, velocity;
  std::vector<std::int64_t> id;

  Cloud(std::int64_t begin, std::int64_t end) {
    for (auto i = begin; i < end; ++i) {
      for (int c = 0; c < 3; ++c)
        points.push_back(coordinate(i, c)), velocity.push_back(-coordinate(i, c) / 3);
      radius.push_back(std::sqrt(i + 1.0));
      id.push_back(id_of(i));
    }
  }
  PointData data() const {
    return {points, {{"radius", 1, radius}, {"velocity", 3, velocity}, {"id", 1, id}}};
  }

  static double coordinate(std::int64_t i, int c) { return std::sin(i + 0.1 * c) * 1e-3; }
  // Beyond 2^53: a detour over doubles would show.
  static std::int64_t id_of(std::int64_t i) { return (std::int64_t{1} << 60) + i; }
};

vtkSmartPointer<vtkPolyData> read(const std::filesystem::path& path) {
  vtkNew<vtkXMLPPolyDataReader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  return reader->GetOutput();
}

void check_cloud(vtkPolyData* found, std::int64_t n) {
  BOOST_REQUIRE_EQUAL(found->GetNumberOfPoints(), n);
  BOOST_TEST(found->GetNumberOfVerts() == n);
  vtkDataArray* radius = found->GetPointData()->GetArray("radius");
  vtkDataArray* velocity = found->GetPointData()->GetArray("velocity");
  auto* id = vtkDataArray::SafeDownCast(found->GetPointData()->GetAbstractArray("id"));
  BOOST_REQUIRE(radius && velocity && id);
  BOOST_TEST(found->GetPoints()->GetDataType() == VTK_DOUBLE);
  BOOST_TEST(velocity->GetNumberOfComponents() == 3);
  BOOST_TEST(id->GetDataTypeSize() == 8);
  std::int64_t different = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    double x[3];
    found->GetPoint(i, x);
    for (int c = 0; c < 3; ++c) {
      different += x[c] != Cloud::coordinate(i, c);
      different += velocity->GetComponent(i, c) != -Cloud::coordinate(i, c) / 3;
    }
    different += radius->GetComponent(i, 0) != std::sqrt(i + 1.0);
    different += id->GetVariantValue(i).ToTypeInt64() != Cloud::id_of(i);
  }
  BOOST_TEST(different == 0);  // exact: the files are binary
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vtk_series)

BOOST_AUTO_TEST_CASE(points_of_all_ranks_read_back_exactly) {
  const ScratchFolder scratch;
  VtkSeries series(MPI_COMM_WORLD, scratch / "out", "bodies");
  // Rank r holds 1000 (r + 1) points, in the order of the ranks: pieces of different sizes.
  const std::int64_t r = world_rank(), size = world_size();
  const Cloud cloud(500 * r * (r + 1), 500 * (r + 1) * (r + 2));
  series.write(0.1, 12, cloud.data());
  const auto list = scratch / "out/bodies/bodies_000012.pvtp";
  check_cloud(read(list), 500 * size * (size + 1));

  const auto piece = text_of(scratch / "out/bodies" / fmt::format("bodies_000012_{}.vtp", r));
  BOOST_TEST(piece.find("header_type=\"UInt64\"") != piece.npos);
  BOOST_TEST(piece.find("compressor=\"vtkZLibDataCompressor\"") != piece.npos);
  BOOST_TEST(piece.find("<AppendedData encoding=\"raw\"") != piece.npos);
  MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(ranks_without_points_write_empty_pieces) {
  const ScratchFolder scratch;
  VtkSeries series(MPI_COMM_WORLD, scratch.path(), "bodies");
  // Only the last rank has points, so with several ranks the first piece, which describes the arrays, is
  // empty.
  const bool mine = world_rank() == world_size() - 1;
  series.write(0, 0, Cloud(0, mine ? 7 : 0).data());
  check_cloud(read(scratch / "bodies/bodies_000000.pvtp"), 7);
  for (int rank = 0; rank < world_size(); ++rank)
    BOOST_TEST(std::filesystem::exists(scratch / fmt::format("bodies/bodies_000000_{}.vtp", rank)));

  series.write(1, 1, Cloud(0, 0).data());  // nothing anywhere: still a frame with its arrays
  const auto nothing = read(scratch / "bodies/bodies_000001.pvtp");
  BOOST_TEST(nothing->GetNumberOfPoints() == 0);
  BOOST_TEST(nothing->GetPointData()->HasArray("radius") == 1);
  BOOST_TEST(nothing->GetPointData()->HasArray("id") == 1);
  MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(lines_keep_their_ends_and_fields) {
  const ScratchFolder scratch;
  VtkSeries series(MPI_COMM_WORLD, scratch.path(), "chains");
  // A chain of three points and two lines on every rank but rank 1, which has none.
  const bool empty = world_rank() == 1;
  const double z = world_rank();
  const std::vector<double> points =
      empty ? std::vector<double>{} : std::vector<double>{0, 0, z, 1, 0, z, 3, 0, z};
  const std::vector<std::int32_t> lines =
      empty ? std::vector<std::int32_t>{} : std::vector<std::int32_t>{0, 1, 2, 1};
  const std::vector<double> force = empty ? std::vector<double>{} : std::vector<double>{z + 0.5, z + 0.25};
  PointData data{points, {}};
  data.cells = Cells::lines;
  data.corners = lines;
  data.cell_fields = {{"P_N", 1, force}};
  series.write(0, 3, data);

  const auto found = read(scratch / "chains/chains_000003.pvtp");
  const int chains = world_size() > 1 ? world_size() - 1 : 1;
  BOOST_REQUIRE_EQUAL(found->GetNumberOfLines(), 2 * chains);
  BOOST_TEST(found->GetNumberOfVerts() == 0);
  vtkDataArray* found_force = found->GetCellData()->GetArray("P_N");
  BOOST_REQUIRE(found_force);
  for (int chain = 0; chain < chains; ++chain) {
    const double level = chain == 0 ? 0 : chain + 1;  // rank 1 has none
    const double expected[2][2] = {{0, 1}, {3, 1}};   // x of the ends
    for (int l = 0; l < 2; ++l) {
      vtkNew<vtkIdList> ends;
      found->GetCellPoints(2 * chain + l, ends);
      BOOST_REQUIRE_EQUAL(ends->GetNumberOfIds(), 2);
      for (int e = 0; e < 2; ++e) {
        BOOST_TEST(found->GetPoint(ends->GetId(e))[0] == expected[l][e]);
        BOOST_TEST(found->GetPoint(ends->GetId(e))[2] == level);
      }
      BOOST_TEST(found_force->GetComponent(2 * chain + l, 0) == level + (l == 0 ? 0.5 : 0.25));
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(pvd_lists_complete_frames_after_every_write) {
  const ScratchFolder scratch;
  VtkSeries series(MPI_COMM_WORLD, scratch.path(), "bodies");
  BOOST_TEST(read_pvd(series.pvd_path()).empty());
  MPI_Barrier(MPI_COMM_WORLD);
  for (int step = 0; step < 4; ++step) {
    series.write(step * 0.1, 10 * step, Cloud(0, 5).data());
    const auto frames = read_pvd(series.pvd_path());
    BOOST_REQUIRE_EQUAL(frames.size(), step + 1);
    for (int i = 0; i <= step; ++i) {
      BOOST_TEST(frames[i].time == i * 0.1);  // exact: shortest decimal that reads back
      BOOST_TEST(frames[i].file == fmt::format("bodies/bodies_{:06d}.pvtp", 10 * i));
      BOOST_TEST(read(scratch / frames[i].file)->GetNumberOfPoints() == 5 * world_size());
    }
    BOOST_TEST(!std::filesystem::exists(scratch / "bodies.pvd.tmp"));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  series.write(0.3, 30, Cloud(0, 6).data());  // the last step again: replaced, not doubled
  BOOST_TEST(read_pvd(series.pvd_path()).size() == 4);
  BOOST_TEST(read(scratch / "bodies/bodies_000030.pvtp")->GetNumberOfPoints() == 6 * world_size());
  MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(restart_keeps_the_frames_before_it) {
  const ScratchFolder scratch;
  {
    VtkSeries series(MPI_COMM_WORLD, scratch.path(), "bodies");
    for (int step = 0; step < 5; ++step) series.write(step * 0.1, step, Cloud(0, 2).data());
  }
  VtkSeries series(MPI_COMM_WORLD, scratch.path(), "bodies", 2 * 0.1);
  BOOST_TEST(series.frames().size() == 2);
  MPI_Barrier(MPI_COMM_WORLD);
  series.write(0.25, 2, Cloud(0, 3).data());
  const auto frames = read_pvd(series.pvd_path());
  BOOST_REQUIRE_EQUAL(frames.size(), 3);
  BOOST_TEST(frames[1].time == 0.1);
  BOOST_TEST(frames[2].time == 0.25);
  BOOST_TEST(read(scratch / frames[2].file)->GetNumberOfPoints() == 3 * world_size());

  VtkSeries first(MPI_COMM_WORLD, scratch.path(), "other",
                  1.0);  // died before its first frame: nothing to keep
  BOOST_TEST(first.frames().empty());
  if (world_rank() == 0) std::ofstream(scratch / "torn.pvd") << "<VTKFile><Collec";
  BOOST_CHECK_THROW(VtkSeries(MPI_COMM_WORLD, scratch.path(), "torn", 1.0), RunError);
  MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(unwritable_folder_is_an_error_on_all_ranks) {
  const ScratchFolder scratch;
  if (world_rank() == 0) std::ofstream(scratch / "file") << "in the way";
  // Below a regular file: not even root can write there.
  BOOST_CHECK_EXCEPTION(
      VtkSeries(MPI_COMM_WORLD, scratch / "file/out", "bodies"), RunError, [&](const RunError& e) {
        return std::string(e.what()).find((scratch / "file/out").string()) != std::string::npos;
      });
}

BOOST_AUTO_TEST_CASE(full_disk_on_one_rank_is_an_error_on_all_and_leaves_the_series_valid) {
  const ScratchFolder scratch;
  VtkSeries series(MPI_COMM_WORLD, scratch.path(), "bodies");
  series.write(0, 0, Cloud(0, 2000).data());
  {
    // Only the last rank runs out of space.
    std::optional<WriteLimit> full;
    if (world_rank() == world_size() - 1) full.emplace(4096);
#ifdef PERCUSSION_SANITIZE
    // VTK 9.1 loses its compression headers (CreateCompressionHeader) when a write fails: leaks of this call do not count.
    const __lsan::ScopedDisabler leak_of_vtk;
#endif
    BOOST_CHECK_EXCEPTION(series.write(1, 1, Cloud(0, 2000).data()), RunError, [](const RunError& e) {
      return std::string(e.what()).find("bodies_000001") != std::string::npos;
    });
  }
  const auto frames = read_pvd(series.pvd_path());
  BOOST_REQUIRE_EQUAL(frames.size(), 1);
  BOOST_TEST(read(scratch / frames[0].file)->GetNumberOfPoints() == 2000 * world_size());
  MPI_Barrier(MPI_COMM_WORLD);
  series.write(1, 1, Cloud(0, 2000).data());  // space again: the run may go on
  BOOST_TEST(read_pvd(series.pvd_path()).size() == 2);
  MPI_Barrier(MPI_COMM_WORLD);
}

BOOST_AUTO_TEST_CASE(arrays_that_do_not_fit_are_refused_on_all_ranks) {
  const ScratchFolder scratch;
  VtkSeries series(MPI_COMM_WORLD, scratch.path(), "bodies");
  const Cloud cloud(0, 4);
  auto data = cloud.data();
  if (world_rank() == 0) data.fields[0].values = std::span(cloud.radius).first(3);
  BOOST_CHECK_THROW(series.write(0, 0, data), std::exception);
  data = cloud.data();
  if (world_rank() == world_size() - 1) data.fields[0].name = "mass";
  if (world_size() > 1) BOOST_CHECK_THROW(series.write(0, 0, data), std::exception);
  data = cloud.data();
  data.cells = Cells::lines;
  const std::vector<std::int32_t> lines{0, 4};  // there is no point 4
  data.corners = lines;
  BOOST_CHECK_THROW(series.write(0, 0, data), std::exception);
  BOOST_TEST(read_pvd(series.pvd_path()).empty());
}

BOOST_AUTO_TEST_SUITE_END()
