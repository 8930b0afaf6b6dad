import { expect, it } from 'vitest';
import { copyProgress } from '../../../electron/host/recording/file-copy.ts';

it('a copy reports its progress after its first second, and then once a second', () => {
  const said: string[] = [];
  let now = 0;
  const progress = copyProgress(
    'make.log',
    (text) => said.push(text),
    () => now,
  );
  for (; now < 2500; now += 100) progress(now * 1024, 4096 * 1024);
  expect(said).toEqual(['Copying make.log: 1000 KiB of 4 MiB', 'Copying make.log: 2 MiB of 4 MiB']);
});
