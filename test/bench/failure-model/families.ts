/** Puts failures of one tool in one family: what is fitted to some says too much of the others. */
import type { Example } from './examples.ts';

/** Failures of none of these tools are a family each. */
const TOOLS = [
  'cmake|ctest',
  'make',
  'ninja',
  'git',
  'pytest',
  'strace',
  'curl|wget',
  'gcc|gxx|g\\+\\+|clang',
  'ld-|-ld',
  'cargo|rust',
  'java|mvn|gradle|ant-',
  'npm|node|jest|vitest|tsc|ava|jasmine',
  'python|pip|py-|-py',
  'bash|zsh|dash-x|set-ex|shell',
  'tar|zip|rsync|cp',
  'nginx|haproxy',
  'psql|pg|postgres',
  'sqlite',
  'terraform',
  'k8s',
  'gitlab',
  'actions',
  'compose|docker',
  'journal|systemd',
  'ansible',
  'go-',
  'perl',
  'ruby|rspec',
  'php',
].map((names) => new RegExp(names));

/** One failure in several languages, or between other outputs, has one family. */
export function familyOf({ id, set }: Example): string {
  // Logs of one project tell of each other.
  if (set === 'pairs') return id.replace(/(?:-run)?-?\d+$/, '').replace(/^(treeherder)-.*/, '$1');
  if (set === 'ci-logs') return id;
  const name = id.replace(/^l-\w\w-/, '');
  return TOOLS.find((tool) => tool.test(name))?.source ?? name;
}
