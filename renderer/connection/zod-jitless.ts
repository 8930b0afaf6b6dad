/**
 * Keeps zod from compiling schemas with `new Function`: it tests whether that is allowed by trying, which the window's
 * content security policy reports as a violation. zod decides when the first schema is built, so import this module
 * before any other.
 */
import { config } from 'zod';

config({ jitless: true });
