/** Gives the person's terminal what a command has left at a terminal of its own: its settings, its size, and unread keys. */
import { spawnSync } from 'node:child_process';
import { inPerl, STARTER_PRELUDE } from '../command/perl.ts';
import type { PtySize } from './pty-options.ts';

/**
 * TIOCSTI types the keys. They were echoed when they were typed. Some systems don't allow it: then they are lost. Of
 * the end of input the queue has a NUL.
 */
const SCRIPT = String.raw`${STARTER_PRELUDE}
my ($settings, $size, $keys) = @ARGV;
my $modes = modes();
change($modes, $settings) if $settings;
# TIOCSWINSZ
ioctl STDIN, $^O eq 'linux' ? 0x5414 : 0x80087467, pack 'S4', reverse(split /x/, $size), 0, 0 if $size;
my $local = $modes->getlflag;
$modes->setlflag($local & ~POSIX::ECHO() & ~POSIX::ECHONL()) if length $keys;
$modes->setattr(0, POSIX::TCSANOW());
for my $key (split //, pack 'H*', $keys) {
  $key = chr $modes->getcc(POSIX::VEOF()) if $key eq "\0" && $local & POSIX::ICANON();
  ioctl STDIN, $^O eq 'linux' ? 0x5412 : 0x80017472, $key or last;
}
$modes->setlflag($local);
$modes->setattr(0, POSIX::TCSANOW());
`;

interface GivenBack {
  /** As the command's leader tells them. */
  settings: string | null;
  size: PtySize | null;
  keys: Buffer;
}

/** Our job must be in the terminal's foreground. */
export function giveBack(perl: string, { settings, size, keys }: GivenBack): void {
  const sized = size === null ? '' : `${size.columns}x${size.rows}`;
  const { args, env } = inPerl(SCRIPT, [settings ?? '', sized, keys.toString('hex')], process.env);
  spawnSync(perl, args, { stdio: ['inherit', 'ignore', 'ignore'], env });
}
