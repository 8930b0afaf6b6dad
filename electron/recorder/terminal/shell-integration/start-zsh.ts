/**
 * The .zshenv of an integrated zsh. It restores ZDOTDIR at once, so that zsh itself reads all of the user's startup
 * files, and installs its hooks at the first prompt, after theirs. The end-of-output mark is part of the sign that zsh
 * prints to begin a prompt on a fresh line, which comes before any hook. If a .zshrc assigns precmd_functions, a
 * periodic function installs the hooks once, and each hook restores the other.
 */
import { introducer } from './prompt-marks.ts';

export function zshEnvironment(nonce: string): string {
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
