/**
 * Makes an interactive bash, zsh or fish mark each typed command (prompt-marks.ts), by a startup file that reads the
 * user's own. Other programs, and shells with options other than `-i`, `-l`, `--login` and fish's `--init-command`, run
 * unchanged. VS Code's own marks are used where ours can't be added.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { randomHex } from '../../../store/format/names.ts';
import { introducer } from './prompt-marks.ts';

export interface Integration {
  nonce: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Removes the startup file. The shell has read it once the first mark arrives. */
  remove(): void;
}

/** Returns null for a program without an integration, or if no file can be written. */
export function integrate(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Integration | null {
  const shell = shellNamed(basename(file));
  if (!shell || !isPlain(shell, args)) return null;
  const nonce = randomHex(16);
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'spillway-shell-'));
  } catch {
    return null;
  }
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const login = args.some((arg) => arg === '--login' || arg.includes('l'));
    return { nonce, remove, ...shell(folder, nonce, { args, env, login }) };
  } catch {
    remove();
    return null;
  }
}

const PLAIN = new Set(['-i', '-l', '-il', '-li', '--login']);
const FISH_COMMANDS = new Set(['-C', '--init-command']);

/** fish may get further start commands, as from VS Code. */
function isPlain(shell: Prepare, args: readonly string[]): boolean {
  return args.every(
    (arg, at) =>
      PLAIN.has(arg) || (shell === fish && (FISH_COMMANDS.has(arg) || FISH_COMMANDS.has(args[at - 1] ?? ''))),
  );
}

interface Start {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  login: boolean;
}
type Prepare = (folder: string, nonce: string, start: Start) => { args: string[]; env: NodeJS.ProcessEnv };

function shellNamed(name: string): Prepare | null {
  if (name === 'bash' || name === 'bash.exe') return bash;
  if (name === 'zsh') return zsh;
  return name === 'fish' ? fish : null;
}

const bash: Prepare = (folder, nonce, { args, env, login }) => {
  const file = join(folder, 'bashrc');
  writeFileSync(file, login ? bashLoginStart(nonce) : bashStart(nonce), { mode: 0o600 });
  if (!login) return { args: ['--rcfile', file, ...args], env };
  // A login shell ignores --rcfile. In posix mode it reads only $ENV; our file then reads the usual ones.
  const before = env.ENV === undefined ? {} : { SPILLWAY_SHELL_ENV: env.ENV };
  return {
    args: ['--posix', ...args.filter((arg) => arg !== '-i'), '-i'],
    env: { ...env, ...before, ENV: file },
  };
};

const zsh: Prepare = (folder, nonce, { args, env }) => {
  writeFileSync(join(folder, '.zshenv'), zshEnvironment(nonce), { mode: 0o600 });
  const before = env.ZDOTDIR === undefined ? {} : { SPILLWAY_SHELL_ENV: env.ZDOTDIR };
  return { args: [...args], env: { ...env, ...before, ZDOTDIR: folder } };
};

