// JobPart: the job of a part of longer work.
#pragma once

#include <algorithm>
#include <string>

#include "compute/base/job.h"

namespace isolume {

/// A job for a part of what another does. Its progress is that of the whole from `begin` to `end`, and never goes back:
/// steps of the part may each count from 0. When the whole is cancelled the part is so with its next report, which
/// comes after every tile (parallel_for). One thread at a time.
class JobPart {
 public:
  JobPart(Job& whole, double begin, double end)
      : job_([this, &whole, begin, end](double fraction, const std::string& what) {
          reached_ = std::max(reached_, std::min(fraction, 1.0));
          whole.progress(begin + (end - begin) * reached_, what);
          follow(whole);
        }) {
    follow(whole);
  }
  /// One that reports no progress and is cancelled with the whole: for parts that run at the same time.
  explicit JobPart(Job& whole) : job_([this, &whole](double, const std::string&) { follow(whole); }) { follow(whole); }

  operator Job&() { return job_; }

 private:
  void follow(const Job& whole) {
    if (whole.cancelled()) job_.cancel();
  }

  double reached_ = 0;
  Job job_;
};

}  // namespace isolume
