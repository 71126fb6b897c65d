// Probes over the frames of a trajectory: values, means and the table, computed in the background.
#pragma once

#include <QObject>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/fields/probes/scene_probes.h"
#include "app/window/live/scene_controller.h"
#include "app/window/widgets/plot.h"
#include "compute/over_time/running_statistics.h"

namespace isolume {

/// What is plotted of a probe: the potential, the strength of the field, its part along the bond, and the principal
/// value of its gradient that has the largest magnitude.
enum class ProbeQuantity : std::uint8_t { potential, strength, along, gradient };
constexpr std::size_t probe_quantities = 4;

/// One of a probe's share; NaN where the share does not have it.
double quantity(const Probing& probing, std::size_t probe, const double* numbers, ProbeQuantity which);
/// "V", "V/Å", "V/Å²".
QString quantity_unit(const QString& unit, ProbeQuantity which);

/// What values of probes belong to: they are those of the scene as long as this is.
struct AskedProbes {
  std::vector<FieldProbe> probes;
  ProbeSettings settings;
  std::vector<std::shared_ptr<const Molecule>> molecules;  ///< by their number; null for those without a probe
  bool operator==(const AskedProbes&) const = default;
};
AskedProbes asked_probes(const SceneController& controller);

/// Goes over the frames of a molecule on a thread of the pool, for the plot, or to write the table.
class ProbeFrames : public QObject {
  Q_OBJECT
 public:
  explicit ProbeFrames(SceneController& controller, QObject* parent = nullptr);
  ~ProbeFrames() override;

  bool busy() const { return job_ != nullptr; }
  /// Goes over all frames of the molecule of the scene's probe of that number.
  void compute(std::size_t probe);
  /// Writes the table of all its frames, as isolume compute probe --out does.
  void write(std::size_t probe, const QString& path);
  /// Whether something was being computed.
  bool cancel();
  /// Drops what does not belong to `asked`.
  void keep(const AskedProbes& asked);

  /// One for each probe of the molecule, and behind them, in `colour`, what a group adds to the potential at the
  /// current one. Empty before compute().
  std::vector<PlotCurve> curves(ProbeQuantity which, int current, std::optional<std::size_t> group,
                                const QColor& colour) const;
  /// The scene's number of a curve's probe; -1 for none.
  int probe_of(int curve) const;
  /// The mean of a probe over the frames with its standard error; empty where there is none.
  QString mean_text(int probe, ProbeQuantity which) const;

 Q_SIGNALS:
  /// Computing has begun or ended, and curves may be others.
  void changed();
  void failed(const QString& message);
  void progress(const QString& what, double fraction);
  void written(const QString& path);

 private:
  struct Made {
    AskedProbes asked;
    SceneProbing ready;
    ProbeSeries series;
    std::vector<std::array<PointStatistics, probe_quantities>> means;  ///< of each probe
  };
  static Made made_of(AskedProbes asked, SceneProbing ready, std::size_t frames, Job& job);
  /// The values of a probe in all frames.
  static std::vector<double> values_of(const Made& made, std::size_t probe, ProbeQuantity which);
  void begin(const QString& what);
  void end();
  /// The place of the scene's probe among those of the molecule.
  std::optional<std::size_t> place_of(int probe) const;

  SceneController& controller_;
  std::optional<Made> made_;
  std::shared_ptr<Job> job_;
};

}  // namespace isolume
