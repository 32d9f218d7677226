#include "base/log.hpp"

#include <fmt/chrono.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace percussion::log {

namespace {

int world_rank = 0;
Format console_format = Format::text;
spdlog::level::level_enum console_level = spdlog::level::info;
std::string event_members;  ///< of the message that is being logged
std::shared_ptr<spdlog::sinks::sink> log_file;

/// `%*`: the level, but only when it is worth a word.
class LevelPrefix : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    if (message.level < spdlog::level::warn) return;
    const std::string_view word = message.level == spdlog::level::warn ? "warning: " : "error: ";
    out.append(word.data(), word.data() + word.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<LevelPrefix>(); }
};

/// One JSON object per line.
class JsonLine : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
    const auto seconds = std::chrono::time_point_cast<std::chrono::milliseconds>(message.time);
    const auto level = spdlog::level::to_string_view(message.level);
    std::string line =
        fmt::format("{{\"time\": \"{:%Y-%m-%dT%H:%M:%S}Z\", \"level\": \"{}\", \"rank\": {}, \"message\": \"",
                    fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                    std::string_view(level.data(), level.size()), world_rank);
    for (const char c : std::string_view(message.payload.data(), message.payload.size())) {
      if (c == '"' || c == '\\')
        line += '\\', line += c;
      else if (static_cast<unsigned char>(c) < 0x20)
        line += fmt::format("\\u{:04x}", static_cast<int>(c));
      else
        line += c;
    }
    line += '"';
    if (!event_members.empty()) line += ", " + event_members;
    line += "}\n";
    out.append(line.data(), line.data() + line.size());
  }
  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<JsonLine>(); }
};

std::unique_ptr<spdlog::formatter> text_formatter(const std::string& pattern) {
  auto result = std::make_unique<spdlog::pattern_formatter>();
  result->add_flag<LevelPrefix>('*').set_pattern(pattern);
  return result;
}

std::unique_ptr<spdlog::formatter> console_formatter(const std::string& pattern) {
  if (console_format == Format::json) return std::make_unique<JsonLine>();
  return text_formatter(pattern);
}

/// Warnings and errors go to stderr, the rest to stdout; so stdout stays clean for tables.
class OutputSink : public spdlog::sinks::stdout_color_sink_mt {
 public:
  void log(const spdlog::details::log_msg& message) override {
    if (message.level < spdlog::level::warn) spdlog::sinks::stdout_color_sink_mt::log(message);
  }
};

}  // namespace

void start(MPI_Comm comm, spdlog::level::level_enum level, const std::string& file, Format format) {
  MPI_Comm_rank(comm, &world_rank);
  console_format = format, console_level = level;
  std::vector<spdlog::sink_ptr> sinks;
  auto errors = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  errors->set_level(std::max(level, spdlog::level::warn));
  if (world_rank == 0) {
    auto output = std::make_shared<OutputSink>();
    output->set_level(level);
    output->set_formatter(console_formatter("%v"));
    errors->set_formatter(console_formatter("%^%*%$%v"));
    sinks.push_back(output);
  } else {
    errors->set_formatter(console_formatter("[rank " + std::to_string(world_rank) + "] %^%*%$%v"));
  }
  sinks.push_back(errors);
  auto logger = std::make_shared<spdlog::logger>("percussion", sinks.begin(), sinks.end());
  // A quiet console still leaves a complete log file.
  logger->set_level(world_rank == 0 ? std::min(level, spdlog::level::info) : spdlog::level::warn);
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(logger);
  if (!file.empty()) add_file(file);
}

void add_file(const std::string& file, bool continued) {
  if (world_rank != 0) return;
  log_file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file, !continued);
  log_file->set_formatter(text_formatter("[%Y-%m-%d %H:%M:%S] %*%v"));
  spdlog::default_logger()->sinks().push_back(log_file);
}

Format format() {
  return console_format;
}
bool shows(spdlog::level::level_enum level) {
  return level >= console_level;
}

void event(const std::string& text, std::string_view members, Console console) {
  if (world_rank != 0) return;
  if (console == Console::yes) {
    event_members = members;
    spdlog::info("{}", text);
    event_members.clear();
  } else if (log_file) {
    log_file->log(spdlog::details::log_msg("percussion", spdlog::level::info, text));
    log_file->flush();
  }
}

}  // namespace percussion::log
