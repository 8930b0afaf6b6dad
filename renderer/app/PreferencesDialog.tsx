/** The preferences: how this window shows text, and each setting of config.json. The table of settings draws them. */

import {
  type ChangeEvent,
  createContext,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { toSpillwayError } from '../../shared/errors.ts';
import {
  type RedactSetting,
  SETTING_GROUPS,
  SETTING_RULES,
  type SettingName,
  type SettingRule,
} from '../../shared/setting-rules.ts';
import type { Preferences } from '../../shared/settings.ts';
import { formatExactBytes, parseBytes, parseHours } from '../../shared/text/format.ts';
import { usePaletteDestinations } from '../actions/palette-items.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { smartCase } from '../search/search-settings.ts';
import { Button, IconButton } from '../ui/controls/Button.tsx';
import { ChoiceMenu } from '../ui/controls/ChoiceMenu.tsx';
import { Field, Switch } from '../ui/controls/Field.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { Problem } from '../ui/layout/Message.tsx';
import { useStore } from '../ui/state/store.ts';
import { sentence } from '../ui/text/format.ts';
import { chooseTheme, TEXT_SIZE, textLook, useThemeChoice } from '../ui/theme/theme.ts';
import {
  changeTextSettings,
  type TimeColumn,
  textSettings,
  textSettingsFrom,
} from '../viewer/text/text-settings.ts';
import styles from './PreferencesDialog.module.css';
import { THEMES } from './WindowButtons.tsx';

interface PreferencesDialogProps {
  open: boolean;
  /** The label of the preference to begin at. */
  at: string | null;
  onClose: () => void;
  /** Opens the switches of agents' captures. */
  showCaptures: () => void;
}

export function PreferencesDialog({ open, at, onClose, showCaptures }: PreferencesDialogProps) {
  const { known, problem, change } = usePreferences(open);
  const [typed, setTyped] = useState('');
  const words = useMemo(() => typed.toLowerCase().split(/\s+/).filter(Boolean), [typed]);
  const field = useRef<HTMLInputElement>(null);
  const isKnown = known !== null;
  useEffect(() => {
    if (open) setTyped('');
  }, [open]);
  useEffect(() => {
    if (!open || at === null || !isKnown) return;
    const row = document.querySelector(`[data-preference="${CSS.escape(at)}"]`);
    row?.scrollIntoView({ block: 'center' });
    row?.querySelector<HTMLElement>('input, textarea, [role="switch"], button[aria-haspopup]')?.focus();
  }, [open, at, isKnown]);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Preferences"
      wide
      scrolls
      initialFocus={field}
      footer={
        <span className={styles.where}>
          {known ? `All but those of this window are kept in ${known.path}` : ''}
        </span>
      }
    >
      <Field
        ref={field}
        type="search"
        label="Find a preference"
        hideLabel
        placeholder="Find a preference"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Problem text={problem} />
      {known?.problems.map((text) => (
        <Problem key={text} text={sentence(text)} />
      ))}
      <Searched value={words}>
        <WindowSettings />
        {SETTING_GROUPS.map((group) => (
          <Group key={group} title={group}>
            {known?.settings.map(({ name, value, is_set }) => {
              const rule: SettingRule = SETTING_RULES[name];
              if (rule.group !== group) return null;
              const set = (next: unknown) => change(name, next);
              return (
                <Row
                  key={name}
                  rule={rule}
                  name={name}
                  onReset={is_set ? () => void change(name, undefined) : undefined}
                >
                  <Control rule={rule} value={value} set={set} showCaptures={showCaptures} />
                </Row>
              );
            })}
          </Group>
        ))}
      </Searched>
      <p className={styles.none}>No preference has these words</p>
    </Dialog>
  );
}

/** Resolves with what was wrong with the value; null if it is set. */
type Set = (value: unknown) => Promise<string | null>;

function usePreferences(open: boolean) {
  const connection = useConnection();
  const [known, setKnown] = useState<Preferences | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (!open || !connection) return;
    const read = () => {
      connection.request('preferences', {}).then(setKnown, (error: unknown) => {
        const { code, message } = toSpillwayError(error);
        if (code !== 'cancelled') setProblem(message);
      });
    };
    read();
    // Somebody may edit config.json meanwhile.
    return connection.subscribe('notices', {}, (notice) => notice.type === 'settings' && read());
  }, [open, connection]);
  const change = async (name: SettingName, value: unknown): Promise<string | null> => {
    if (!connection) return 'Spillway cannot be reached';
    try {
      setKnown(await connection.request('changePreference', { name, value }));
      setProblem(null);
      return null;
    } catch (error) {
      const { code, what, message } = toSpillwayError(error);
      if (code === 'usage') return sentence(what.replace(`${name} must`, 'it must'));
      setProblem(sentence(message));
      return null;
    }
  };
  return { known, problem, change };
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

