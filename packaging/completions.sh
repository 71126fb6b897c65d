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
cat >/tmp/complete.zsh <<'ZSH'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1="> "; autoload -U compinit; compinit -u -D; echo re""ady'
while zpty -r shell line; do [[ $line == *ready* ]] && break; done
# The only word that begins so is filled in.
zpty -w -n shell $'isolume compute pot\t'
while zpty -r shell part; do
  seen+=$part
  [[ $seen == *potential* ]] && break
done
zpty -d shell
[[ $seen == *potential* ]] && print -r -- potential
ZSH
timeout 60 zsh -f /tmp/complete.zsh
