/** The examples shown below each command's help. */
import { DEFAULT_VIEW_LINES } from '../../../shared/limits.ts';

export const TOP = `
Examples:
  spillway run -- make                         record a command; nothing else changes
  spillway inspect last-failed --mode failure  why the newest failure happened
  spillway inspect build.log --mode summary    errors, levels, frequent messages
  spillway inspect build.log --mode tail       the last ${DEFAULT_VIEW_LINES} lines
  spillway inspect build.log --pattern error   lines with "error", in context
  spillway open build.log                      open it in the inspector

Captures and settings are in SPILLWAY_HOME; \`spillway doctor\` prints its path.
\`spillway help COMMAND\` shows the options of a command.`;

export const INSPECT = `
Prints only the selected lines, matching ones as \`grep -n\` does. Notes (clipped lines, a binary file, more lines to read) go to standard error. Exits with 1 when grep found nothing, 2 when it gave up, or could not search all of a damaged file.

An id may be shortened to its beginning or its last part. \`last\` is the newest capture, \`last-failed\` the newest that failed.

Examples:
  spillway inspect last-failed --mode failure        why the newest failure happened
  spillway inspect app.log                           the first ${DEFAULT_VIEW_LINES} lines
  spillway inspect app.log --mode tail --lines 200
  spillway inspect app.log --start 1200 --end 1300   a range
  spillway inspect app.log --pattern 'time.?out' --context 5
  spillway inspect app.log --pattern 'a[0]' --fixed --case-sensitive
  spillway inspect app.log --mode summary --json`;

export const READ = `
Examples:
  spillway read app.log --offset 1048576 --limit 4096
  spillway read app.log --search 'time.?out' --offset 1048576
  spillway read app.log --json      includes next_offset, where to read on`;

export const COMPARE = `
Exits with 0 when nothing differs, 1 when something does, 2 when it could not compare.

Examples:
  spillway compare                       what is new in the command that failed last
  spillway compare last-failed --json
  spillway compare today.log monday.log  two files
  spillway compare today.log mon.log tue.log wed.log`;

export const REPORT = `
Examples:
  spillway report                          the command that failed last
  spillway report last-failed --html > report.html
  spillway report build.log --markdown`;

export const SEARCH = `
Exits with 0 when lines were found, 1 when none were, 2 when it gave up or could search nothing.

Examples:
  spillway search 'connection (reset|refused)'
  spillway search ENOSPC --failed --since 7d
  spillway search 'a[0]' --fixed --session build --json`;

export const LIST = `
Examples:
  spillway list --status failed
  spillway list --kind file --limit 5 --json`;

export const CLEANUP = `
Examples:
  spillway cleanup --dry-run                  what the retention settings would remove now
  spillway cleanup --older-than 0             everything finished and unpinned
  spillway cleanup --session build --keep ID  all of a session but one capture`;

export const SOURCES = `
Examples:
  spillway sources                             what was found
  spillway sources goose --off                 do not list it
  spillway sources claude-code --rescue failed`;

export const TERMINAL = `
Examples:
  spillway terminal                      your shell
  spillway terminal --name deploy
  spillway terminal -- bash --login`;

export const COMPLETION = `
Examples:
  eval "$(spillway completion bash)"           in ~/.bashrc
  eval "$(spillway completion zsh)"            in ~/.zshrc, after compinit
  spillway completion fish | source            in ~/.config/fish/config.fish`;

export const OPEN = `
Examples:
  spillway open                 open the inspector, and print a new address of its page
  spillway open build.log
  spillway open logs/           every file in a folder; shows them grow
  spillway open --agents logs/  let agents read them, too`;

export const SERVE = `
Examples:
  spillway serve                        print the address of the interface, with its token
  spillway serve --port 8080 logs/

Over SSH, forward the port: ssh -L 8080:127.0.0.1:8080 HOST`;

export const MCP = `
An MCP client starts it. In .mcp.json:
  {"mcpServers": {"spillway": {"command": "spillway", "args": ["mcp"]}}}`;

export const PROXY = `
An MCP client starts it instead of the server. In .mcp.json:
  {"mcpServers": {"files": {"command": "spillway", "args": ["proxy", "--", "npx", "some-server", "/srv"]}}}

A response that cannot be recorded passes unchanged.`;

export const RUN = `
Options stand before --. On a terminal, the command gets a terminal too and is recorded as one stream; otherwise stdout and stderr stay separate. Output of children that outlive the command is recorded until they end. If the output was long, one line on standard error tells how to read it and what made the command fail.

Examples:
  spillway run -- npm test
  spillway run --timeout 60000 --json -- make check
  spillway run --session release -- sh -c 'make && make install'`;

export const CAPTURE = `
Examples:
  kubectl logs my-pod | spillway capture --source my-pod
  make 2>&1 | spillway capture --tee | grep error
  curl -s "$URL" | spillway capture --json`;

export const CONNECT = `
--record changes nothing that the agent sees: each command runs in the same shell as before, and Spillway records its output. Configuration files keep their comments and order; --remove restores them.

Examples:
  spillway connect                              list the agents found here
  spillway connect claude-code --record --print show the change only
  spillway connect claude-code codex --record
  spillway connect codex --proxy github         capture long responses of its server github
  spillway connect codex --remove`;