interface RowProps {
  rule: OwnRule & Pick<SettingRule, 'default'> & Partial<SettingRule>;
  /** In config.json; missing for what this window keeps. */
  name?: SettingName;
  /** Missing where the default is used. */
  onReset?: (() => void) | undefined;
  children: ReactNode;
}

/** The words that a preference must have to be shown. */
const SearchedWords = createContext<readonly string[]>([]);
const Searched = SearchedWords.Provider;

function Row({ rule, name, onReset, children }: RowProps) {
  const { label, does, also = '', group = 'This window' } = rule;
  const text = `${label} ${name ?? ''} ${does} ${also} ${group}`.toLowerCase();
  const isFound = useContext(SearchedWords).every((word) => text.includes(word));
  return (
    <div hidden={!isFound} className={styles.row} data-setting={name} data-preference={rule.label}>
      <div className={styles.about}>
        <strong>{rule.label}</strong>
        {name && <code className={styles.name}>{name}</code>}
        <p>{inCode(sentence(rule.does.replaceAll("'", '’')))}</p>
        <p>
          Default: {defaultOf(rule)}
          {onReset && (
            <Button tone="quiet" onClick={onReset} aria-label={`Reset ${rule.label}`}>
              Reset
            </Button>
          )}
        </p>
      </div>
      <div className={styles.control}>{children}</div>
    </div>
  );
}

/** Code in backticks becomes code. */
function inCode(text: string): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

function defaultOf(rule: RowProps['rule']): string {
  if (rule.usual) return rule.usual;
  if (typeof rule.default === 'boolean') return rule.default ? 'on' : 'off';
  if (typeof rule.default === 'number') return `${inField(rule, rule.default)} ${unitOf(rule)}`.trim();
  return String(rule.default);
}

function unitOf({ unit }: RowProps['rule']): string {
  return unit === undefined || unit === 'bytes' || unit === 'port' ? '' : unit;
}

function inField({ unit, isObject }: RowProps['rule'], value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isObject) return JSON.stringify(value);
  return unit === 'bytes' ? formatExactBytes(value as number) : String(value);
}

/** The value that a typed text means; the text itself where it means none, which the host refuses with a reason. */
function fromField(rule: SettingRule, text: string): unknown {
  if (text.trim() === '' && rule.default === null) return undefined;
  if (rule.isText) return text.trim();
  if (rule.isObject) return parsed(text);
  if (rule.unit === 'bytes') return parseBytes(text) ?? text;
  if (rule.unit === 'hours') return parseHours(text) ?? text;
  return /^\s*\d+\s*$/.test(text) ? Number(text) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface ControlProps {
  rule: SettingRule;
  value: unknown;
  set: Set;
  showCaptures: () => void;
}

function Control({ rule, value, set, showCaptures }: ControlProps) {
  const { label, words, list } = rule;
  if (list === 'sources') return <Sources value={value} set={set} showCaptures={showCaptures} />;
  if (list) return <Lines label={label} lines={value as string[]} set={set} />;
  if (words) return <Words label={label} words={words} value={value as string} set={set} />;
  if (typeof value === 'boolean') return <Switch label={label} checked={value} onChange={(on) => set(on)} />;
  if (rule.default !== null && typeof rule.default === 'object')
    return <Redact value={value as RedactSetting} set={set} />;
  return (
    <Typed
      label={label}
      shown={inField(rule, value)}
      unit={unitOf(rule)}
      placeholder={rule.usual}
      set={(text) => set(fromField(rule, text))}
    />
  );
}

interface TypedProps {
  label: string;
  shown: string;
  unit?: string;
  placeholder?: string | undefined;
  set: (text: string) => Promise<string | null>;
}

/** A text that counts once the person leaves its field. A wrong one stays, with its problem. */
function useTyped(shown: string, set: (text: string) => Promise<string | null>) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const commit = async () => {
    if (typed === null) return;
    const wrong = typed === shown ? null : await set(typed);
    setProblem(wrong);
    if (wrong === null) setTyped(null);
  };
  const onChange = (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    setTyped(event.target.value);
  return { problem, commit, field: { value: typed ?? shown, onChange, onBlur: () => void commit() } };
}

/** A field of one line: Enter, too, makes its text count. */
function Typed({ label, shown, unit = '', placeholder, set }: TypedProps) {
  const { problem, commit, field } = useTyped(shown, set);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') void commit();
  };
  return (
    <div className={styles.typed}>
      <Field
        label={label}
        hideLabel
        placeholder={placeholder}
        problem={problem}
        onKeyDown={onKeyDown}
        {...field}
      />
      {unit !== '' && <span className={styles.unit}>{unit}</span>}
    </div>
  );
}

