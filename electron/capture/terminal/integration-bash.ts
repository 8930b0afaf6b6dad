/**
 * What an integrated bash reads instead of the user's startup files, which it reads first. From bash 4.4 on; an older
 * one is left as it is. Prompts are marked from PROMPT_COMMAND, commands from PS0: no DEBUG trap, which may be the user's.
 */
import { introducer } from './marks.ts';

/** As --rcfile of an interactive shell. */
export function bashStart(nonce: string): string {
  return `[ ! -r ~/.bashrc ] || . ~/.bashrc
${hooks(nonce)}`;
}

/** As $ENV of an interactive login shell in posix mode. */
export function bashLoginStart(nonce: string): string {
  return `set +o posix
shopt -u inherit_errexit 2>/dev/null
unset ENV
if [ -n "\${SPILLWAY_SHELL_ENV+x}" ]; then export ENV="$SPILLWAY_SHELL_ENV"; unset SPILLWAY_SHELL_ENV; fi
if [ "\${HISTFILE-}" = ~/.sh_history ]; then HISTFILE=~/.bash_history; fi
[ ! -r /etc/profile ] || . /etc/profile
if [ -r ~/.bash_profile ]; then . ~/.bash_profile
elif [ -r ~/.bash_login ]; then . ~/.bash_login
elif [ -r ~/.profile ]; then . ~/.profile
fi
${hooks(nonce)}`;
}

/** Written to the terminal itself, so that no redirection of the shell's own output gets them. */
function hooks(nonce: string): string {
  const start = introducer(nonce).replaceAll('\x1b', '\\e');
  return `if (( BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404 )); then
__spillway_number=0
__spillway_next=
__spillway_input='\\[${start}B\\a\\]'
__spillway_escape() {
  local LC_ALL=C to text=\${1:0:8192}
  to='\\\\'; text=\${text//"\\\\"/"$to"}
  to='\\n'; text=\${text//$'\\n'/"$to"}
  to='\\r'; text=\${text//$'\\r'/"$to"}
  to='\\e'; text=\${text//$'\\e'/"$to"}
  to='\\a'; text=\${text//$'\\a'/"$to"}
  to='\\c'; text=\${text//$'\\x18'/"$to"}
  to='\\s'; text=\${text//$'\\x1a'/"$to"}
  REPLY=$text
}
__spillway_prompt() {
  local __spillway_status=$? REPLY -
  set +xeu
  __spillway_number=$((__spillway_number + 1))
  __spillway_escape "$PWD"
  builtin printf '${start}P;%d;%d;%s\\a' "$__spillway_number" "$__spillway_status" "$REPLY" >/dev/tty
  __spillway_next=\${HISTCMD-}
  return "$__spillway_status"
} 2>/dev/null
__spillway_ready() {
  case $PS1 in *"$__spillway_input"*) ;; *) PS1=$PS1$__spillway_input ;; esac
} 2>/dev/null
__spillway_run() {
  local HISTTIMEFORMAT= REPLY entry sure=0 -
  set +xeu
  entry=$(builtin history 1)
  [[ $entry =~ ^\\ *([0-9]+)[*\\ ]\\  ]] || return
  if [[ \${BASH_REMATCH[1]} == "$__spillway_next" ]]; then sure=1; fi
  __spillway_escape "\${entry:\${#BASH_REMATCH[0]}}"
  builtin printf '${start}X;%d;%d;%s\\a' "$__spillway_number" "$sure" "$REPLY" >/dev/tty
} 2>/dev/null
if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == "declare -a"* ]]; then
  PROMPT_COMMAND=(__spillway_prompt "\${PROMPT_COMMAND[@]}" __spillway_ready)
else
  PROMPT_COMMAND=__spillway_prompt$'\\n'\${PROMPT_COMMAND-}$'\\n'__spillway_ready
fi
PS0=\${PS0-}'$(__spillway_run)'
fi
`;
}
