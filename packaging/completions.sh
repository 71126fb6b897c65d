#!/bin/sh
# What bash, fish and zsh offer after "isolume compute pot" and the tab key, each as it finds its completions itself; for test_deb.sh.
set -eu
# shellcheck disable=SC2016
bash -c '
  . /usr/share/bash-completion/bash_completion
  _completion_loader isolume
  COMP_WORDS=(isolume compute pot) COMP_CWORD=2
  _isolume
  printf "%s\n" "${COMPREPLY[@]}"' | grep -x potential
fish -c 'complete -C "isolume compute pot"' | grep '^potential'
mkdir -p /tmp/zsh
cat >/tmp/zsh/.zshrc <<'ZSH'
autoload -U compinit
compinit -u -D
PS1='ready> '
ZSH
cat >/tmp/complete.zsh <<'ZSH'
zmodload zsh/zpty
zpty shell ZDOTDIR=/tmp/zsh zsh -i
# With the prompt it reads keys; what comes before may be lost.
zpty -r shell line '*ready> *'
# The only word that begins so is filled in; there is no line's end to read to.
zpty -w -n shell $'isolume compute pot\t'
zpty -r shell seen '*ential*'
zpty -d shell
[[ $seen == *ential* ]] && print -r -- potential
ZSH
timeout 60 zsh -f /tmp/complete.zsh
