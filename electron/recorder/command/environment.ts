/**
 * The command's environment. What Node itself acts on (NODE_OPTIONS, NODE_V8_COVERAGE and the like) is meant for the
 * command: it would stop our recorder, or make it print. So the launcher (app/launcher.pl) gives Node these variables
 * under longer names, which Node ignores, and the command gets them under their own, in the same order.
 */

/** Begins the longer names. The launcher has the same text. */
const KEPT = 'SPILLWAY_FOR_COMMAND_';

/** Our own environment as the launcher got it. */
export function environmentForCommand(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env);
  if (!names.some((name) => name.startsWith(KEPT))) return process.env;
  return Object.fromEntries(names.map((name) => [nameForCommand(name), process.env[name]]));
}

/** `text` begins with a variable's name. */
export function nameForCommand(text: string): string {
  return text.startsWith(KEPT) ? text.slice(KEPT.length) : text;
}
