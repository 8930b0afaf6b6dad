/** The last line about a long output: which artifact holds it, and whether that is all of it. */
export function whereItIs(artifactId: string, whole: boolean): string {
  return `${whole ? 'all of it' : 'what was kept'} is ${artifactId}: spillway inspect ${artifactId}`;
}
