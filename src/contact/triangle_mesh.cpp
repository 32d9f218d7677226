#include "contact/triangle_mesh.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace percussion {

namespace {

[[noreturn]] void fail(const std::filesystem::path& file, int line, const std::string& problem) {
  throw std::runtime_error(fmt::format("{}:{}: {}", file.string(), line, problem));
}

/// Collects corners, merging equal points.
class Builder {
 public:
  explicit Builder(double scale) : scale_(scale) {}
  std::int32_t vertex(const Vec3& x) {
    const Vec3 p = scale_ * x;
    const auto [found, is_new] = index_.try_emplace({p[0], p[1], p[2]}, static_cast<std::int32_t>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(p);
    return found->second;
  }
  void triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
    const Vec3 normal = (mesh_.vertices[b] - mesh_.vertices[a]).cross(mesh_.vertices[c] - mesh_.vertices[a]);
    if (a != b && b != c && c != a && normal.squaredNorm() > 0) mesh_.triangles.push_back({a, b, c});
  }
  TriangleMesh take() { return std::move(mesh_); }

 private:
  double scale_;
  TriangleMesh mesh_;
  std::map<std::array<double, 3>, std::int32_t> index_;
};

Vec3 read_vector(std::istream& in, const std::filesystem::path& file, int line) {
  Vec3 x;
  if (!(in >> x[0] >> x[1] >> x[2]) || !x.allFinite()) fail(file, line, "three finite coordinates expected after `vertex`");
  return x;
}

TriangleMesh read_text_stl(const std::filesystem::path& file, std::istream& in, double scale) {
  Builder builder(scale);
  std::vector<std::int32_t> corners;
  std::string text, word;
  bool ended = false;
  int line = 0;
  while (std::getline(in, text)) {
    ++line;
    std::istringstream words(text);
    if (!(words >> word)) continue;
    if (word == "vertex") {
      corners.push_back(builder.vertex(read_vector(words, file, line)));
    } else if (word == "endfacet") {
      if (corners.size() != 3) fail(file, line, fmt::format("a facet has 3 vertices, this one has {}", corners.size()));
      builder.triangle(corners[0], corners[1], corners[2]);
      corners.clear();
    } else if (word == "endsolid") {
      ended = true;
    } else if (word != "solid" && word != "facet" && word != "outer" && word != "endloop") {
      fail(file, line, fmt::format("unknown word `{}`", word));
    }
  }
  if (!ended) fail(file, line, "the file ends before `endsolid`");
  return builder.take();
}

TriangleMesh read_binary_stl(const std::filesystem::path& file, const std::string& data, double scale) {
  constexpr std::size_t header = 84, record = 50;  // 80 bytes and a count; normal, three vertices, two bytes
  std::uint32_t count = 0;
  if (data.size() < header) throw std::runtime_error(fmt::format("{}: too short for an STL file ({} bytes)", file.string(), data.size()));
  std::memcpy(&count, data.data() + 80, 4);
  if (data.size() < header + record * count)
    throw std::runtime_error(fmt::format("{}: announces {} triangles and ends at byte {} instead of {}", file.string(), count, data.size(), header + record * count));
  Builder builder(scale);
  for (std::size_t t = 0; t < count; ++t) {
    float x[12];
    std::memcpy(x, data.data() + header + record * t, sizeof x);
    std::int32_t v[3];
    for (int k = 0; k < 3; ++k) {
      const Vec3 p(x[3 + 3 * k], x[4 + 3 * k], x[5 + 3 * k]);
      if (!p.allFinite()) throw std::runtime_error(fmt::format("{}: triangle {} at byte {} is not finite", file.string(), t, header + record * t));
      v[k] = builder.vertex(p);
    }
    builder.triangle(v[0], v[1], v[2]);
  }
  return builder.take();
}

TriangleMesh read_obj(const std::filesystem::path& file, std::istream& in, double scale) {
  Builder builder(scale);
  std::vector<std::int32_t> vertex;
  std::string text, word;
  int line = 0;
  while (std::getline(in, text)) {
    ++line;
    std::istringstream words(text);
    if (!(words >> word)) continue;
    if (word == "v") vertex.push_back(builder.vertex(read_vector(words, file, line)));
    if (word != "f") continue;
    std::vector<std::int32_t> face;
    while (words >> word) {  // index, index/texture, index/texture/normal; negative counts from the end
      char* end = nullptr;
      const long k = std::strtol(word.c_str(), &end, 10);
      const long index = k < 0 ? static_cast<long>(vertex.size()) + k : k - 1;
      if (end == word.c_str() || (*end != 0 && *end != '/') || index < 0 || index >= static_cast<long>(vertex.size()))
        fail(file, line, fmt::format("`{}` is not the number of a vertex above this line", word));
      face.push_back(vertex[index]);
    }
    if (face.size() < 3) fail(file, line, "a face has at least 3 vertices");
    for (std::size_t k = 2; k < face.size(); ++k) builder.triangle(face[0], face[k - 1], face[k]);
  }
  return builder.take();
}

}  // namespace

TriangleMesh read_mesh(const std::filesystem::path& file, double scale) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(fmt::format("{}: cannot be read", file.string()));
  TriangleMesh mesh;
  if (file.extension() == ".obj" || file.extension() == ".OBJ") {
    mesh = read_obj(file, in, scale);
  } else if (file.extension() == ".stl" || file.extension() == ".STL") {
    std::string data((std::istreambuf_iterator<char>(in)), {});
    // Binary headers may begin with "solid" too; only text has facets.
    if (data.starts_with("solid") && data.find("facet") != std::string::npos) {
      std::istringstream text(data);
      mesh = read_text_stl(file, text, scale);
    } else {
      mesh = read_binary_stl(file, data, scale);
    }
  } else {
    throw std::runtime_error(fmt::format("{}: the ending is neither .stl nor .obj", file.string()));
  }
  if (mesh.triangles.empty()) throw std::runtime_error(fmt::format("{}: has no triangles", file.string()));
  return mesh;
}

double signed_volume(const TriangleMesh& mesh) {
  double volume = 0;
  const Vec3 origin = mesh.vertices[mesh.triangles[0][0]];
  for (const auto& t : mesh.triangles)
    volume += (mesh.vertices[t[0]] - origin).dot((mesh.vertices[t[1]] - origin).cross(mesh.vertices[t[2]] - origin)) / 6;
  return volume;
}

std::int64_t open_edges(const TriangleMesh& mesh) {
  std::map<std::pair<std::int32_t, std::int32_t>, int> direction;  // +1 per edge from low to high, -1 back; and how often
  std::map<std::pair<std::int32_t, std::int32_t>, int> times;
  for (const auto& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) {
      const std::int32_t a = t[i], b = t[(i + 1) % 3];
      direction[std::minmax(a, b)] += a < b ? 1 : -1;
      ++times[std::minmax(a, b)];
    }
  std::int64_t open = 0;
  for (const auto& [edge, sum] : direction) open += sum != 0 || times[edge] != 2;
  return open;
}

}  // namespace percussion