const fish: Prepare = (folder, nonce, { args, env }) => {
  const file = join(folder, 'start.fish');
  writeFileSync(file, fishStart(nonce), { mode: 0o600 });
  const quoted = file.replaceAll(/[\\']/g, '\\$&');
  return { args: ['--init-command', `source '${quoted}'`, ...args], env };
};

/** For --init-command, which may be given several times. */
function fishStart(nonce: string): string {
  const start = introducer(nonce).replaceAll('\x1b', '\\e');
  return `if status is-interactive
    set -g __spillway_number 0
    set -g __spillway_status 0
    function __spillway_escape
        set -l lines (string split \\n -- (string sub -l 8192 -- $argv[1] | string collect))
        set lines (string replace -a '\\\\' '\\\\\\\\' -- $lines | string replace -a \\r '\\r' | string replace -a \\e '\\e')
        string join '\\n' -- (string replace -a \\a '\\a' -- $lines | string replace -a \\x18 '\\c' | string replace -a \\x1a '\\s')
    end
    function __spillway_run --on-event fish_preexec
        set -g __spillway_number (math $__spillway_number + 1)
        builtin printf '${start}X;%d;1;%s\\a' $__spillway_number (__spillway_escape $argv[1]) >/dev/tty
    end
    function __spillway_end --on-event fish_postexec
        set -g __spillway_status $status
        builtin printf '${start}E\\a' >/dev/tty
    end
    function __spillway_prompt --on-event fish_prompt
        set -g __spillway_number (math $__spillway_number + 1)
        builtin printf '${start}P;%d;%d;%s\\a' $__spillway_number $__spillway_status (__spillway_escape $PWD) >/dev/tty
    end
end
`;
}

// The startup file of an integrated bash, which reads the user's own files first. Bash before 4.4 gets no integration.
// PROMPT_COMMAND marks prompts and PS0 marks commands, as the DEBUG trap may be in use.

/** Returns the --rcfile of an interactive shell. */
function bashStart(nonce: string): string {
  return `[ ! -r ~/.bashrc ] || . ~/.bashrc
${hooks(nonce)}`;
}

/** Returns the $ENV of an interactive login shell in posix mode. */
function bashLoginStart(nonce: string): string {
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

/**
 * The .zshenv of an integrated zsh. It restores ZDOTDIR at once, so that zsh itself reads all of the user's startup
 * files, and installs its hooks at the first prompt, after theirs. The end-of-output mark is part of the sign that zsh
 * prints to begin a prompt on a fresh line, which comes before any hook. If a .zshrc assigns precmd_functions, a
 * periodic function installs the hooks once, and each hook restores the other.
 */
function zshEnvironment(nonce: string): string {
  const start = introducer(nonce).replaceAll('\x1b', '\\e');
  return `if [[ -n \${SPILLWAY_SHELL_ENV+x} ]]; then
  export ZDOTDIR="$SPILLWAY_SHELL_ENV"
  unset SPILLWAY_SHELL_ENV
else
  unset ZDOTDIR
fi
if [[ -o interactive ]]; then
  typeset -gi __spillway_number=0
  typeset -gi __spillway_period=0
  typeset -ga precmd_functions preexec_functions periodic_functions
  __spillway_escape() {
    builtin emulate -L zsh -o extendedglob
    local LC_ALL=C text=\${1[1,8192]}
    text=\${text//\\\\/\\\\\\\\}
    text=\${text//$'\\n'/\\\\n}
    text=\${text//$'\\r'/\\\\r}
    text=\${text//$'\\e'/\\\\e}
    text=\${text//$'\\a'/\\\\a}
    text=\${text//$'\\x18'/\\\\c}
    text=\${text//$'\\x1a'/\\\\s}
    REPLY=$text
  } 2>/dev/null
  __spillway_prompt() {
    local -i exit_status=$?
    builtin emulate -L zsh
    builtin setopt no_xtrace
    local REPLY
    (( ++__spillway_number ))
    (( \${preexec_functions[(Ie)__spillway_run]} )) || preexec_functions+=(__spillway_run)
    __spillway_escape "$PWD"
    builtin printf '${start}P;%d;%d;%s\\a' $__spillway_number $exit_status "$REPLY" >/dev/tty
  } 2>/dev/null
  __spillway_run() {
    builtin emulate -L zsh
    builtin setopt no_xtrace
    local REPLY
    local -i sure=1
    [[ -n $1 ]] || sure=0
    (( ++__spillway_number ))
    (( \${precmd_functions[(Ie)__spillway_prompt]} )) || precmd_functions=(__spillway_prompt $precmd_functions)
    __spillway_escape "\${1:-$3}"
    builtin printf '${start}X;%d;%d;%s\\a' $__spillway_number $sure "$REPLY" >/dev/tty
  } 2>/dev/null
  __spillway_install() {
    local -i exit_status=$?
    builtin setopt local_options no_warn_nested_var no_warn_create_global
    precmd_functions=(__spillway_prompt \${precmd_functions:#__spillway_install})
    preexec_functions+=(__spillway_run)
    periodic_functions=(\${periodic_functions:#__spillway_install})
    (( ! __spillway_period || \${PERIOD-0} != 1 )) || unset PERIOD
    unset __spillway_period
    PROMPT_EOL_MARK=$'%{${start}E\\a%}'\${PROMPT_EOL_MARK-%B%S%#%s%b}
    unfunction __spillway_install
    ( exit $exit_status )
    __spillway_prompt
  }
  precmd_functions+=(__spillway_install)
  periodic_functions+=(__spillway_install)
  if (( ! \${+PERIOD} )); then
    PERIOD=1
    __spillway_period=1
  fi
fi
if [[ -r \${ZDOTDIR-$HOME}/.zshenv ]]; then
  . "\${ZDOTDIR-$HOME}/.zshenv"
fi
`;
}
