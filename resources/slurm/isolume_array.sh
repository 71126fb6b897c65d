#!/bin/sh
# One part of a result over frames for each task of a Slurm job array:
#
#     sbatch --array=0-15 isolume_array.sh FRAMES FOLDER VERB FILE... OPTIONS
#     sbatch --array=0-15 isolume_array.sh 100000 parts rdf md.gro md.xtc --select 'name OW' --max 10
#     sbatch --dependency=afterok:JOB --wrap "isolume merge parts/part.* --out rdf.csv"
#
# FRAMES is the number of frames (isolume info says it), FOLDER is on a disk that all nodes share. A task that runs into
# its time limit keeps what it has and goes on from there when it is queued again, as a task that is given again does.
#
#SBATCH --job-name=isolume
#SBATCH --cpus-per-task=8
#SBATCH --signal=TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu
[ $# -ge 4 ] || { echo "usage: isolume_array.sh FRAMES FOLDER VERB FILE... OPTIONS" >&2; exit 2; }
frames=$1 folder=$2 verb=$3
shift 3
first=${SLURM_ARRAY_TASK_MIN:-0}
task=$((SLURM_ARRAY_TASK_ID - first))
tasks=${SLURM_ARRAY_TASK_COUNT:-$((SLURM_ARRAY_TASK_MAX - first + 1))}
begin=$((frames * task / tasks))
end=$((frames * (task + 1) / tasks))
[ "$end" -gt "$begin" ] || { echo "task $task of $tasks has no frames"; exit 0; }
mkdir -p "$folder"
exec "${ISOLUME:-isolume}" compute "$verb" "$@" --frames "$begin:$end" --partial "$folder/part.$(printf %05d "$task")" \
  --threads "${SLURM_CPUS_PER_TASK:-0}" --quiet --no-record
