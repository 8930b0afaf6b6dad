/**
 * `spillway`: the command line's entry point. It answers what an MCP client opens with before it loads anything else, and so
 * imports next to nothing itself.
 */
import { fileURLToPath } from 'node:url';
import { answerOpening } from '../mcp/opening/answer-opening.ts';

const args = process.argv.slice(2);
const opening = await answerOpening(args, fileURLToPath(new URL('./mcp-opening.json', import.meta.url)));
const { main } = await import('./command-line.ts');
await main(args, fileURLToPath(import.meta.url), opening);
