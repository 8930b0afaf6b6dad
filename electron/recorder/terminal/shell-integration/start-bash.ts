/**
 * The startup file of an integrated bash, which reads the user's own files first. Bash before 4.4 gets no integration.
 * PROMPT_COMMAND marks prompts and PS0 marks commands, as the DEBUG trap may be in use.
 */
import { introducer } from './prompt-marks.ts';

/** Returns the --rcfile of an interactive shell. */
export function bashStart(nonce: string): string {
  return `[ ! -r ~/.bashrc ] || . ~/.bashrc
${hooks(nonce)}`;
}

/** Returns the $ENV of an interactive login shell in posix mode. */
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
 * Writes marks to the terminal itself, so that redirecting the shell's output cannot divert them. First words are
 * quoted against the user's aliases. A prompt built from the last pipeline finds $? and PIPESTATUS unchanged. With a
 * DEBUG trap set, nothing runs after the user's PROMPT_COMMAND: the trap would take it for a typed command. From
 * bash 5.1 on, our part is a PROMPT_COMMAND element of its own, far after the user's. An assignment to
 * PROMPT_COMMAND replaces only the first element, so that element restores ours when startup files are read again.
 * If something else removes our element, PS0 restores it before the next command: PS0 can't run code in the shell
 * itself, but it can assign a missing element, and count. The prompt variables may be exported: other shells expand
 * them to nothing, and they do not reveal the nonce.
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
__spillway_mark() {
  \\local REPLY
  __spillway_marked=1
  __spillway_number=$((__spillway_number + 1))
  __spillway_escape "$PWD"
  \\builtin printf '${start}P;%d;%d;%s\\a' "$__spillway_number" "$1" "$REPLY" >/dev/tty
  __spillway_next=\${HISTCMD-}
}
__spillway_prompt() {
  __spillway_was=("$?" "\${PIPESTATUS[@]}")
  \\local status last=0 -
  \\set +xeuET
  __spillway_mark "\${__spillway_was[0]}"
  for status in "\${__spillway_was[@]:1}"; do
    if [[ ! -o pipefail || $status != 0 ]]; then last=$status; fi
  done
  __spillway_pipeline=$((\${#__spillway_was[@]} - 1))
  if (( __spillway_pipeline < 2 || __spillway_pipeline > ${LONGEST_PIPELINE} )) || [[ $last != "\${__spillway_was[0]}" ]]; then
    __spillway_pipeline=1
    \\return "\${__spillway_was[0]}"
  fi
  \\return 0
} 2>/dev/null
__spillway_ready() {
  \\local status=$? -
  \\set +xeuET
  if [[ -z $__spillway_marked ]]; then
    __spillway_mark "$status"
    case "\${PROMPT_COMMAND@a}" in *r*) ;; *) PROMPT_COMMAND[0]=$__spillway_before$'\\n'\${PROMPT_COMMAND[0]-} ;; esac
  fi
  __spillway_marked=
  __spillway_next=\${HISTCMD-}
  case "\${PS0@a}|\${PS0-}" in *r*\\|*|*__spillway_run*) ;; *) PS0=\${PS0-}$__spillway_ps0 ;; esac
  case "\${PS1@a}|\${PS1-}" in *r*\\|*|*__spillway_input*) ;; *) PS1=\${PS1-}'\${__spillway_input-}' ;; esac
} 2>/dev/null
__spillway_run() {
  \\local HISTTIMEFORMAT= REPLY entry more= command= sure=0 -
  \\set +xeuET
  entry=$(\\builtin history 1)
  if [[ $entry =~ ^\\ *([0-9]+)[*\\ ]\\  ]]; then
    if [[ \${BASH_REMATCH[1]} == "$__spillway_next" ]]; then sure=1; fi
    __spillway_escape "\${entry:\${#BASH_REMATCH[0]}}"
    command=$REPLY
  fi
  if [[ $sure == 0 ]]; then
    __spillway_escape "\${PS2@P}"
    \\builtin printf '${start}C;%s\\a' "$REPLY" >/dev/tty
  fi
  \\builtin printf '${start}X;%d;%d;%s\\a' "$__spillway_number" "$sure" "$command" >/dev/tty
} 2>/dev/null
__spillway_install() {
  \\local version=$((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1])) -
  (( version >= 404 )) || \\return 0
  \\set +xeuET
  \\builtin shopt -q promptvars || \\return 0
  case "\${PROMPT_COMMAND@a}|\${PS0@a}" in *r*) \\return 0 ;; esac
  \\builtin export -n PROMPT_COMMAND
  __spillway_number=0
  __spillway_next=
  __spillway_input=$'\\001${start}B\\a\\002'
  __spillway_before='{ __spillway_prompt && ${pipelineAgain()}; } 2>/dev/null'
  __spillway_hook=
  __spillway_ps0='${COUNT}${PUT_BACK}$({ __spillway_run; } 2>/dev/null)'
  PROMPT_COMMAND=$__spillway_before$'\\n'\${PROMPT_COMMAND-}
  if [[ -n $__spillway_trap ]]; then :
  elif (( version >= 501 )); then
    __spillway_hook='${READY}'
    PROMPT_COMMAND[${FAR_BEHIND}]=$__spillway_hook
  else PROMPT_COMMAND=$PROMPT_COMMAND$'\\n''${READY}'
  fi
  __spillway_marked=1
  __spillway_ready
} 2>/dev/null
__spillway_trap=$(\\builtin trap -p DEBUG) __spillway_install
\\builtin unset -f __spillway_install
`;
}

/** The index of our PROMPT_COMMAND element, which nothing else is likely to use. */
const FAR_BEHIND = 633;
const READY = '{ __spillway_ready; } 2>/dev/null';
/** Expands to nothing in PS0, and counts commands as a side effect. */
const COUNT = `\${__spillway_input:+\${__spillway_input:0:0*(__spillway_number+=1)}}`;
const PUT_BACK = `\${__spillway_hook:+\${__spillway_hook/"\${PROMPT_COMMAND[${FAR_BEHIND}]:=$__spillway_hook}"}}`;

/** Longer pipelines leave the status of their last command alone. */
const LONGEST_PIPELINE = 6;

/**
 * Ends with the $? and PIPESTATUS that the prompt found. A function cannot: its call leaves a single status. After
 * `&&`, a status that is not 0 neither ends a shell under `set -e` nor runs its ERR trap; an empty `case` leaves
 * PIPESTATUS unchanged.
 */
function pipelineAgain(): string {
  const pipelines = Array.from({ length: LONGEST_PIPELINE - 1 }, (_, i) => {
    const statuses = Array.from(
      { length: i + 2 },
      (_, at) => `__spillway_status \${__spillway_was[${at + 1}]}`,
    );
    return `${statuses.length}) ${statuses.join('|')} && case . in esac;; `;
  });
  return `case $__spillway_pipeline in ${pipelines.join('')}esac`;
}