interface WordsProps<V extends string> {
  label: string;
  words: readonly V[];
  value: V;
  set: (value: V) => unknown;
}

function Words<V extends string>({ label, words, value, set }: WordsProps<V>) {
  return (
    <ChoiceMenu
      trigger={
        <Button opensMenu aria-label={`${label}: ${value}`}>
          {value}
        </Button>
      }
      choices={words.map((word) => ({ value: word, name: word }))}
      chosen={value}
      onChoose={set}
    />
  );
}

/** Texts, one on each line. */
function Lines({ label, lines, set }: { label: string; lines: readonly string[]; set: Set }) {
  const { problem, field } = useTyped(lines.join('\n'), (text) =>
    set(text.split('\n').filter((line) => line.trim() !== '')),
  );
  return (
    <>
      <textarea
        className={styles.lines}
        aria-label={label}
        placeholder="One on each line"
        spellCheck={false}
        rows={Math.min(6, lines.length + 2)}
        {...field}
      />
      <Problem text={problem} />
    </>
  );
}

const REDACT_LISTS = [
  ['patterns', 'My own patterns'],
  ['except', 'Patterns that stay readable'],
  ['exceptClients', 'Agents whose replies are not masked'],
  ['exceptSources', 'Folders and agents whose outputs are not masked'],
] as const;

function Redact({ value, set }: { value: RedactSetting; set: Set }) {
  const change = (part: Partial<RedactSetting>) => set({ ...value, ...part });
  return (
    <div className={styles.many}>
      <Switch
        label="Mask secrets for agents"
        text="In replies to agents"
        checked={value.mcp}
        onChange={(mcp) => change({ mcp })}
      />
      <Switch
        label="Mask secrets in copies"
        text="In what I copy and save"
        checked={value.copy}
        onChange={(copy) => change({ copy })}
      />
      {REDACT_LISTS.map(([field, label]) => (
        <Fragment key={field}>
          <span aria-hidden="true">{label}</span>
          <Lines label={label} lines={value[field]} set={(lines) => change({ [field]: lines as string[] })} />
        </Fragment>
      ))}
    </div>
  );
}

interface OwnSource {
  path: string;
  name?: string;
  pattern?: string;
  enabled?: boolean;
  mcp?: boolean;
}

interface SourcesProps {
  value: unknown;
  set: Set;
  showCaptures: () => void;
}

/** The person's own folders; the entries of agents' captures have a dialog of their own, and stay as they are. */
function Sources({ value, set, showCaptures }: SourcesProps) {
  const all = value as (string | OwnSource | { kind: string })[];
  const put = (index: number, next: OwnSource | null) =>
    set(all.flatMap((one, at) => (at === index ? (next ?? []) : one)));
  return (
    <div className={styles.many}>
      {all.map((one, index) => {
        if (typeof one === 'object' && 'kind' in one) return null;
        const source = typeof one === 'string' ? { path: one } : one;
        const { path, enabled = true, mcp = true } = source;
        return (
          <div key={path} className={styles.source}>
            <code>{path}</code>
            {(['name', 'pattern'] as const).map((field) => (
              <Typed
                key={field}
                label={`${field === 'name' ? 'Name' : 'Pattern'} of ${path}`}
                shown={source[field] ?? ''}
                placeholder={field === 'name' ? 'Its name in the list' : 'Its files, such as *.log'}
                set={(typed) => put(index, withField(source, field, typed.trim()))}
              />
            ))}
            <Switch
              label={`Watch ${path}`}
              text="Watch"
              checked={enabled}
              onChange={(on) => put(index, { ...source, enabled: on })}
            />
            <Switch
              label={`Agents may read ${path}`}
              text="Agents may read"
              checked={mcp}
              onChange={(on) => put(index, { ...source, mcp: on })}
            />
            <IconButton icon="close" label={`Remove ${path}`} onClick={() => put(index, null)} />
          </div>
        );
      })}
      <Typed
        label="Path of another folder"
        shown=""
        placeholder="Path of another folder, such as ~/logs"
        set={(path) => (path.trim() === '' ? Promise.resolve(null) : set([...all, path.trim()]))}
      />
      <Button onClick={showCaptures}>Agents’ captures</Button>
    </div>
  );
}

/** An empty text takes the field out. */
function withField(source: OwnSource, field: 'name' | 'pattern', text: string): OwnSource {
  const { [field]: _, ...others } = source;
  return text === '' ? others : { ...others, [field]: text };
}

const TIMES: readonly TimeColumn[] = ['off', 'time', 'since'];

