import { expect, test } from "vitest";
import { methods } from "#lib/api/route-declaration";
import { eventNames } from "#lib/contract/channel";
import { listRecords, type Records } from "#lib/platform/audit/event-of-action";
import { catalogue } from "#lib/platform/jobs/catalogue";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { type Caller, callRoute, nobody } from "#testing/api";
import type { RouteAnswer } from "#testing/call-route";
import { furtherCalls } from "#testing/further-calls";
import { createNeighbours } from "#testing/neighbours";
import { observeWrites, type Write, writtenAlone } from "#testing/observe-writes";
import { createTestDatabase } from "#testing/postgres";
import { type CallParts, type RouteCase, routeCases } from "#testing/route-cases";
import { runJobHere } from "#testing/run-jobs";
import { validCalls } from "#testing/valid-calls";
import { documentedRoutes } from "../../app/api/v1/documented-routes.ts";

// The declarations of routes and jobs list what they write to the audit log and to the channel. Each is played here.

const { sql } = await createTestDatabase();
const cases = (await routeCases()).filter(({ changes }) => changes);
const writesDuring = await observeWrites(sql);
/** Before others, because it creates the first user. */
const setUp = cases.find(({ handler }) => handler.declaration.operationId === "createFirstAdmin")!;
const setUpPlay = await play(setUp, await validCalls[setUp.name]!({} as never), nobody);
const world = await createNeighbours();

/** Records of a declaration that a play has written: by its name, such as a route or the type of a job. */
const seen = new Map<string, Set<string>>();
const expected = new Map<string, Records | undefined>([
  ...cases.map(({ name, handler }) => [name, handler.declaration.records] as const),
  ...Object.entries(catalogue).map(([type, { records }]) => [type, records] as const),
]);

async function play(item: RouteCase, parts: CallParts, as: Caller) {
  let answer: RouteAnswer | undefined;
  const writes = await writesDuring(async () => {
    answer = await callRoute(item.handler, { ...item.call(parts), as });
  });
  expect([item.name, answer!.status < 300, answer!.error]).toEqual([item.name, true, undefined]);
  return { answer: answer!, writes };
}

/** Runs the job of an answer, if it has one. */
async function playJob({ status, data }: RouteAnswer): Promise<{ job: JobRow; writes: Write[] } | null> {
  const { jobId } = (data ?? {}) as { jobId?: string };
  if (status !== 202 || jobId === undefined) return null;
  let job: JobRow | undefined;
  const writes = await writesDuring(async () => {
    job = await runJobHere(jobId);
  });
  return { job: job!, writes };
}

/** Compares what was written with the records of a declaration. */
function check(name: string, writes: readonly Write[]): void {
  const records = listRecords(expected.get(name) ?? []);
  const written = new Set(writes.flatMap(({ what }) => what ?? []));
  const unexpected = [...written].filter((what) => records.every((record) => record.name !== what));
  const missing = records.filter((record) => record.always && !written.has(record.name));
  expect({ name, missing, unexpected, alone: writtenAlone(writes) }).toEqual({
    name,
    missing: [],
    unexpected: [],
    alone: [],
  });
  seen.set(name, new Set([...(seen.get(name) ?? []), ...written]));
}

test("every method but GET declares what it writes", async () => {
  const declared: [name: string, isDeclared: boolean][] = [];
  for (const [path, load] of Object.entries(documentedRoutes)) {
    const module = await load();
    for (const method of methods) {
      const handler = module[method];
      if (handler) declared.push([`${method} ${path}`, handler.declaration.records !== undefined]);
    }
  }
  expect(declared).toEqual(declared.map(([name]) => [name, !name.startsWith("GET ")]));
});

test(`${setUp.name} writes what it declares, with its change`, () => check(setUp.name, setUpPlay.writes));

// The plays create projects and train models.
test.for(cases.filter((item) => item !== setUp).map((item) => [item.name, item] as const))(
  "%s writes what it declares, with its change, and so does its job",
  { timeout: 60_000 },
  async ([name, item]) => {
    for (const makeCall of [validCalls[name]!, ...(furtherCalls[name] ?? [])]) {
      const { answer, writes } = await play(item, await makeCall(world.own), world.admin);
      check(name, writes);
      const played = await playJob(answer);
      if (played?.job.status === "Completed") check(played.job.type, played.writes);
    }
  },
);

test("plays wrote each declared record, completed each kind of job, and published each event", () => {
  const never = [...expected].flatMap(([name, records]) =>
    listRecords(records ?? [])
      .filter((record) => !seen.get(name)?.has(record.name))
      .map((record) => `${name}: ${record.name}`),
  );
  expect(never).toEqual([]);
  const published = new Set([...seen.values()].flatMap((written) => [...written]));
  // Only failing jobs publish it.
  expect(eventNames.filter((name) => !published.has(name))).toEqual(["scenario-failed"]);
});
