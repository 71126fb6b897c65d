// Films, through an ffmpeg process.
#pragma once

#include <string>

#include "render/image/image.h"

namespace isolume::cli {

/// Hands pictures of one size to ffmpeg through a pipe; the film appears at `path` when finish() is called and not
/// before. Throws Error where ffmpeg is not installed or fails, with its words.
class Movie {
 public:
  Movie(std::string path, int width, int height, double frames_per_second);
  ~Movie();
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;

  void add(const Image& image);
  void finish();

 private:
  void close_input();
  int wait();
  std::string words() const;

  std::string path_, unfinished_;
  int pipe_ = -1;
  int messages_ = -1;  // a file that ffmpeg writes its messages to
  int child_ = -1;
};

}  // namespace isolume::cli