/** Kept by this window, not in config.json. */
function WindowSettings() {
  const theme = useThemeChoice();
  const look = useStore(textLook);
  const text = useStore(textSettings);
  const isSmart = useStore(smartCase);
  const setSize = async (typed: string): Promise<string | null> => {
    const size = typed.trim() === '' ? TEXT_SIZE.default : Number(typed);
    if (!(size >= TEXT_SIZE.min && size <= TEXT_SIZE.max))
      return `Text size must be a number from ${TEXT_SIZE.min} to ${TEXT_SIZE.max}`;
    textLook.set({ ...textLook.get(), size });
    return null;
  };
  const setFont = async (font: string): Promise<null> => {
    textLook.set({ ...textLook.get(), font: font.trim() });
    return null;
  };
  const setTimes = (times: TimeColumn) => changeTextSettings({ times });
  return (
    <Group title="This window">
      <OwnRow label="Theme" value={theme} standard="system" set={chooseTheme}>
        <ChoiceMenu
          trigger={<Button opensMenu>{THEMES.find(({ value }) => value === theme)?.name}</Button>}
          choices={THEMES}
          chosen={theme}
          onChoose={chooseTheme}
        />
      </OwnRow>
      <OwnRow label="Text size" value={look.size} standard={TEXT_SIZE.default} set={() => setSize('')}>
        <Typed label="Text size" shown={String(look.size)} unit="pixels" set={setSize} />
      </OwnRow>
      <OwnRow label="Font" value={look.font} standard="" set={setFont}>
        <Typed label="Font" shown={look.font} placeholder="The system’s" set={setFont} />
      </OwnRow>
      {TEXT_SWITCHES.map(({ field, label }) => {
        const set = (on: boolean) => changeTextSettings({ [field]: on });
        return (
          <OwnRow key={field} label={label} value={text[field]} standard={USUAL_TEXT[field]} set={set}>
            <Switch label={label} checked={text[field]} onChange={set} />
          </OwnRow>
        );
      })}
      <OwnRow label="Case by the pattern" value={isSmart} standard={false} set={smartCase.set}>
        <Switch label="Case by the pattern" checked={isSmart} onChange={smartCase.set} />
      </OwnRow>
      <OwnRow label="Times" value={text.times} standard={USUAL_TEXT.times} set={setTimes}>
        <Words label="Times" words={TIMES} value={text.times} set={setTimes} />
      </OwnRow>
    </Group>
  );
}

interface OwnRowProps<V extends string | number | boolean> {
  label: string;
  value: V;
  standard: V;
  set: (value: V) => unknown;
  children: ReactNode;
}

function OwnRow<V extends string | number | boolean>({
  label,
  value,
  standard,
  set,
  children,
}: OwnRowProps<V>) {
  const rule = OF_WINDOW.find((each) => each.label === label)!;
  const onReset = value === standard ? undefined : () => void set(standard);
  return (
    <Row rule={{ default: standard, ...rule }} onReset={onReset}>
      {children}
    </Row>
  );
}

/** Makes each preference a destination of the palette, once something is typed. */
export function usePreferenceDestinations(show: (label: string) => void): void {
  usePaletteDestinations((query) =>
    query.trim() === ''
      ? []
      : [...OF_WINDOW, ...Object.values(SETTING_RULES)].map((rule: OwnRule) => ({
          id: `preference ${rule.label}`,
          text: `Preferences: ${rule.label}`,
          words: rule.also ?? rule.does,
          kind: 'Window',
          icon: 'switches',
          isAside: true,
          run: () => show(rule.label),
        })),
  );
}

const USUAL_TEXT = textSettingsFrom(null);

const TEXT_SWITCHES = [
  { field: 'wrap', label: 'Wrap long lines', does: 'break lines that are longer than the window' },
  { field: 'levels', label: 'Colour lines by level', does: 'mark errors and warnings in the text' },
  { field: 'json', label: 'JSON as message and fields', does: 'show lines of JSON in a readable form' },
] as const;

interface OwnRule {
  label: string;
  does: string;
  /** Other words that find it. */
  also?: string;
  /** The default, where a value does not say it. */
  usual?: string;
}

/** Preferences of this window. */
const OF_WINDOW: readonly OwnRule[] = [
  { label: 'Theme', does: 'light, dark, or as the system', also: 'dark light' },
  {
    ...{ label: 'Text size', does: 'size of the text', also: 'zoom bigger larger smaller font' },
    usual: `${TEXT_SIZE.default} pixels`,
  },
  {
    ...{ label: 'Font', does: 'a font with letters of equal width, by its name' },
    ...{ also: 'typeface monospace', usual: 'the system’s' },
  },
  {
    label: 'Case by the pattern',
    does: 'a typed pattern with a capital letter matches case, one without matches any; `Aa` changes it',
    also: 'smart sensitive',
  },
  { label: 'Times', does: 'when each line came, or how long after the line before', also: 'timestamps' },
  ...TEXT_SWITCHES,
];
