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

/**
 * Marks are written to the terminal itself, so that no redirection of the shell's own output gets them. First words are
 * quoted, so that no alias of the user's takes their place. A prompt that is put together from the last pipeline finds
 * $? and PIPESTATUS as they were. Where a DEBUG trap is set nothing is run behind the user's PROMPT_COMMAND, which would be taken
 * for a command that was typed.
 */
function hooks(nonce: string): string {
  const start = introducer(nonce).replaceAll('\x1b', '\\e');
  return `__spillway_escape() {
  \\local LC_ALL=C to text
  text=\${1:0:8192}
  to='\\\\'; text=\${text//"\\\\"/"$to"}
  to='\\n'; text=\${text//$'\\n'/"$to"}
  to='\\r'; text=\${text//$'\\r'/"$to"}
  to='\\e'; text=\${text//$'\\e'/"$to"}
  to='\\a'; text=\${text//$'\\a'/"$to"}
  to='\\c'; text=\${text//$'\\x18'/"$to"}
  to='\\s'; text=\${text//$'\\x1a'/"$to"}
  REPLY=$text
}
__spillway_status() { \\return "$1"; }
__spillway_prompt() {
  __spillway_was=("$?" "\${PIPESTATUS[@]}")
  \\local REPLY -
  \\set +xeu
  __spillway_number=$((__spillway_number + 1))
  __spillway_escape "$PWD"
  \\builtin printf '${start}P;%d;%d;%s\\a' "$__spillway_number" "\${__spillway_was[0]}" "$REPLY" >/dev/tty
  __spillway_next=\${HISTCMD-}
  \\return "\${__spillway_was[0]}"
} 2>/dev/null
__spillway_ready() {
  case \${PS1@a}$PS1 in r*|*"$__spillway_input"*) ;; *) PS1=$PS1$__spillway_input ;; esac
} 2>/dev/null
__spillway_run() {
  \\local HISTTIMEFORMAT= REPLY entry sure=0 -
  \\set +xeu
  REPLY=
  entry=$(\\builtin history 1)
  if [[ $entry =~ ^\\ *([0-9]+)[*\\ ]\\  ]]; then
    if [[ \${BASH_REMATCH[1]} == "$__spillway_next" ]]; then sure=1; fi
    __spillway_escape "\${entry:\${#BASH_REMATCH[0]}}"
  fi
  \\builtin printf '${start}X;%d;%d;%s\\a' "$__spillway_number" "$sure" "$REPLY" >/dev/tty
} 2>/dev/null
__spillway_install() {
  (( BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404 )) || \\return 0
  \\local before after='{ __spillway_ready; } 2>/dev/null' -
  \\set +xeu
  \\builtin shopt -q promptvars || \\return 0
  case "\${PROMPT_COMMAND@a}|\${PS0@a}" in *r*) \\return 0 ;; esac
  __spillway_number=0
  __spillway_next=
  __spillway_input='\\[${start}B\\a\\]'
  before='{ __spillway_prompt; } 2>/dev/null'
  if [[ -n $__spillway_trap ]]; then after=; __spillway_ready
  else before='{ __spillway_prompt; ${statusAgain()} } 2>/dev/null'
  fi
  if [[ $(\\builtin declare -p PROMPT_COMMAND 2>/dev/null) == "declare -a"* ]]; then
    PROMPT_COMMAND=("$before" "\${PROMPT_COMMAND[@]}" "$after")
  else
    PROMPT_COMMAND=$before$'\\n'\${PROMPT_COMMAND-}$'\\n'$after
  fi
  PS0=\${PS0-}'$({ __spillway_run; } 2>/dev/null)'
} 2>/dev/null
__spillway_trap=$(\\builtin trap -p DEBUG) __spillway_install
\\builtin unset -f __spillway_install
`;
}

/** Longer pipelines leave the status of their last command alone. */
const LONGEST_PIPELINE = 6;

/** Ends with the $? and PIPESTATUS that the prompt found: no function can, as a call of one leaves a single status. */
function statusAgain(): string {
  const status = (index: number) => `__spillway_status \${__spillway_was[${index}]}`;
  const pipelines = Array.from({ length: LONGEST_PIPELINE - 1 }, (_, i) => {
    const statuses = Array.from({ length: i + 2 }, (_, at) => status(at + 1));
    return `${statuses.length + 1}) ${statuses.join('|')} ;; `;
  });
  return `case \${#__spillway_was[@]} in ${pipelines.join('')}*) ${status(0)} ;; esac;`;
}
