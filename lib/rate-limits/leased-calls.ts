import type { Database } from "#db/client";
import { takeCalls } from "#lib/platform/rate-limits/count-call";
import { cost, type Rate, type Verdict, verdict } from "#lib/platform/rate-limits/rate";
import { Holding } from "./holding.ts";

/** For how long a process takes events ahead. */
const holdMs = 50;
const mostSubjects = 10_000;

type Waiter = { resolve: (verdict: Verdict) => void; reject: (error: unknown) => void };

type Subject = {
  holding: Holding | null;
  /** What was taken ahead before the holding is used up, so that nobody waits for the next. */
  next: Holding | null;
  renewing: boolean;
  waiting: Waiter[];
  asking: boolean;
  /** Since when, and how many have come: what the next ones are guessed by. */
  sinceMs: number;
  came: number;
};

const shared = globalThis as typeof globalThis & { leasedCalls?: WeakMap<Database, LeasedCalls> };

/** This process's counts of events over a database. */
export function leasedCalls(db: Database): LeasedCalls {
  shared.leasedCalls ??= new WeakMap();
  let calls = shared.leasedCalls.get(db);
  if (calls === undefined) {
    calls = new LeasedCalls(db);
    shared.leasedCalls.set(db, calls);
  }
  return calls;
}

/**
 * Counts events across all processes as `countCall` does, with fewer statements: those that come while the database is
 * asked share the next question, and where a subject's events come fast and its limit is far off, some are taken ahead.
 * The limit is never exceeded, and reached to the last event where it is 100 at once or fewer.
 */
export class LeasedCalls {
  readonly #db: Database;
  readonly #subjects = new Map<string, Subject>();

  constructor(db: Database) {
    this.#db = db;
  }

  async count(name: string, rate: Rate): Promise<Verdict> {
    const nowMs = performance.now();
    const subject = this.#subject(name, nowMs);
    subject.came++;
    if (subject.waiting.length === 0) {
      const ahead = spend(subject, nowMs);
      if (ahead !== null) {
        if (subject.holding!.isLow && subject.next === null && !subject.renewing)
          void this.#renew(name, subject, rate);
        return verdict(rate, true, ahead);
      }
    }
    const { promise, resolve, reject } = Promise.withResolvers<Verdict>();
    subject.waiting.push({ resolve, reject });
    if (!subject.asking) void this.#ask(name, subject, rate);
    return promise;
  }

  async #ask(name: string, subject: Subject, rate: Rate): Promise<void> {
    subject.asking = true;
    while (subject.waiting.length > 0) {
      const nowMs = performance.now();
      // What came while the database was asked may find something left.
      spendHeld(subject, rate, nowMs);
      const waiting = subject.waiting.splice(0);
      if (waiting.length === 0) break;
      try {
        await this.#take(name, subject, rate, waiting);
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    }
    subject.asking = false;
  }

  async #take(name: string, subject: Subject, rate: Rate, waiting: Waiter[]): Promise<void> {
    const { holding, grant } = await this.#hold(name, subject, rate, waiting.length);
    subject.holding = holding;
    for (const { resolve } of waiting) {
      const ahead = holding.spendForWaiting();
      resolve(verdict(rate, ahead !== null, ahead ?? grant.aheadSeconds));
    }
  }

  /** Beside those who spend what is left; where it fails, somebody will ask and be told. */
  async #renew(name: string, subject: Subject, rate: Rate): Promise<void> {
    subject.renewing = true;
    const held = await this.#hold(name, subject, rate, 0).catch(() => null);
    subject.renewing = false;
    if (held !== null && held.grant.granted > 0) subject.next = held.holding;
  }

  async #hold(name: string, subject: Subject, rate: Rate, waiting: number) {
    const nowMs = performance.now();
    const likely = nextEvents(subject, nowMs);
    subject.sinceMs = nowMs;
    subject.came = 0;
    const lasting = Math.ceil(holdMs / 1000 / cost(rate));
    const grant = await takeCalls(this.#db, name, rate, { waiting, likely, lasting });
    return { holding: new Holding(rate, grant, nowMs), grant };
  }

  #subject(name: string, nowMs: number): Subject {
    const known = this.#subjects.get(name);
    const subject = known ?? newSubject(nowMs);
    // Written last, so that the first in the map is the one that was longest without an event.
    this.#subjects.delete(name);
    this.#subjects.set(name, subject);
    if (this.#subjects.size > mostSubjects) this.#forgetOldest();
    return subject;
  }

  /** What it held is lost, and those who wait are still answered. */
  #forgetOldest(): void {
    for (const name of this.#subjects.keys()) {
      this.#subjects.delete(name);
      return;
    }
  }
}

const newSubject = (nowMs: number): Subject => ({
  holding: null,
  next: null,
  renewing: false,
  waiting: [],
  asking: false,
  sinceMs: nowMs,
  came: 0,
});

function spendHeld(subject: Subject, rate: Rate, nowMs: number): void {
  while (subject.waiting.length > 0) {
    const ahead = spend(subject, nowMs);
    if (ahead === null) return;
    subject.waiting.shift()!.resolve(verdict(rate, true, ahead));
  }
}

function spend(subject: Subject, nowMs: number): number | null {
  const ahead = subject.holding?.spend(nowMs) ?? null;
  if (ahead !== null || subject.next === null) return ahead;
  subject.holding = subject.next;
  subject.next = null;
  return subject.holding.spend(nowMs);
}

/** How many are likely to come in that time. */
function nextEvents({ came, sinceMs }: Subject, nowMs: number): number {
  return Math.floor((came * holdMs) / Math.max(1, nowMs - sinceMs));
}
