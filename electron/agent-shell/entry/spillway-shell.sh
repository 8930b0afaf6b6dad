# Records COMMAND as the agent's own shell would have run it: `spillway-shell COMMAND`, or with the arguments of a shell.
# Made by `spillway connect`. Where anything is missing or not as expected, the shell runs bare.
SPILLWAY_REAL_SHELL=@SHELL@
if [ -z "$SPILLWAY_REAL_SHELL" ]; then
  case ${SHELL##*/} in
    '' | fish | nu | spillway-shell) SPILLWAY_REAL_SHELL=/bin/bash ;;
    *) SPILLWAY_REAL_SHELL=$SHELL ;;
  esac
fi
[ -x "$SPILLWAY_REAL_SHELL" ] || SPILLWAY_REAL_SHELL=/bin/sh
set -- "$SPILLWAY_REAL_SHELL" "$@"
unset SPILLWAY_REAL_SHELL
case ${2-} in
  '' | [-+]*) ;;
  *) [ $# -ne 2 ] || set -- "$1" -c "$2" ;;
esac
# Bash reads this file as descriptor 2 if that was closed, and goes on with another when it is closed again.
[ -z "${BASH_VERSION-}" ] || [ ! /dev/fd/2 -ef "$0" ] || exec 2>&-
# Without one of the three streams, the shell runs bare: Perl would open a file under the stream's number.
if [ -z "${SPILLWAY_OFF-}" ] && [ -x @PERL@ ] && [ -r @HOME@/bin/recorder/core.pl ] && [ -e /dev/fd/0 ] && [ -e /dev/fd/1 ] && [ -e /dev/fd/2 ]; then
  # What is meant for a Perl of the command's must not reach ours.
  if [ -n "${PERL5OPT+x}${PERL5LIB+x}${PERLLIB+x}${PERL5DB+x}${PERL5DB_THREADED+x}${PERL5SHELL+x}${PERLIO+x}${PERLIO_DEBUG+x}${PERL_UNICODE+x}${PERL_HASH_SEED+x}${PERL_HASH_SEED_DEBUG+x}${PERL_PERTURB_KEYS+x}${PERL_DESTRUCT_LEVEL+x}${PERL_DL_NONLAZY+x}${PERL_ENCODING+x}${PERL_MEM_LOG+x}${PERL_SIGNALS+x}${PERL_BADLANG+x}${PERL_USE_UNSAFE_INC+x}${PERL_RAND_SEED+x}${PERL_SKIP_LOCALE_INIT+x}" ]; then
    for SPILLWAY_KEPT in PERL5OPT PERL5LIB PERLLIB PERL5DB PERL5DB_THREADED PERL5SHELL PERLIO PERLIO_DEBUG PERL_UNICODE PERL_HASH_SEED PERL_HASH_SEED_DEBUG PERL_PERTURB_KEYS PERL_DESTRUCT_LEVEL PERL_DL_NONLAZY PERL_ENCODING PERL_MEM_LOG PERL_SIGNALS PERL_BADLANG PERL_USE_UNSAFE_INC PERL_RAND_SEED PERL_SKIP_LOCALE_INIT; do
      eval "[ -z \"\${$SPILLWAY_KEPT+x}\" ] || { export SPILLWAY_KEPT_$SPILLWAY_KEPT=\"\$$SPILLWAY_KEPT\"; unset $SPILLWAY_KEPT; }"
    done
    unset SPILLWAY_KEPT
  fi
  PERL_BADLANG=0 PERL_SKIP_LOCALE_INIT=1 exec @PERL@ -f -e @GUARD@ @HOME@/bin/recorder/core.pl @HOME@ "${SPILLWAY_AGENT:-@AGENT@}" @MODE@ "$1" "$@"
fi
exec "$@"
