/** Builds the command that opens a file in the person's editor: from the setting `editor`, or an installed editor. */
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Disk } from '../../workers/disk.ts';

interface Place {
  /** Absolute. */
  file: string;
  line: number;
  column: number;
}

interface Machine {
  env: NodeJS.ProcessEnv;
  disk: Disk;
}

interface EditorCommand {
  /** The program's file, absolute. */
  program: string;
  args: string[];
}

/** Editors with a window of their own, in order of preference. */
const EDITORS: readonly string[] = [
  'code -g {file}:{line}:{column}',
  'cursor -g {file}:{line}:{column}',
  'windsurf -g {file}:{line}:{column}',
  'codium -g {file}:{line}:{column}',
  'code-insiders -g {file}:{line}:{column}',
  'zed {file}:{line}:{column}',
  'subl {file}:{line}:{column}',
  'idea --line {line} --column {column} {file}',
  'webstorm --line {line} --column {column} {file}',
  'pycharm --line {line} --column {column} {file}',
  'goland --line {line} --column {column} {file}',
  'rustrover --line {line} --column {column} {file}',
  'clion --line {line} --column {column} {file}',
  'kate --line {line} --column {column} {file}',
  'gedit +{line}:{column} {file}',
  'gnome-text-editor {file}',
  'mate --line {line}:{column} {file}',
  'gvim +{line} {file}',
  'notepad++ -n{line} -c{column} {file}',
];

/**
 * @param setting null for the first editor found; $VISUAL and $EDITOR come first
 * @throws `usage` for an unusable setting, `unsupported` if no editor is found
 */
export async function editorCommand(
  setting: string | null,
  place: Place,
  { env, disk }: Machine,
): Promise<EditorCommand> {
  if (setting !== null) return chosenEditor(setting, place, { env, disk });
  const wanted = [env.VISUAL, env.EDITOR].map((value) => basename((value ?? '').split(' ')[0] ?? ''));
  const isWanted = (template: string) => wanted.includes(splitTemplate(template)![0]!);
  for (const template of [...EDITORS.filter(isWanted), ...EDITORS]) {
    const [name, ...args] = splitTemplate(template)!;
    const program = await findProgram(name!, { env, disk });
    if (program) return { program, args: args.map((word) => filled(word, place)) };
  }
  throw new SpillwayError(
    'unsupported',
    'No editor was found',
    'set "editor" in config.json, such as "code -g {file}:{line}:{column}"',
  );
}

async function chosenEditor(setting: string, place: Place, machine: Machine): Promise<EditorCommand> {
  const [name, ...args] = splitTemplate(setting) ?? [];
  if (name === undefined || !args.some((word) => word.includes('{file}'))) {
    throw new SpillwayError(
      'usage',
      'The setting "editor" is not a command with {file}',
      'write it such as "code -g {file}:{line}:{column}"',
    );
  }
  const isThere = isAbsolute(name) && (await machine.disk.isProgram(name));
  const program = isThere ? name : await findProgram(name, machine);
  if (!program)
    throw new SpillwayError(
      'unsupported',
      `The editor ${name} was not found`,
      'check "editor" in config.json',
    );
  return { program, args: args.map((word) => filled(word, place)) };
}

/** Replaces all placeholders in one pass, so that braces in a file's name stay. */
function filled(word: string, place: Place): string {
  return word.replace(/\{(file|line|column)\}/g, (_, name: keyof Place) => String(place[name]));
}

/** Splits at blanks outside quotes. No other character is special. Returns null if a quote is not closed. */
export function splitTemplate(template: string): string[] | null {
  const words: string[] = [];
  let rest = template.trim();
  while (rest !== '') {
    const [word] = /^(?:[^\s"']|"[^"]*"|'[^']*')+/.exec(rest) ?? [];
    if (word === undefined) return null;
    words.push(word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
    rest = rest.slice(word.length);
    if (rest !== '' && !/^\s/.test(rest)) return null;
    rest = rest.trimStart();
  }
  return words;
}

/** Searches only absolute folders of the PATH, as a relative one depends on the working directory. */
async function findProgram(name: string, { env, disk }: Machine): Promise<string | null> {
  if (/[\\/]/.test(name)) return null;
  const names = process.platform === 'win32' && !/\.exe$/i.test(name) ? [`${name}.exe`] : [name];
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    for (const path of names.map((each) => join(folder, each))) if (await disk.isProgram(path)) return path;
  }
  return null;
}
