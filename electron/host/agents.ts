/**
 * Records the MCP calls of this process's agents in `run/agents-<pid>.json`, for the window. Only this process
 * writes the file. It stays for a day after the process ends, unless there were no calls.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Read } from '../../shared/activity.ts';
import { type AgentCall, AgentRecord } from '../../shared/agents.ts';
import { usualSecrets } from '../../shared/secrets/mask.ts';
import { isAlive, Owner, thisProcess } from '../store/format/owner.ts';
import { replaceFile } from '../store/format/small-file.ts';
import { ActivityLog } from './activity.ts';

/** Most calls to keep for one agent. */
const MAX_CALLS = 100;
/** Most agents to keep for one process. */
const MAX_AGENTS = 50;
/** Changes within this time are written together. */
const WRITE_AFTER_MS = 300;
const KEPT_MS = 24 * 60 * 60 * 1000;
const MAX_WHAT_CHARS = 200;

const Journal = z.object({ version: z.literal(1), owner: Owner, agents: z.array(AgentRecord) });

export interface AgentEntry {
  /** Sets the client and its current session. */
  is(facts: { client?: AgentRecord['client']; session?: string }): void;
  /** Begins a call, whose words are masked; the returned function ends it. */
  call(
    tool: string,
    what: string,
    artifactId: string | null,
    /** On the clock of `performance`; now by default. */
    begunMs?: number,
  ): (end: { ok: boolean; artifactId?: string | null; reads?: readonly Read[]; bytes?: number }) => void;
  left(): void;
}

export class AgentJournal {
  readonly #file: string;
  readonly #log: ActivityLog;
  readonly #owner = thisProcess();
  #agents: AgentRecord[] = [];
  #count = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(home: string) {
    const run = join(home, 'run');
    this.#log = new ActivityLog(home);
    this.#file = join(run, `agents-${process.pid}.json`);
    try {
      mkdirSync(run, { recursive: true, mode: 0o700 });
    } catch {
      // Only the window's view of agents needs it.
    }
    removeStale(run);
  }

  begin(transport: AgentRecord['transport'], session: string): AgentEntry {
    this.#count += 1;
    const record: AgentRecord = {
      id: this.#count,
      transport,
      client: null,
      session,
      connected_at: now(),
      left_at: null,
      call_count: 0,
      calls: [],
    };
    this.#agents.push(record);
    this.#trim();
    this.#changed();
    return {
      is: (facts) => {
        Object.assign(record, facts);
        this.#changed();
      },
      call: (tool, what, artifactId, begunMs = performance.now()) => {
        const at = new Date(Date.now() - (performance.now() - begunMs)).toISOString();
        const call: AgentCall = {
          ...{ at, tool: shown(tool), what: shown(what), artifact_id: artifactId && shown(artifactId) },
          ...{ ok: null, duration_ms: null },
        };
        record.calls.push(call);
        if (record.calls.length > MAX_CALLS) record.calls.shift();
        record.call_count += 1;
        this.#changed();
        return ({ ok, artifactId: made = call.artifact_id, reads = [], bytes = 0 }) => {
          const duration_ms = Math.round(performance.now() - begunMs);
          const { client } = record;
          this.#log.add({
            ...{
              at: call.at,
              agent: client && `${client.name} ${client.version}`.trim(),
              session: record.session,
            },
            ...{ connection: `${process.pid}.${record.id}`, tool: call.tool, what: call.what },
            ...{ reads: [...reads], bytes, duration_ms, ok },
          });
          Object.assign(call, { ok, duration_ms, artifact_id: made });
          this.#changed();
        };
      },
      left: () => {
        record.left_at = now();
        this.#changed();
      },
    };
  }

  /** Writes pending calls; removes the file if no agent called anything. */
  close(): void {
    this.#log.close();
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#write();
    }
    if (this.#agents.every(({ call_count }) => call_count === 0)) rmSync(this.#file, { force: true });
  }

  /** Drops disconnected agents first, and among them the ones without calls. */
  #trim(): void {
    while (this.#agents.length > MAX_AGENTS) {
      const idle = this.#agents.find(({ left_at, call_count }) => left_at !== null && call_count === 0);
      const goes = idle ?? this.#agents.find(({ left_at }) => left_at !== null) ?? this.#agents[0];
      this.#agents = this.#agents.filter((agent) => agent !== goes);
    }
  }

  #changed(): void {
    this.#timer ??= setTimeout(() => this.#write(), WRITE_AFTER_MS).unref();
  }

  #write(): void {
    this.#timer = null;
    try {
      replaceFile(this.#file, JSON.stringify({ version: 1, owner: this.#owner, agents: this.#agents }));
    } catch {
      // Whatever needs the disk reports that it is full or gone.
    }
  }
}

/** Masks what an agent gave before it is cut: a part of a token is not known for one. */
function shown(text: string): string {
  return usualSecrets.mask(text).text.slice(0, MAX_WHAT_CHARS);
}

function journals(run: string): string[] {
  try {
    return readdirSync(run).filter((name) => /^agents-\d+\.json$/.test(name));
  } catch {
    return [];
  }
}

/** Removes the files of processes that ended without a call, or over a day ago. */
function removeStale(run: string): void {
  for (const name of journals(run)) {
    const path = join(run, name);
    try {
      const { mtimeMs } = statSync(path);
      if (Date.now() - mtimeMs > KEPT_MS || isEmptyAndEnded(path, mtimeMs)) rmSync(path);
    } catch {
      // Another process was quicker.
    }
  }
}

function isEmptyAndEnded(path: string, mtimeMs: number): boolean {
  const journal = Journal.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  if (journal === undefined || isAlive(journal.owner, () => mtimeMs)) return false;
  return journal.agents.every(({ call_count }) => call_count === 0);
}

function now(): string {
  return new Date().toISOString();
}
