/** `spillway completion`: prints a shell script that completes commands, options, values and ids. */
import type { Command, Option } from 'commander';
import { CLIENTS } from '../../agents/agents.ts';
import { AGENT_SOURCE_NAMES } from '../../host/library/agent-sources.ts';
import type { Shell, SpillwayCommand } from '../command.ts';
import { print } from '../output/print.ts';

export async function completion(shell: Shell, program: SpillwayCommand): Promise<number> {
  const commands = program.commands.map(wordsOf);
  const help = { name: 'help', summary: 'show help for a command', options: [], takesId: false };
  await print(SCRIPTS[shell]([...commands, { ...help, values: namesOf(commands) }]));
  return 0;
}

/** Completions of a value: these words, ids, folders, or nothing. */
type Value = readonly string[] | 'ids' | 'folders' | 'nothing';

interface Words {
  name: string;
  summary: string;
  options: { flag: string; help: string; value: Value | null }[];
  /** Values of the command's arguments. */
  values: readonly string[];
  takesId: boolean;
}

/** Suggested values of arguments that also accept others. */
const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  connect: CLIENTS.map(({ id }) => id),
  sources: AGENT_SOURCE_NAMES,
};

function wordsOf(command: Command): Words {
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    summary: command.summary(),
    options: command.createHelp().visibleOptions(command).flatMap(wordsOfOption),
    values: argument?.argChoices ?? KNOWN_VALUES[command.name()] ?? [],
    takesId: /\bID\b/.test(argument?.name() ?? ''),
  };
}

function wordsOfOption(option: Option): Words['options'] {
  const { long, description, required, optional } = option;
  return long
    ? [{ flag: long, help: description, value: required || optional ? completes(option) : null }]
    : [];
}

function completes({ flags, argChoices }: Option): Value {
  if (argChoices) return argChoices;
  return /<ID>/.test(flags) ? 'ids' : /<D>/.test(flags) ? 'folders' : 'nothing';
}

/** Prints the newest ids, one on each line. Works in every shell. */
const IDS = `spillway list --limit 100 2>/dev/null | sed -e 1d -e 's/ .*//'`;

const SCRIPTS: Record<Shell, (commands: readonly Words[]) => string> = { bash, zsh, fish };

/** Returns a case for each command and option whose value follows. */
function cases(commands: readonly Words[], give: (value: Value) => string): string {
  const lines = commands.flatMap(({ name, options }) =>
    options.flatMap(({ flag, value }) =>
      value === null ? [] : [`    '${name} ${flag}') ${give(value)}; return ;;\n`],
    ),
  );
  return lines.join('');
}

/** Returns a case for each command whose arguments have known values. */
function valueCases(commands: readonly Words[], give: (value: Value) => string): string {
  return commands
    .filter(({ values }) => values.length > 0)
    .map(({ name, values }) => `      ${name}) ${give(values)} ;;\n`)
    .join('');
}

function flagCases(commands: readonly Words[], give: (value: Value) => string): string {
  return commands
    .map(({ name, options }) => `      ${name}) ${give(options.map(({ flag }) => flag))} ;;\n`)
    .join('');
}

const namesOf = (commands: readonly Words[]) => commands.map(({ name }) => name);
const withIds = (commands: readonly Words[]) =>
  commands
    .filter(({ takesId }) => takesId)
    .map(({ name }) => name)
    .join('|');

function bash(commands: readonly Words[]): string {
  const give = (value: Value) => {
    if (value === 'nothing') return ':';
    if (value === 'folders') return 'COMPREPLY=($(compgen -d -- "$cur"))';
    const words = value === 'ids' ? `"$(${IDS})"` : `'${value.join(' ')}'`;
    return `COMPREPLY=($(compgen -W ${words} -- "$cur"))`;
  };
  return `# Completes spillway in bash: eval "$(spillway completion bash)"
_spillway() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then ${give(namesOf(commands))}; return; fi
  case "$command $prev" in
${cases(commands, give)}    *' --') COMPREPLY=($(compgen -c -- "$cur")); return ;;
  esac
  case $cur in
  -*)
    case $command in
${flagCases(commands, give)}    esac ;;
  *)
    case $command in
${valueCases(commands, give)}      ${withIds(commands)}) COMPREPLY=($(compgen -W "last last-failed $(${IDS})" -- "$cur") $(compgen -f -- "$cur")) ;;
      *) COMPREPLY=($(compgen -f -- "$cur")) ;;
    esac ;;
  esac
}
complete -o filenames -F _spillway spillway
`;
}

function zsh(commands: readonly Words[]): string {
  const give = (value: Value) => {
    if (value === 'nothing') return ':';
    if (value === 'folders') return '_files -/';
    return `compadd -- ${value === 'ids' ? `\${(f)"$(${IDS})"}` : value.join(' ')}`;
  };
  return `#compdef spillway
# Completes spillway in zsh: eval "$(spillway completion zsh)"
_spillway() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} command=\${words[2]}
  if (( CURRENT == 2 )); then ${give(namesOf(commands))}; return; fi
  case "$command $prev" in
${cases(commands, give)}    *' --') _command_names -e; return ;;
  esac
  case $cur in
  -*)
    case $command in
${flagCases(commands, give)}    esac ;;
  *)
    case $command in
${valueCases(commands, give)}      ${withIds(commands)}) compadd -- last last-failed \${(f)"$(${IDS})"}; _files ;;
      *) _files ;;
    esac ;;
  esac
}
compdef _spillway spillway
`;
}

function fish(commands: readonly Words[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const ofCommand = ({ name, options, values, takesId }: Words) => {
    const on = `complete -c spillway -n '__fish_seen_subcommand_from ${name}'`;
    const given = (value: Value) => {
      if (value === 'nothing') return ' -x';
      if (value === 'folders') return " -x -a '(__fish_complete_directories)'";
      return value === 'ids' ? ` -x -a "(${IDS})"` : ` -x -a '${value.join(' ')}'`;
    };
    const flags = options.map(
      ({ flag, help, value }) =>
        `${on} -l ${flag.slice(2)}${value === null ? '' : given(value)} -d ${quoted(help)}`,
    );
    const ids = takesId ? [`${on} -a "last last-failed (${IDS})"`] : [];
    return [...flags, ...(values.length > 0 ? [`${on} -f -a '${values.join(' ')}'`] : []), ...ids];
  };
  return `${[
    '# Completes spillway in fish: spillway completion fish | source',
    ...commands.map(
      ({ name, summary }) =>
        `complete -c spillway -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap(ofCommand),
  ].join('\n')}\n`;
}
