/** A person's choices of an artifact's encoding and format: their menus and their storage. */
import { useMemo, useRef, useState } from 'react';
import type { DocumentRef, DocumentState } from '../../shared/api/rows.ts';
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import {
  type FormatChoice,
  type LogFormat,
  readFormatChoice,
  writeFormatChoice,
  zoneWords,
} from '../../shared/log-format.ts';
import { usePaletteDestinations } from '../actions/palette-items.ts';
import { folderOf, settingsKey } from '../library/artifact-facts.ts';
import type { LibraryStore } from '../library/library-store.ts';
import { type Choices, ChoicesMenu, choicesOf } from '../ui/controls/ChoiceMenu.tsx';
import { persisted, recordOf, useStore } from '../ui/state/store.ts';
import { Icon } from '../ui/text/Icon.tsx';
import { changeTextSettings, textSettings } from '../viewer/text/text-settings.ts';
import styles from './StatusLine.module.css';

const MOST_REMEMBERED = 200;

type Remembered = Readonly<Record<string, string>>;

/** The last choices, by key. */
function remembered(name: string) {
  const store = persisted<Remembered>(name, (text) =>
    Object.fromEntries(
      Object.entries(recordOf(text)).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
  );
  const choose = (key: string, value: string | null) => {
    const { [key]: _, ...others } = store.get();
    const all = [...Object.entries(others), ...(value === null ? [] : [[key, value]])];
    store.set(Object.fromEntries(all.slice(-MOST_REMEMBERED)));
  };
  return { ...store, choose };
}

/** By `settingsKey`, or by `folderKey`. */
const encodings = remembered('spillway.encodings');
/** By the path without the mark of a rotation. */
const formats = remembered('spillway.formats');

/** A choice of encodings for a folder is kept beside those for its files. */
const folderKey = (folder: string) => `${folder}/*`;
/** Stands for no encoding of a file whose folder has one. */
const DETECTED = 'detect';

/** `app.log.1`, `app.1.log`, `app.log-20260301.gz` and `app-2026-03-01.log` are `app.log`; `build-7.log` is itself. */
export function withoutRotation(path: string): string {
  const mark = /(?:\.\d{1,3}|[._-](?:old|prev|\d{4}-?\d\d-?\d\d(?:[-_T.]?\d{1,6})?))(?=(?:\.[A-Za-z]\w*)?$)/;
  return path.replace(/\.(?:gz|bz2|xz|zst)$/, '').replace(mark, '');
}

interface ReadingOptions {
  artifactId: string;
  artifact: Artifact | null;
  stream: StreamName | null;
  merged: readonly string[] | null;
}

export type Reading = ReturnType<typeof useReading>;

export function useReading(
  library: Pick<LibraryStore, 'get'>,
  { artifactId, artifact, stream, merged }: ReadingOptions,
) {
  const chosen = useStore(encodings);
  const chosenFormats = useStore(formats);
  // The path it was opened at: the list may give the id of a file that was renamed to the old text.
  const first = useRef<{ key: string; folder: string | null } | null>(null);
  first.current ??= artifact && { key: settingsKey(artifact), folder: folderOf(artifact) };
  const { key, folder } = first.current ?? { key: artifactId, folder: null };
  const ofFolder = folder === null ? undefined : chosen[folderKey(folder)];
  const own = chosen[key] ?? ofFolder ?? DETECTED;
  const encoding = own === DETECTED ? null : own;
  const formatKey = withoutRotation(key);
  const format = chosenFormats[formatKey] ?? null;
  // Kept the same as long as it says the same: another one opens the text again.
  const partFormats = JSON.stringify(
    (merged ?? []).flatMap((id) => {
      const part = library.get(id);
      const words = part && chosenFormats[withoutRotation(settingsKey(part))];
      return words ? [[id, words]] : [];
    }),
  );
  const [asText, setAsText] = useState(false);
  const ref: DocumentRef = useMemo(() => {
    const ofParts: [string, string][] = JSON.parse(partFormats);
    return {
      artifact_id: artifactId,
      ...(stream ? { stream } : {}),
      ...(encoding ? { encoding } : {}),
      ...(format ? { log_format: format } : {}),
      ...(asText ? { as_text: true } : {}),
      ...(merged ? { merged: [...merged] } : {}),
      ...(ofParts.length > 0 ? { log_formats: Object.fromEntries(ofParts) } : {}),
    };
  }, [artifactId, stream, encoding, format, asText, merged, partFormats]);
  return {
    ref,
    encoding,
    /** Null for what belongs to no folder. */
    folder,
    isForFolder: encoding !== null && encoding === ofFolder,
    setEncoding: (next: string | null) => {
      const isFolders = next === (ofFolder ?? null);
      encodings.choose(key, isFolders ? null : (next ?? (ofFolder === undefined ? null : DETECTED)));
    },
    setFolderEncoding: (next: string | null) => {
      if (folder !== null) encodings.choose(folderKey(folder), next);
      // Without the folder's choice, the file keeps its present encoding.
      encodings.choose(key, next === null ? encoding : null);
    },
    format: choiceIn(format),
    setFormat: (next: FormatChoice) => formats.choose(formatKey, writeFormatChoice(next) || null),
    showAsText: () => setAsText(true),
  };
}

/** A choice that an older version stored may be invalid now. */
function choiceIn(words: string | null): FormatChoice {
  try {
    return words === null ? {} : readFormatChoice(words);
  } catch {
    return {};
  }
}

// The encodings that people can choose, in the status line and in the palette.

interface Encoding {
  label: string;
  name: string;
}

/** Labels of the WHATWG encoding standard, and where they are common. */
const ENCODINGS: readonly Encoding[] = [
  { label: 'utf-8', name: 'UTF-8' },
  { label: 'utf-16le', name: 'UTF-16, little endian' },
  { label: 'utf-16be', name: 'UTF-16, big endian' },
  { label: 'windows-1252', name: 'Western (Windows-1252)' },
  { label: 'cp850', name: 'Western (DOS 850)' },
  { label: 'cp437', name: 'Western (DOS 437)' },
  { label: 'iso-8859-2', name: 'Central European (ISO 8859-2)' },
  { label: 'windows-1250', name: 'Central European (Windows-1250)' },
  { label: 'windows-1251', name: 'Cyrillic (Windows-1251)' },
  { label: 'koi8-r', name: 'Cyrillic (KOI8-R)' },
  { label: 'ibm866', name: 'Cyrillic (DOS 866)' },
  { label: 'windows-1253', name: 'Greek (Windows-1253)' },
  { label: 'windows-1254', name: 'Turkish (Windows-1254)' },
  { label: 'shift_jis', name: 'Japanese (Shift JIS)' },
  { label: 'euc-jp', name: 'Japanese (EUC-JP)' },
  { label: 'gb18030', name: 'Chinese, simplified (GB 18030)' },
  { label: 'big5', name: 'Chinese, traditional (Big5)' },
  { label: 'euc-kr', name: 'Korean (EUC-KR)' },
];

const ENCODING_CHOICES = [
  { value: DETECTED, name: 'Detect' },
  ...ENCODINGS.map(({ label, name }) => ({ value: label, name })),
];

export function EncodingMenu({ encoding, reading }: { encoding: string; reading: Reading }) {
  const { encoding: chosen, folder, isForFolder } = reading;
  const files: Choices = {
    label: 'Remember it for',
    chosen: isForFolder ? 'folder' : 'file',
    choices: [
      { value: 'file', name: 'This file' },
      { value: 'folder', name: 'All files of its folder' },
    ],
    onChoose: (value) => reading.setFolderEncoding(value === 'folder' ? chosen : null),
  };
  return (
    <ChoicesMenu
      trigger={
        <button type="button" className={styles.menu} title="Encoding: choose another">
          {encoding}
          {chosen === null ? '' : ' (chosen)'}
          <Icon name="chevron" />
        </button>
      }
      groups={[
        {
          choices: ENCODING_CHOICES,
          chosen: chosen ?? DETECTED,
          onChoose: (value) => reading.setEncoding(value === DETECTED ? null : value),
        },
        ...(chosen !== null && folder !== null ? [files] : []),
      ]}
      side="top"
    />
  );
}

// The format: shown in the status line, where another can be chosen.

const LEARNT = 'learnt';
const ENTRY_WORDS = { time: 'a time', object: 'an object', level: 'a level', unindented: 'no indentation' };
/** Minutes east of UTC that people choose from; others can be typed for `--log-format`. */
const ZONES = [-600, -480, -420, -360, -300, -240, -180, 60, 120, 180, 240, 330, 420, 480, 540, 600, 720];

/** Says how the lines are read, and has what else they may mean. */
export function FormatMenu({ state, reading }: { state: DocumentState; reading: Reading }) {
  const { has_arrivals = false, reads_printed = false } = state;
  const look = useStore(textSettings);
  // A text that opens again has none for a moment: its open menu must not disappear.
  const last = useRef(state.format);
  last.current = state.format ?? last.current;
  const format = last.current;
  if (!format || state.condition === 'binary') return null;
  const { format: choice, setFormat } = reading;
  /** A group of radio items for a part of the choice; the first item takes what was learnt. */
  const group = <K extends keyof FormatChoice>(
    label: string,
    key: K,
    learnt: string,
    others: readonly [FormatChoice[K], string][],
  ): Choices =>
    choicesOf({
      label,
      chosen: key in choice ? choice[key] : LEARNT,
      choices: [[LEARNT, learnt], ...others],
      onChoose: (value) => {
        const { [key]: _, ...rest } = choice;
        setFormat(value === LEARNT ? rest : { ...rest, [key]: value });
      },
    });
  const isChosen = Object.keys(choice).length > 0;
  const looksTimed = format.time !== null || choice.times === 'none';
  const times: [FormatChoice['times'], string][] = [
    ...(looksTimed && has_arrivals ? [['printed', 'As the lines print them'] as const] : []),
    ...(has_arrivals ? [['arrivals', 'When the lines arrived'] as const] : []),
    ...(looksTimed ? [['none', 'What looks like times is none'] as const] : []),
  ].map(([value, name]) => [value, name]);
  const meant = reads_printed || !has_arrivals ? 'as the lines print them' : 'when the lines arrived';
  const isFolded = format.entries === 'object' || format.name === 'GitHub Actions';
  const folding = choicesOf({
    label: 'Lines show',
    chosen: look.json,
    choices: [
      [
        true,
        format.entries === 'object'
          ? 'Their message and fields'
          : 'Their message, without job, step and time',
      ],
      [false, 'All of it, as written'],
    ],
    onChoose: (json) => changeTextSettings({ json }),
  });
  const groups = [
    ...(isFolded ? [folding] : []),
    ...(times.length > 0 ? [group('Times', 'times', `Detect (${meant})`, times)] : []),
    ...(format.time === null
      ? []
      : [
          group('Day and month', 'isDayFirst', 'Detect', [
            [true, 'Day first: 10/03 is 10 March'],
            [false, 'Month first: 10/03 is 3 October'],
          ]),
        ]),
    group('Entries begin with', 'entries', 'Detect', [
      ['time', 'A time'],
      ['object', 'An object'],
      ['level', 'A level'],
      ['unindented', 'No indentation'],
    ]),
    ...(format.time === null || format.zone === 'written' || format.zone === 'start'
      ? []
      : [
          group('Zone of times that name none', 'zone', 'Detect', [
            [null, 'Local'],
            [0, 'UTC'],
            ...ZONES.map((zone): [number, string] => [zone, `UTC${zoneWords(zone)}`]),
          ]),
        ]),
  ];
  return (
    <ChoicesMenu
      trigger={
        <button
          type="button"
          className={`${styles.menu} ${styles.spare}`}
          title={`Format: ${formatWords(format)}. Choose how the lines are read`}
        >
          {format.name}
          {isChosen ? ' (chosen)' : ''}
          <Icon name="chevron" />
        </button>
      }
      groups={groups}
      side="top"
    />
  );
}

/** Says how the lines were read, which a single one does not show. */
function formatWords({ time, zone, day_first, entries }: LogFormat): string {
  const order = day_first === null ? '' : `, ${day_first ? 'day before month' : 'month before day'}`;
  const known: Record<string, string> = {
    utc: 'in UTC',
    written: 'with their zone',
    local: 'taken as local',
    start: 'in seconds since the start',
  };
  const times = zone === null ? [] : [`times such as ${time}, ${known[zone] ?? `at UTC${zone}`}${order}`];
  return [...times, `entries begin with ${ENTRY_WORDS[entries]}`].join('; ');
}

/** Only a query can find them: there are many, and they are rarely wanted. */
export function useReadingDestinations({ setEncoding, format, setFormat }: Reading): void {
  usePaletteDestinations((query) => {
    if (query.trim() === '') return [];
    const formatted: [string, FormatChoice][] = [
      ['detect it', {}],
      ['day before month', { ...format, isDayFirst: true }],
      ['month before day', { ...format, isDayFirst: false }],
      ['times in UTC', { ...format, zone: 0 }],
      ['local times', { ...format, zone: null }],
      ['times as printed', { ...format, times: 'printed' }],
      ['times of arrival', { ...format, times: 'arrivals' }],
      ['no times', { ...format, times: 'none' }],
    ];
    return [
      ...[{ label: null, name: 'detect it' }, ...ENCODINGS].map(({ label, name }) => ({
        id: `encoding ${label}`,
        text: `Encoding: ${name}`,
        words: 'charset',
        kind: 'View',
        run: () => setEncoding(label),
      })),
      ...formatted.map(([name, choice]) => ({
        id: `format ${name}`,
        text: `Format: ${name}`,
        words: 'date zone',
        kind: 'View',
        run: () => setFormat(choice),
      })),
    ];
  });
}
