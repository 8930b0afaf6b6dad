/** Opens what is dropped into the window: by its path where the page is given one, else as a copy. */

import { useEffect, useRef, useState } from 'react';
import type { Connection } from '../../shared/api/api.ts';
import type { Desktop } from '../../shared/desktop.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { MAX_DROPPED_BYTES } from '../../shared/limits.ts';

/** Most files that one drop copies; a folder may have any number. */
const MAX_DROPPED_FILES = 100;

interface DropOptions {
  connection: Connection | null;
  /** Null in a browser. */
  desktop: Desktop | null;
  open: (artifactId: string) => void;
  say: (text: string) => void;
}

/** Returns whether something that can be opened is held over the window. */
export function useDroppedFiles(options: DropOptions): boolean {
  const latest = useRef(options);
  latest.current = options;
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    /** Elements that the pointer has entered, less those it has left: they overlap. */
    let depth = 0;
    const over = (by: number) => {
      depth = Math.max(0, depth + by);
      setOver(depth > 0);
    };
    const listen = (
      type: 'dragenter' | 'dragleave' | 'dragover' | 'drop',
      act: (transfer: DataTransfer) => void,
    ) => {
      const listener = (event: DragEvent) => {
        const { dataTransfer } = event;
        if (!dataTransfer?.types.includes('Files')) return;
        // Else the browser shows the file in place of the page.
        event.preventDefault();
        act(dataTransfer);
      };
      window.addEventListener(type, listener);
      return () => window.removeEventListener(type, listener);
    };
    const stops = [
      listen('dragenter', () => over(1)),
      listen('dragleave', () => over(-1)),
      listen('dragover', (transfer) => {
        transfer.dropEffect = 'copy';
      }),
      listen('drop', (transfer) => {
        over(-depth);
        // Its entries are only there now.
        void openDropped(droppedIn(transfer), latest.current);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return isOver;
}

/** A file, or a folder, whose files are found when they are wanted. */
interface Dropped {
  file: File | null;
  entry: FileSystemEntry | null;
}

function droppedIn({ items }: DataTransfer): Dropped[] {
  return [...items].flatMap((item) =>
    item.kind === 'file' ? [{ file: item.getAsFile(), entry: item.webkitGetAsEntry() }] : [],
  );
}

/** Opens each path, and copies each file that has none. Shows the first of them. */
async function openDropped(dropped: readonly Dropped[], options: DropOptions): Promise<void> {
  const { connection, desktop, open, say } = options;
  if (!connection) return say('Nothing can be opened: there is no connection to Spillway');
  let first: string | null = null;
  let count = 0;
  const take = (id: string | undefined) => {
    if (id !== undefined && first === null) {
      first = id;
      open(id);
    }
  };
  for (const { file, entry } of dropped) {
    try {
      const path = file && desktop ? desktop.pathOf(file) : '';
      if (path !== '') {
        take((await connection.request('openPath', { path }))[0]?.artifact_id);
        continue;
      }
      for await (const found of filesOf(file, entry)) {
        if (count === MAX_DROPPED_FILES) return say(`Only the first ${MAX_DROPPED_FILES} files were copied`);
        count += 1;
        take(await copy(connection, found));
      }
    } catch (error) {
      say(`${file?.name ?? entry?.name ?? 'It'} was not opened: ${toSpillwayError(error).message}`);
    }
  }
}

interface NamedFile {
  /** With the folders below the one that was dropped. */
  name: string;
  file: File;
}

async function* filesOf(file: File | null, entry: FileSystemEntry | null): AsyncGenerator<NamedFile> {
  if (entry?.isDirectory) {
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    const entries: FileSystemEntry[] = [];
    // It gives some at a time, and none at the end.
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      );
      if (some.length === 0) break;
      entries.push(...some);
    }
    for (const each of entries.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })))
      yield* filesOf(null, each);
  } else if (file) yield { name: file.name, file };
  else if (entry) {
    const found = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    yield { name: entry.fullPath.replace(/^\//, ''), file: found };
  }
}

/** Resolves with the id of the copy. */
async function copy(connection: Connection, { name, file }: NamedFile): Promise<string> {
  const keep = async (id: string | null, from: number): Promise<string> => {
    const to = Math.min(file.size, from + MAX_DROPPED_BYTES);
    const data = await base64(file.slice(from, to));
    const piece = { artifact_id: id, name, data, end: to === file.size };
    return (await connection.request('keepDropped', piece)).artifact_id;
  };
  const id = await keep(null, 0);
  for (let at = MAX_DROPPED_BYTES; at < file.size; at += MAX_DROPPED_BYTES) await keep(id, at);
  return id;
}

function base64(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(bytes);
  });
}
