# Completion of isolume's subcommands, options and files in bash. The words come from --help, so that they are those of
# the program that is installed.
_isolume_words() {  # PROGRAM SUBCOMMAND...: what may follow: subcommands and options
  "$@" --help 2>/dev/null | awk '
    /^Subcommands:/ { subcommands = 1; next }
    /^[^ ]/ { subcommands = 0 }
    subcommands && /^  [a-z]/ { print $1 }
    /^  -/ { count = split($1, names, ","); for (i = 1; i <= count; ++i) { sub(/[{=].*/, "", names[i]); print names[i] } }'
}

_isolume() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words=("${COMP_WORDS[0]}") i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${COMP_WORDS[i]} in
      info | convert | merge | render | replay | devices | bench | worker) words+=("${COMP_WORDS[i]}"); break ;;
      compute) words+=(compute) ;;
      [a-z]*) [[ ${#words[@]} -eq 2 && ${words[1]} == compute ]] && words+=("${COMP_WORDS[i]}"); break ;;
    esac
  done
  case $previous in
    --device) mapfile -t COMPREPLY < <(compgen -W "auto cpu cuda cuda:0" -- "$current"); return ;;
    --out | --report | --at) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$(_isolume_words "${words[@]}")" -- "$current")
  # Files wherever an option is not begun.
  [[ $current == -* ]] || mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
}
complete -o filenames -F _isolume isolume
