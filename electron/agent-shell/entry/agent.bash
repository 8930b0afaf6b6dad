# Records what @AGENT@ runs in its shell tool, for Spillway. Bash reads this file when BASH_ENV names it. Made by `spillway connect`.
# Where anything is missing or not as expected, nothing happens and the command runs as it is.
# So does a command without one of the three streams: Perl would open a file under the stream's number.
# A shell starts with its own path in $_; the commands below would change it.
if [[ ${SPILLWAY_LAST=$_}x && $- == hBc && -z ${SPILLWAY_OFF-} && -x @PERL@ && -r @HOME@/bin/recorder/core.pl && -e /dev/fd/0 && -e /dev/fd/1 && -e /dev/fd/2 ]] && @IS_CALL@; then
 if shopt -q login_shell; then
  # Its profile has been read, and must not be read again: this shell goes on, and is recorded from beside.
  SPILLWAY_KEPT=$(
    for SPILLWAY_KEPT in "${!PERL@}"; do [[ $SPILLWAY_KEPT ]] && unset "$SPILLWAY_KEPT"; done
    PERL_BADLANG=0 PERL_SKIP_LOCALE_INIT=1 exec @PERL@ -f -e @GUARD@ @HOME@/bin/recorder/core.pl @HOME@ @AGENT@ @MODE@ "$$ $PPID" bash -c "$BASH_EXECUTION_STRING"
  ) || :
  eval "$SPILLWAY_KEPT" || :
 else
  shopt -s execfail
  # What is meant for a Perl of the command's must not reach ours.
  for SPILLWAY_KEPT in "${!PERL@}"; do
    [[ $SPILLWAY_KEPT ]] && export "SPILLWAY_KEPT_$SPILLWAY_KEPT=${!SPILLWAY_KEPT}" && unset "$SPILLWAY_KEPT"
  done
  unset SPILLWAY_KEPT
  SPILLWAY_WORDS=("$0" -c "$BASH_EXECUTION_STRING")
  (( $# == 0 )) || SPILLWAY_WORDS=(bash -c "$BASH_EXECUTION_STRING" "$0" "$@")
  # The shell was started with more options. Bash before 4.4 cannot read them.
  if [[ $SHELLOPTS != braceexpand:hashall:interactive-comments || @HAS_OPTIONS@ ]]; then
    mapfile -d '' -t SPILLWAY_KEPT 2>/dev/null < "/proc/$$/cmdline"
    (( ${#SPILLWAY_KEPT[@]} < 4 )) || SPILLWAY_WORDS=("${SPILLWAY_KEPT[@]}")
    unset SPILLWAY_KEPT
  fi
  PERL_BADLANG=0 PERL_SKIP_LOCALE_INIT=1 exec @PERL@ -f -e @GUARD@ @HOME@/bin/recorder/core.pl @HOME@ @AGENT@ @MODE@ "$BASH" "${SPILLWAY_WORDS[@]}"
  unset SPILLWAY_WORDS
  for SPILLWAY_KEPT in "${!SPILLWAY_KEPT_@}"; do
    [[ $SPILLWAY_KEPT ]] && export "${SPILLWAY_KEPT#SPILLWAY_KEPT_}=${!SPILLWAY_KEPT}" && unset "$SPILLWAY_KEPT"
  done
  unset PERL_BADLANG PERL_SKIP_LOCALE_INIT
  shopt -u execfail
 fi
fi
# The last argument of a call becomes $_.
SPILLWAY_END() {
  unset -f SPILLWAY_END
  unset SPILLWAY_KEPT SPILLWAY_LAST
}
SPILLWAY_END "$SPILLWAY_LAST"
