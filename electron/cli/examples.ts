/** The examples shown below each command's help. */
import { DEFAULT_VIEW_LINES } from '../../shared/limits.ts';

export const TOP = `
Examples:
  spillway inspect build.log --mode summary    what is in it: errors, levels, frequent messages
  spillway inspect build.log --mode tail       its last ${DEFAULT_VIEW_LINES} lines
  spillway inspect build.log --pattern error   its lines with "error", and what is around them
  spillway open build.log                      in the inspector

Captures and settings are in SPILLWAY_HOME; \`spillway doctor\` says where that is.
\`spillway help COMMAND\` says more about a command.`;

export const INSPECT = `
Prints the selected lines alone, matching ones as \`grep -n\` does; notes (clipped lines, a binary file, that there is
more) go to standard error. Ends with 1 when grep found nothing.

Examples:
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
  spillway read app.log --json      with next_offset, to read on from`;

export const LIST = `
Examples:
  spillway list --status failed
  spillway list --kind file --limit 5 --json`;

export const CLEANUP = `
Examples:
  spillway cleanup --dry-run                  what the retention settings would let go now
  spillway cleanup --older-than 0             everything finished and unpinned
  spillway cleanup --session build --keep ID  everything of a session but one`;

export const TERMINAL = `
Examples:
  spillway terminal                      your shell
  spillway terminal --name deploy
  spillway terminal -- bash --login`;

export const COMPLETION = `
Examples:
  eval "$(spillway completion bash)"           in ~/.bashrc
  eval "$(spillway completion zsh)"            in ~/.zshrc, behind compinit
  spillway completion fish | source            in ~/.config/fish/config.fish`;

export const OPEN = `
Examples:
  spillway open                 the inspector
  spillway open build.log
  spillway open logs/           every file in a directory, as it grows`;

export const SERVE = `
Examples:
  spillway serve                        prints where the interface is, token included
  spillway serve --port 8080 logs/
Over SSH, forward the port: ssh -L 8080:127.0.0.1:8080 HOST`;

export const MCP = `
It is meant to be started by an MCP client. For one that reads .mcp.json:
  {"mcpServers": {"spillway": {"command": "spillway", "args": ["mcp"]}}}`;

export const PROXY = `
It is meant to be started by an MCP client, in place of the server. For one that reads .mcp.json:
  {"mcpServers": {"files": {"command": "spillway", "args": ["proxy", "--", "npx", "some-server", "/srv"]}}}
A response that cannot be recorded passes unchanged.`;

export const RUN = `
Its options come before --. On a terminal the command gets one, too, and is recorded as one stream; else its two streams pass
through apart. What children that outlive it print is recorded until they end. One line on standard error says where it is kept
when it was long, and whether that is all of it.

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
--record changes nothing that the agent sees: each command runs in the shell it would have had, and is recorded on the way. Files are
replaced at once, with comments and order kept; --remove leaves what was there before.

Examples:
  spillway connect                              which agents are here
  spillway connect claude-code --record --print what would change
  spillway connect claude-code codex --record
  spillway connect codex --remove`;
