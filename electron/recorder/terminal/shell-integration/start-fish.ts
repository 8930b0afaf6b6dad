/**
 * Makes fish mark its commands (prompt-marks.ts) in its own events, so that no function or prompt of the user's is
 * replaced. fish reads it after the user's startup files. fish reports its commands, so typed text is not needed.
 */
import { introducer } from './prompt-marks.ts';

/** For --init-command, which may be given several times. */
export function fishStart(nonce: string): string {
  const start = introducer(nonce).replaceAll('\x1b', '\\e');
  return `if status is-interactive
    set -g __spillway_number 0
    set -g __spillway_status 0
    function __spillway_escape
        set -l lines (string split \\n -- (string sub -l 8192 -- $argv[1] | string collect))
        set lines (string replace -a '\\\\' '\\\\\\\\' -- $lines | string replace -a \\r '\\r' | string replace -a \\e '\\e')
        string join '\\n' -- (string replace -a \\a '\\a' -- $lines | string replace -a \\x18 '\\c' | string replace -a \\x1a '\\s')
    end
    function __spillway_run --on-event fish_preexec
        set -g __spillway_number (math $__spillway_number + 1)
        builtin printf '${start}X;%d;1;%s\\a' $__spillway_number (__spillway_escape $argv[1]) >/dev/tty
    end
    function __spillway_end --on-event fish_postexec
        set -g __spillway_status $status
        builtin printf '${start}E\\a' >/dev/tty
    end
    function __spillway_prompt --on-event fish_prompt
        set -g __spillway_number (math $__spillway_number + 1)
        builtin printf '${start}P;%d;%d;%s\\a' $__spillway_number $__spillway_status (__spillway_escape $PWD) >/dev/tty
    end
end
`;
}
