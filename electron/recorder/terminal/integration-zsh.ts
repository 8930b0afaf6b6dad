/**
 * What an integrated zsh reads as its .zshenv. It gives ZDOTDIR back at once, so that all the user's startup files are
 * read by zsh itself, and puts its hooks in place at the first prompt, behind all of them. What zsh prints to begin a prompt on
 * a line of its own comes before any hook: the end of the output is marked in the very sign it prints. Where a .zshrc assigns
 * precmd_functions, what is run periodically puts the hooks in place, once; and each hook puts the other one back.
 */
import { introducer } from './marks.ts';

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
