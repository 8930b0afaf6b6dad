/** The modes in which a part of a stream can be asked for (CONTRACT 5), in the order that help lists them. */
import * as z from 'zod';

export const ViewMode = z.enum(['head', 'tail', 'grep', 'range', 'summary', 'failure']);
export type ViewMode = z.infer<typeof ViewMode>;
