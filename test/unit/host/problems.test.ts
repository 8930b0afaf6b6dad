import { expect, test } from 'vitest';
import { problemFrom } from '../../../electron/host/documents/document.ts';

test.each(['ENOENT', 'ELOOP', 'EACCES', 'EISDIR'])(
  'only a window is told, after %s, that its view keeps what was read',
  (code) => {
    const { error, todo } = problemFrom({ code }, true);
    expect(error.todo).toMatch(/^(?!.*view).*(name|look in|change)/);
    expect(todo).toMatch(/stays readable until this view is closed/);
    expect(problemFrom({ code }, false).todo).toBeUndefined();
  },
);
