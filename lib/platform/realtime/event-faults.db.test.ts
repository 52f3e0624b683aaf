import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { outboxEvents } from "#db/schema/jobs";
import { newId } from "#lib/platform/ids/new-id";
import { nodeOptions } from "#server/node-options";
import { type SinkAnswer, startEventSink } from "#testing/event-sink";
import { createTestDatabase } from "#testing/postgres";
import { publishEvent } from "./publish-event.ts";

// Relays are killed, and the channel dies in every way, while events are sent. The variables set how often, and the seed.
const issues = Number(process.env.EVENT_FAULTS ?? 5);
const seed = Number(process.env.EVENT_SEED ?? Date.now() % 2 ** 31);

const { db, url } = await createTestDatabase();
const projectIds = [newId(), newId(), newId()];

/** Publishes events of random projects in transactions that overlap and are rolled back at times, until it is aborted. */
async function publishUntil(signal: AbortSignal, random: () => number): Promise<void> {
  while (!signal.aborted) {
    const projectId = projectIds[Math.floor(random() * projectIds.length)]!;
    const rollsBack = random() < 0.1;
    const transaction = db.transaction(async (tx) => {
      for (let rest = 1 + Math.floor(random() * 3); rest > 0; rest--) {
        await publishEvent(tx, {
          projectId,
          name: "checkpoint-created",
          entityId: newId(),
          jobId: null,
          status: null,
          label: rollsBack ? "never" : "published",
        });
      }
      await delay(random() * 20);
      if (rollsBack) throw new Error("rolled back");
    });
    await (rollsBack ? expect(transaction).rejects.toThrow("rolled back") : transaction);
  }
}

test(
  `loses no event and keeps each project's order over ${issues} failures of channels and relays (seed ${seed})`,
  async () => {
    const random = fc.sample(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), {
      seed,
      numRuns: 1,
    })[0]!;
    const chance = () => random.next().value as number;
    const sink = await startEventSink();
    await sink.listen();
    const relays = new Map<string, ChildProcess>();
    const start = (name: string) => {
      const env = { ...process.env, RELAY_ORDER: JSON.stringify({ url, settings: sink.settings(name) }) };
      const program = path.resolve(import.meta.dirname, "../../../testing/relay-process.ts");
      relays.set(name, fork(program, { env, silent: true, execArgv: nodeOptions }));
    };
    for (const name of ["one", "two"]) start(name);
    const stopPublishing = new AbortController();
    const publishing = Array.from({ length: 3 }, () => publishUntil(stopPublishing.signal, chance));
    const soon = { interval: 5, timeout: 120_000 };
    const progress = async (count: number) => {
      const [taken, calls] = [sink.taken.length, sink.calls.length];
      await expect
        .poll(() => sink.taken.length > taken && sink.calls.length >= calls + count, soon)
        .toBe(true);
    };
    const deaths: Record<string, () => Promise<void>> = {
      async "a relay dies between sending and marking"() {
        const dead = new Promise<string>((resolve) => {
          sink.answer(({ appId }) => {
            relays.get(appId)!.kill("SIGKILL");
            resolve(appId);
            return "taken, then cut off";
          });
        });
        const name = await dead;
        sink.answer(200);
        await once(relays.get(name)!, "exit");
        start(name);
      },
      async "both relays die at any moment"() {
        for (const [name, relay] of [...relays]) {
          relay.kill("SIGKILL");
          await once(relay, "exit");
          start(name);
        }
      },
      async "the channel is down for a while"() {
        await sink.close();
        await delay(chance() * 200);
        await sink.listen();
      },
      async "the channel takes events and its answer is lost"() {
        await failing("taken, then cut off");
      },
      async "the channel fails"() {
        await failing([500, 429, 401, 413, 301][Math.floor(chance() * 5)]!);
      },
    };
    async function failing(answer: SinkAnswer): Promise<void> {
      const calls = sink.calls.length;
      sink.answer(answer);
      await expect.poll(() => sink.calls.length, soon).toBeGreaterThan(calls);
      sink.answer(200);
    }

    try {
      const names = Object.keys(deaths);
      for (let issue = 0; issue < issues; issue++) {
        await progress(2);
        await deaths[names[issue < names.length ? issue : Math.floor(chance() * names.length)]!]!();
      }
      stopPublishing.abort();
      await Promise.all(publishing);
      const rows = await db.select().from(outboxEvents).orderBy(outboxEvents.sequence);
      const published = rows.map(({ payload }) => payload);
      await expect
        .poll(() => new Set(sink.taken.map(({ eventId }) => eventId)).size, soon)
        .toBe(published.length);

      const first = new Map(sink.taken.toReversed().map((payload) => [payload.eventId, payload]));
      const heard = [...new Set(sink.taken.map(({ eventId }) => eventId))].map((id) => first.get(id)!);
      for (const id of projectIds) {
        const ofProject = ({ projectId }: { projectId: string }) => projectId === id;
        expect(heard.filter(ofProject)).toEqual(published.filter(ofProject));
      }
      const again = sink.taken.length - heard.length;
      console.log(
        `${issues} failures: ${published.length} events published, 0 lost, ${again} delivered again`,
      );
    } finally {
      stopPublishing.abort();
      for (const relay of relays.values()) relay.kill("SIGKILL");
      await sink.close();
    }
  },
  300_000 + issues * 10_000,
);
