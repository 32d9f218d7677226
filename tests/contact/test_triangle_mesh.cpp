// Meshes from files, and what is said about bad ones.
#include "contact/triangle_mesh.hpp"

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <fstream>

using namespace percussion;

namespace {

struct Scratch {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "percussion_mesh_test";
  Scratch() { std::filesystem::create_directories(folder); }
  ~Scratch() { std::filesystem::remove_all(folder); }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }
};

std::string message(const std::filesystem::path& file) {
  try {
    read_mesh(file);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

const char* const obj = "# a tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2/1 3/1 4/1\n";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(triangle_meshes, Scratch)

BOOST_AUTO_TEST_CASE(obj_file) {
  const TriangleMesh mesh = read_mesh(write("a.obj", obj), 2);
  BOOST_TEST(mesh.vertices.size() == 4u);
  BOOST_TEST(mesh.triangles.size() == 4u);
  BOOST_TEST(signed_volume(mesh) == 8. / 6, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(open_edges(mesh) == 0);
}

BOOST_AUTO_TEST_CASE(stl_files_text_and_binary) {
  const TriangleMesh tetrahedron = read_mesh(write("a.obj", obj));
  std::string text = "solid t\n", binary(80, ' ');
  const std::uint32_t count = 4;
  binary.append(reinterpret_cast<const char*>(&count), 4);
  for (const auto& t : tetrahedron.triangles) {
    text += "facet normal 0 0 0\nouter loop\n";
    binary.append(12, '\0');
    for (const auto v : t) {
      const Vec3& x = tetrahedron.vertices[v];
      text += "vertex " + std::to_string(x[0]) + " " + std::to_string(x[1]) + " " + std::to_string(x[2]) + "\n";
      for (int i = 0; i < 3; ++i) {
        const auto f = static_cast<float>(x[i]);
        binary.append(reinterpret_cast<const char*>(&f), 4);
      }
    }
    text += "endloop\nendfacet\n";
    binary.append(2, '\0');
  }
  for (const TriangleMesh& mesh : {read_mesh(write("t.stl", text + "endsolid\n")), read_mesh(write("b.stl", binary))}) {
    BOOST_TEST(mesh.vertices.size() == 4u);
    BOOST_TEST(open_edges(mesh) == 0);
    BOOST_TEST(signed_volume(mesh) == 1. / 6, boost::test_tools::tolerance(1e-15));
  }
  BOOST_TEST(message(write("cut.stl", text)).find("endsolid") != std::string::npos);
  BOOST_TEST(message(write("short.stl", binary.substr(0, 150))).find("announces 4 triangles") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(mistakes_are_named_with_their_line) {
  BOOST_TEST(message(write("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n")).find("a.stl:4: three finite coordinates") != std::string::npos);
  BOOST_TEST(message(write("b.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n")).find("b.obj:3: `3` is not the number of a vertex") != std::string::npos);
  BOOST_TEST(message(write("c.ply", "")).find("neither .stl nor .obj") != std::string::npos);
  BOOST_TEST(message(write("d.obj", "v 0 0 0\n")).find("no triangles") != std::string::npos);
  BOOST_TEST(message(folder / "none.stl").find("cannot be read") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(holes_are_counted) {
  const std::string all = obj;
  const TriangleMesh mesh = read_mesh(write("a.obj", all.substr(0, all.rfind("f 2"))));
  BOOST_TEST(open_edges(mesh) == 3);
}

BOOST_AUTO_TEST_SUITE_END()
