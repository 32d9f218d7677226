#!/usr/bin/env bash
# A SLURM of one machine, to try the job scripts (job_scripts/slurm) where there is no cluster. Needs root.
#
#   job_scripts/local_slurm.sh start     installs slurm-wlm and munge if they are missing, starts the daemons
#   job_scripts/local_slurm.sh stop      stops them
#   job_scripts/local_slurm.sh status    sinfo and squeue
#
# After `start`:  export SLURM_CONF=<what it prints>,  then sbatch, squeue, scancel as on any cluster.
#
#   PERCUSSION_SLURM_FOLDER  configuration, state and logs (default: /tmp/percussion-slurm)
#   PERCUSSION_SLURM_CPUS    CPUs the node pretends to have (default: all cores)
# Nothing outside that folder is used: an installed SLURM is left alone.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

folder=${PERCUSSION_SLURM_FOLDER:-/tmp/percussion-slurm}
cpus=${PERCUSSION_SLURM_CPUS:-$(nproc)}
conf=$folder/slurm.conf
socket=$folder/munge/socket
packages=(slurm-wlm munge)

# Ports that follow from the folder: several such SLURMs do not meet.
port=$((20000 + $(cksum <<<"$folder" | cut -d' ' -f1) % 20000))

write_configuration() {
  local name=localhost
  mkdir -p "$folder"/{state,spool,log,munge}
  chmod 700 "$folder"/munge
  [[ -s $folder/munge/key ]] || { dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 status=none && chmod 400 "$folder/munge/key"; }
  cat >"$conf" <<CONF
ClusterName=percussion
SlurmctldHost=$name
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$socket,cred_expire=5
CredType=cred/munge
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=5,batch_sched_delay=1
ReturnToService=2
MaxArraySize=1001
JobRequeue=1
KillWait=10
MinJobAge=3600
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
NodeName=$name CPUs=$cpus State=UNKNOWN
PartitionName=all Nodes=$name Default=YES MaxTime=INFINITE State=UP
CONF
}

alive() { [[ -s $1 ]] && kill -0 "$(<"$1")" 2>/dev/null; }

start() {
  if ((EUID != 0)); then
    echo "local_slurm.sh: needs root (the daemons start jobs for others)" >&2
    exit 2
  fi
  ensure_packages
  if alive "$folder/slurmctld.pid" && alive "$folder/slurmd.pid"; then
    say "Already running"
  else
    stop
    write_configuration
    munged --socket="$socket" --key-file="$folder/munge/key" --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" --force
    SLURM_CONF=$conf slurmctld -c -f "$conf"
    SLURM_CONF=$conf slurmd -f "$conf" -N localhost
    wait_for_node
  fi
  say "SLURM runs with $cpus CPUs. To use it:"
  echo "export SLURM_CONF=$conf"
}

wait_for_node() {
  local attempt
  for attempt in {1..60}; do
    if [[ $(SLURM_CONF=$conf sinfo -h -o %T 2>/dev/null) == idle ]]; then return; fi
    sleep 0.5
  done
  echo "local_slurm.sh: the node did not become idle after $attempt attempts; logs: $folder/log" >&2
  tail -n 5 "$folder"/log/*.log >&2 || true
  exit 1
}

# Ends the daemons by the process ids they have written, jobs included.
stop() {
  if alive "$folder/slurmctld.pid"; then
    SLURM_CONF=$conf timeout 20 scancel --full --state=RUNNING --state=PENDING 2>/dev/null || true
    SLURM_CONF=$conf timeout 20 squeue -h -o %A 2>/dev/null | xargs -r env SLURM_CONF="$conf" timeout 20 scancel 2>/dev/null || true
  fi
  local file attempt
  for file in "$folder"/slurmd.pid "$folder"/slurmctld.pid "$folder"/munge/pid; do
    if alive "$file"; then
      kill "$(<"$file")"
      for attempt in {1..40}; do alive "$file" || break; sleep 0.25; done
      alive "$file" && echo "local_slurm.sh: $file is still alive after $attempt attempts" >&2
    fi
    rm -f "$file"
  done
}

case ${1:-} in
  start) start ;;
  stop) stop ;;
  status) SLURM_CONF=$conf sinfo && SLURM_CONF=$conf squeue ;;
  *)
    sed -n '2,/^source/{/^source/d;s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
