import { describe, expect, it } from 'vitest';
import { asMarkdown } from '../../../renderer/artifact/artifact-actions.ts';
import { mergedId } from '../../../shared/artifact.ts';
import { artifactOf, fileOf } from '../../fixtures/library/artifacts.ts';

const address = 'http://127.0.0.1:7000/';

describe('lines copied as Markdown', () => {
  const command = artifactOf('cmd-make', { command: 'make', args: ['all'], status: 'failed', exit_code: 2 });

  it('name their artifact, show the lines, and lead back to them', () => {
    const form = asMarkdown({ artifact: command, stream: 'combined', first: 3, last: 4, count: 2, address });
    expect(form.whole?.('one\ntwo')).toBe(
      '`make all`, failed (exit 2): [lines 3–4 of combined](http://127.0.0.1:7000/#a=cmd-make&s=combined&l=3-4)\n\n' +
        '```text\none\ntwo\n```\n\n' +
        '`spillway inspect cmd-make --stream combined --start 3 --end 4`\n',
    );
  });

  it('say that filters hid some of them, and that the command prints those, too', () => {
    const form = asMarkdown({
      artifact: command,
      stream: 'combined',
      first: 449,
      last: 471,
      count: 2,
      address,
    });
    const text = form.whole?.('one\ntwo');
    expect(text).toContain('[2 of lines 449–471 of combined, filtered](');
    expect(text).toContain('--end 471` prints all 23 lines, also those that filters hid\n');
  });

  it('of a merged text have no link and no command, as only this window knows it', () => {
    const facts = { label: 'a.log + b.log', kind: 'file', status: 'finished' } as const;
    const merged = artifactOf(mergedId(['a', 'b']), facts);
    const form = asMarkdown({ artifact: merged, stream: 'output', first: 3, last: 4, count: 2, address });
    expect(form.whole?.('one\ntwo')).toBe(
      '`a.log + b.log`, merged by time: lines 3–4\n\n```text\none\ntwo\n```\n',
    );
  });

  it('name a file by its path, and one line as one', () => {
    const file = fileOf('/logs/a.log', '/logs');
    const whole = asMarkdown({
      artifact: file,
      stream: 'output',
      first: 7,
      last: 7,
      count: 1,
      address,
    }).whole?.('x');
    expect(whole).toMatch(/^`\/logs\/a\.log`: \[line 7\]\(/);
  });

  it('stay a code block and a name for any text', () => {
    const odd = artifactOf('cmd-odd', { command: 'echo', args: ['`id`'] });
    const whole = asMarkdown({
      artifact: odd,
      stream: 'stdout',
      first: 1,
      last: 3,
      count: 3,
      address,
    }).whole?.('```\n# x\n````');
    expect(whole).toContain('\n`````text\n```\n# x\n````\n`````\n');
    expect(whole?.startsWith('``echo')).toBe(true);
  });
});
