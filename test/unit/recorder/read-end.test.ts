/** Reading one of Node's own pipes: nothing is taken between a drain and `readOn`. */
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { type ReadEnd, readStream } from '../../../electron/recorder/streams/read-end.ts';
import { untilPasses } from '../../fixtures/until.ts';

/** Takes chunks as slowly as `finish` says. */
function slowTaker() {
  const taken: string[] = [];
  let finish = () => {};
  const take = (chunk: Uint8Array) => {
    taken.push(Buffer.from(chunk).toString());
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  return { taken, take, finish: () => finish() };
}

const rounds = async () => {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
};

it('takes nothing after a drain until it reads on, though a slow taker finishes meanwhile', async () => {
  const stream = new PassThrough();
  const { taken, take, finish } = slowTaker();
  const end: ReadEnd = readStream(stream, take);
  stream.write('before');
  await untilPasses(() => expect(taken).toEqual(['before']));
  await end.drain(false);
  stream.write('after');
  finish();
  await rounds();
  expect(taken).toEqual(['before']);
  end.readOn();
  await untilPasses(() => expect(taken).toEqual(['before', 'after']));
  end.close();
});

it('does not read on over a taker that is still busy', async () => {
  const stream = new PassThrough();
  const { taken, take, finish } = slowTaker();
  const end = readStream(stream, take);
  stream.write('one');
  await untilPasses(() => expect(taken).toEqual(['one']));
  await end.drain(false);
  stream.write('two');
  end.readOn();
  await rounds();
  expect(taken).toEqual(['one']);
  finish();
  await untilPasses(() => expect(taken).toEqual(['one', 'two']));
  end.close();
});
