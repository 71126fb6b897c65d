# Completion of isolume's subcommands, options and files in fish. The words come from --help, so that they are those of the program that
# is installed.
function __isolume_words
    set -l words (commandline -opc)
    set -l called $words[1]
    for word in $words[2..-1]
        if test "$word" = compute
            set -a called compute
        else if string match -qr '^[a-z]' -- $word
            if test (count $called) -eq 2 -a "$called[2]" = compute
                set -a called $word
                break
            else if contains -- $word info convert merge render replay devices bench worker
                set -a called $word
                break
            end
        end
    end
    $called --help 2>/dev/null | awk '
      /^Subcommands:/ { subcommands = 1; next }
      /^[^ ]/ { subcommands = 0 }
      subcommands && /^  [a-z]/ { print $1 }
      /^  -/ { count = split($1, names, ","); for (i = 1; i <= count; ++i) { sub(/[{=].*/, "", names[i]); print names[i] } }'
end

complete -c isolume -n 'test (commandline -opc)[-1] != --device' -a '(__isolume_words)'
complete -c isolume -n 'test (commandline -opc)[-1] = --device' -f -a 'auto cpu cuda cuda:0'
