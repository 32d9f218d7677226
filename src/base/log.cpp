#include "base/log.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

namespace percussion::log {

namespace {

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

std::unique_ptr<spdlog::formatter> formatter(const std::string& pattern) {
  auto result = std::make_unique<spdlog::pattern_formatter>();
  result->add_flag<LevelPrefix>('*').set_pattern(pattern);
  return result;
}

/// Warnings and errors go to stderr, the rest to stdout; so stdout stays clean for tables.
class OutputSink : public spdlog::sinks::stdout_color_sink_mt {
 public:
  void log(const spdlog::details::log_msg& message) override {
    if (message.level < spdlog::level::warn) spdlog::sinks::stdout_color_sink_mt::log(message);
  }
};

int world_rank = 0;

}  // namespace

void start(MPI_Comm comm, spdlog::level::level_enum level, const std::string& file) {
  MPI_Comm_rank(comm, &world_rank);
  std::vector<spdlog::sink_ptr> sinks;
  auto errors = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  errors->set_level(spdlog::level::warn);
  if (world_rank == 0) {
    auto output = std::make_shared<OutputSink>();
    output->set_level(level);
    output->set_formatter(formatter("%v"));
    errors->set_formatter(formatter("%^%*%$%v"));
    sinks.push_back(output);
  } else {
    errors->set_formatter(formatter("[rank " + std::to_string(world_rank) + "] %^%*%$%v"));
  }
  sinks.push_back(errors);
  auto logger = std::make_shared<spdlog::logger>("percussion", sinks.begin(), sinks.end());
  // A quiet console still leaves a complete log file.
  logger->set_level(world_rank == 0 ? std::min(level, spdlog::level::info) : spdlog::level::warn);
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(logger);
  if (!file.empty()) add_file(file);
}

void add_file(const std::string& file) {
  if (world_rank != 0) return;
  auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file, true);
  sink->set_formatter(formatter("[%Y-%m-%d %H:%M:%S] %*%v"));
  spdlog::default_logger()->sinks().push_back(sink);
}

}  // namespace percussion::log
