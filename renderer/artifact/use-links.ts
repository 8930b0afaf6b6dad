/** Opens files named in lines in the person's editor: by Ctrl+click, from the menu, or by key. */

import { type MouseEvent, useRef } from 'react';
import { toSpillwayError } from '../../shared/errors.ts';
import { type FileLink, fileLinks } from '../../shared/text/file-links.ts';
import { useActions } from '../actions/registry.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import type { Viewer } from '../viewer/use-viewer.ts';
import { linkActions } from './artifact-actions.ts';

interface LinksOptions {
  artifactId: string;
  viewer: Viewer;
  say: (message: string) => void;
}

export function useLinks({ artifactId, viewer, say }: LinksOptions) {
  const connection = useConnection();
  /** The link under the open menu. */
  const pointed = useRef<{ line: number; link: FileLink } | null>(null);

  const open = ({ path, longer, line, column }: FileLink): void => {
    const params = { artifact_id: artifactId, path, longer: [...longer], line, column };
    connection?.request('openInEditor', params).then(
      ({ file, editor }) => say(`Opened ${file} in ${editor}`),
      (error: unknown) => say(toSpillwayError(error).message),
    );
  };

  /** The link on the current line: the one under the menu, else the first. */
  const linkHere = (): FileLink | null => {
    const line = viewer.currentLine();
    if (pointed.current?.line === line) return pointed.current.link;
    const row = viewer.rows.row(viewer.rows.rowOf(line));
    return (row && fileLinks(row.text)[0]) ?? null;
  };

  useActions(linkActions, {
    hasLink: () => linkHere() !== null,
    open: () => {
      const link = linkHere();
      if (link) open(link);
    },
  });

  return {
    /** For the element around the text. */
    onClick: (event: MouseEvent): void => {
      const at = event.ctrlKey || event.metaKey ? linkAt(event, viewer) : null;
      if (at) open(at.link);
    },
    onContextMenu: (event: MouseEvent): void => {
      pointed.current = linkAt(event, viewer);
    },
  };
}

/** Returns the link at the pointer. */
function linkAt({ target }: MouseEvent, { rows }: Viewer): { line: number; link: FileLink } | null {
  const drawn = target instanceof Element ? target.closest<HTMLElement>('[data-link]') : null;
  const index = drawn?.closest<HTMLElement>('[data-index]')?.dataset.index;
  if (!drawn || index === undefined) return null;
  const row = rows.row(Number(index));
  const line = rows.lineOf(Number(index));
  const link = row && fileLinks(row.text).find(({ start }) => start === Number(drawn.dataset.link));
  return link && line !== null ? { line, link } : null;
}
