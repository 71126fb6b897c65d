// Films, through an ffmpeg process.
#pragma once

#include <memory>
#include <string>

#include "app/cli/interrupt.h"
#include "formats/write/unfinished_file.h"
#include "render/image/image.h"

namespace isolume::cli {

/// The extensions of movies: "mp4 webm gif apng".
const char* movie_extensions();
bool is_movie(const std::string& path);

/// Hands pictures of one size to ffmpeg through a pipe; the film appears at `path` when finish() is called and not
/// before: symbolic links are followed, and only regular files are replaced. Throws Error where ffmpeg is not
/// installed or fails, with its words. By extension: MP4 (H.264), WebM (VP9), GIF and APNG; all but MP4 keep what is
/// transparent. The same bytes each time.
class Movie {
 public:
  Movie(const std::string& path, int width, int height, double frames_per_second, bool transparent = false);
  ~Movie();
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;

  void add(const Image& image);
  void finish();

 private:
  void close_input();
  int wait();
  std::string words() const;

  UnfinishedFile file_;
  int pipe_ = -1;
  int messages_ = -1;  // a file that ffmpeg writes its messages to
  int child_ = -1;
  std::unique_ptr<AtForcedEnd> at_forced_end_;
};

}  // namespace isolume::cli
