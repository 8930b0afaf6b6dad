import { describe, expect, it } from 'vitest';
import { followLook } from '../../../renderer/viewer/follow/follow-look.ts';
import { artifactOf, fileOf } from '../../fixtures/artifacts.ts';

describe('what is shown of following', () => {
  const running = artifactOf('run', { status: 'running' });
  const ended = artifactOf('run', { status: 'failed' });
  const file = fileOf('/var/log/app.log', '/var/log');

  it('is that it follows, as long as anything may come', () => {
    expect(followLook('on', running, false)).toBe('on');
    expect(followLook('paused', running, false)).toBe('paused');
    expect(followLook('on', file, false)).toBe('on');
    expect(followLook('on', undefined, false)).toBe('on');
  });

  it('is that a run has ended, unless something waits that was not seen', () => {
    expect(followLook('on', ended, false)).toBe('ended');
    expect(followLook('paused', ended, false)).toBe('ended');
    expect(followLook('paused', ended, true)).toBe('paused');
    expect(followLook('on', artifactOf('shell', { kind: 'terminal', status: 'finished' }), false)).toBe(
      'ended',
    );
  });

  it('is nothing where it was not asked for', () => {
    expect(followLook('off', ended, true)).toBe('off');
  });
});
