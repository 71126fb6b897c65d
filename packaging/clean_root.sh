# Clean roots for the tests of packages; sourced, not run. Needs root and debootstrap. The mirror and the keys are those of this system's
# apt; DEBIAN_MIRROR names another mirror. A root is made once for a release, and unpacked anew for each test.

root_die() { printf 'clean root: %s\n' "$*" >&2; exit 1; }

# What apt has of a release: "MIRROR RELEASE COMPONENT" for it, its updates and its security fixes.
root_sources() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v r="$1" '$2 == r || index($2, r "-") == 1' | sort -u
}

# clean_root RELEASE: makes the folder $root, which ends with this shell.
clean_root() {
  local release=${1:-bookworm} kept mirror sources
  [ "$(id -u)" -eq 0 ] || root_die "needs root"
  command -v debootstrap >/dev/null || root_die "debootstrap is missing"
  kept=build/roots/$release.tar
  sources=$(root_sources "$release")
  mirror=${DEBIAN_MIRROR:-$(awk -v r="$release" '$2 == r {print $1; exit}' <<<"$sources")}
  # Another release than this system's is at the same mirror.
  mirror=${mirror:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sed -n 1p)}
  root=$(mktemp -d)
  trap clean_root_end EXIT
  if [ ! -e "$kept" ]; then
    mkdir -p "${kept%/*}"
    debootstrap --variant=minbase "$release" "$root" "$mirror" >"${kept%.tar}.log" || root_die "debootstrap failed: ${kept%.tar}.log"
    { printf '%s\n' "${sources:-$mirror $release main}" | sed 's/^/deb /'; } >"$root/etc/apt/sources.list"
    cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
    tar -C "$root" -cf "$kept.new" . && mv "$kept.new" "$kept"
  else
    tar -C "$root" -xf "$kept"
  fi
  chmod 755 "$root"  # apt reads as another user
  cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
  mount -t proc proc "$root/proc" 2>/dev/null || true
  # Terminals of its own, which zsh's test of completions opens.
  if mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" 2>/dev/null; then ln -sf pts/ptmx "$root/dev/ptmx"; fi
}

clean_root_end() {
  [ -z "${screen_process:-}" ] || kill "$screen_process" 2>/dev/null || true
  umount "$root/tmp/.X11-unix" "$root/dev/pts" "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$root" "$root.log" "${screen_folder:-$root}"
}

# A command in the root, with nothing of this shell's environment.
inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 ${screen:+DISPLAY=$screen} "$@"
}

install_inside() {
  { inside apt-get update -qq && inside apt-get install -y -qq --no-install-recommends "$@"; } >"$root.log" 2>&1 && return
  cat "$root.log" >&2
  root_die "apt does not install $*"
}

# A display of this system for programs in the root: $screen. What it shows is in $screen_folder.
virtual_screen() {
  local number
  screen_folder=$(mktemp -d)
  exec 8<>"$screen_folder/number"
  Xvfb -displayfd 8 -screen 0 1280x1024x24 -fbdir "$screen_folder" -nolisten tcp >/dev/null 2>&1 &
  screen_process=$!
  until [ -s "$screen_folder/number" ]; do kill -0 "$screen_process" || root_die "no virtual display"; done
  number=$(cat "$screen_folder/number")
  screen=:$number
  mkdir -p "$root/tmp/.X11-unix"
  mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
}
