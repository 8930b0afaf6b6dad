/**
 * zod compiles schemas with `new Function` and finds out whether it may by trying, which the window's
 * content security policy reports as a violation. It decides when the first schema is built, so this
 * module is imported before any other.
 */
import { config } from 'zod';

config({ jitless: true });
