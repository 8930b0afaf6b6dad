/** The user's folder where the environment or the system gives none. */
import { homedir } from 'node:os';
import { expect, test } from 'vitest';
import { userFolder } from '../../../electron/host/settings/home-path.ts';

const fails = () => {
  throw new Error('ENOENT: this user has no account');
};

test('the user’s folder is the one that the system names', () => {
  expect(userFolder()).toBe(homedir());
});

test('an empty or relative HOME is ignored', () => {
  for (const home of ['', 'rel', './home'])
    expect(userFolder([() => home, () => '/home/ann'])).toBe('/home/ann');
});

test('a user without HOME and account, as in a container, has the root folder, as in a shell', () => {
  expect(userFolder([fails, fails])).toBe('/');
  expect(userFolder([() => '', fails])).toBe('/');
});
