#!/bin/bash
# Boots the folder $1, a Debian with systemd, in namespaces of its own: processes, mounts, network and control groups.
# $2 is a control group for it. Ends when its systemd ends.
set -euo pipefail
root=$1 group=$2
mkdir -p "$group"
echo $$ > "$group/cgroup.procs"
# In one string: after the first command, the namespaces are the machine's.
exec unshare --mount --pid --fork --uts --ipc --net --cgroup --kill-child --propagation private bash -euc '
  root=$1
  hostname daybook-machine
  ip link set lo up
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t cgroup2 cgroup "$root/sys/fs/cgroup"
  mount -t tmpfs -o mode=755 tmpfs "$root/run"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  for name in null zero full random urandom tty; do
    touch "$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
  done
  mkdir "$root/dev/pts" "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  cd "$root"
  mkdir -p .outside
  pivot_root . .outside
  umount -l /.outside
  exec env -i container=other PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    /lib/systemd/systemd --log-target=journal --show-status=no
' boot "$root"
