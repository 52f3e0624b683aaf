import { and, asc, eq, isNull, ne } from "drizzle-orm";
import fc from "fast-check";
import postgres from "postgres";
import { afterAll, expect, it } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { scenarioRuns, scenarios } from "#db/schema/scenarios";
import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { createScenario } from "#lib/domain/scenarios/create-scenario";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { DomainError } from "#lib/platform/errors/domain-error";
import { beginAttempt } from "#lib/platform/jobs/begin-attempt";
import { endJob } from "#lib/platform/jobs/end-job";
import { internalFailure } from "#server/worker/failures";
import { createProject, testContext } from "#testing/api";
import { type Deed, emptyWorld, isSomeOrder, perform, type World } from "#testing/checkpoint-model";
import { checkInvariants } from "#testing/invariants";
import { createModel } from "#testing/model-factory";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere, runJobsHere } from "#testing/run-jobs";
import { base64 } from "#testing/scenario-factory";
import { createCheckpoint } from "./create-checkpoint.ts";
import { deleteCheckpoint } from "./delete-checkpoint.ts";
import { updateCheckpoint } from "./update-checkpoint.ts";

const { db, url } = await createTestDatabase();
// One connection for the checks: planning them takes longer than running them, on each connection.
const checks = postgres(url, { max: 1 });
afterAll(() => checks.end());
const ctx = testContext();
const fileData = base64("temp,wind\n1,2\n");

/** A real project, with the map from the model's keys to ids and jobs. */
class Real {
  readonly projectId: string;
  readonly ids = new Map<string, string>();
  readonly jobs = new Map<string, string>();
  constructor(projectId: string) {
    this.projectId = projectId;
  }

  /** Performs the command on the service. Returns the error code, or null for success. */
  async perform(deed: Deed): Promise<string | null> {
    try {
      await this.#act(deed);
      return null;
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  }

  async #act(deed: Deed): Promise<void> {
    const { projectId } = this;
    const id = this.ids.get(deed.key)!;
    if (deed.kind === "create") {
      const { label, setAsDefault } = deed;
      const { checkpointId, jobId } = await createCheckpoint(ctx, { projectId, label, setAsDefault });
      this.#remember(deed.key, checkpointId, jobId);
    } else if (deed.kind === "complete") await runJobHere(this.jobs.get(deed.key)!);
    else if (deed.kind === "fail") await fail(this.jobs.get(deed.key)!);
    else if (deed.kind === "delete") await deleteCheckpoint(ctx, { projectId, checkpointId: id });
    else if (deed.kind === "update") {
      const { label, setAsDefault } = deed;
      await updateCheckpoint(ctx, { projectId, checkpointId: id, label, setAsDefault });
    } else if (deed.kind === "scenario") {
      const body = { title: deed.key, fileData, checkpointId: this.ids.get(deed.uses)! };
      this.ids.set(deed.key, (await createScenario(ctx, { projectId, ...body })).scenarioId);
    } else if (deed.kind === "scenario on a new one") {
      const body = { title: deed.key, fileData, checkpointLabel: deed.label };
      const made = await createScenario(ctx, { projectId, ...body });
      this.ids.set(deed.key, made.scenarioId);
      this.#remember(deed.makes, made.checkpointId, made.jobId);
    } else await deleteScenario(ctx, { projectId, scenarioId: id });
  }

  #remember(key: string, id: string, jobId: string): void {
    this.ids.set(key, id);
    this.jobs.set(key, jobId);
  }

  /** Returns the service's state in the model's terms. */
  async world(): Promise<unknown> {
    const { projectId } = this;
    const rows = await db
      .select()
      .from(checkpoints)
      .where(and(eq(checkpoints.projectId, projectId), ne(checkpoints.state, "deleting")))
      .orderBy(asc(checkpoints.createdAt), asc(checkpoints.id));
    const made = await db
      .select({ id: scenarios.id, checkpointId: scenarioRuns.checkpointId })
      .from(scenarios)
      .innerJoin(scenarioRuns, eq(scenarioRuns.id, scenarios.shownRunId))
      .where(and(eq(scenarios.projectId, projectId), isNull(scenarios.deletedAt)));
    return inWords(
      rows.map(({ id, label, state, isDefault }) => ({ id, label, ready: state === "ready", isDefault })),
      made.map(({ id, checkpointId }) => ({ id, uses: checkpointId })),
    );
  }

  modelled({ entries, defaultKey, scenarios: made }: World): unknown {
    const id = (key: string) => this.ids.get(key)!;
    return inWords(
      entries.map(({ key, label, ready }) => ({ id: id(key), label, ready, isDefault: key === defaultKey })),
      made.map(({ key, uses }) => ({ id: id(key), uses: uses && id(uses) })),
    );
  }
}

function inWords(rows: { id: string }[], made: { id: string }[]) {
  return { checkpoints: rows, scenarios: made.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}

/** Fails a job permanently. */
async function fail(jobId: string): Promise<void> {
  const job = await beginAttempt(db, jobId);
  if (job === null) return;
  const abandon = await abandonOf(job.type);
  await db.transaction((tx) => endJob(tx, job, internalFailure(job), abandon));
}

/** A generated command before its target is chosen. */
type Wish = { kind: Deed["kind"]; at: number; label: number; setAsDefault: boolean };

/** One command, or several concurrent ones. */
class Deeds implements fc.AsyncCommand<{ world: World; counter: number }, Real> {
  readonly wishes: readonly Wish[];
  constructor(wishes: readonly Wish[]) {
    this.wishes = wishes;
  }
  check = () => true;

  async run(model: { world: World; counter: number }, real: Real): Promise<void> {
    const deeds = this.wishes.flatMap((wish) => deedOf(model.world, wish, `${model.counter++}`) ?? []);
    const rejections = await Promise.all(deeds.map((deed) => real.perform(deed)));
    const found = await real.world();
    const done = deeds.map((deed, index) => ({ deed, rejection: rejections[index]! }));
    let end: World | undefined;
    const isEnd = (world: World) => {
      if (JSON.stringify(real.modelled(world)) !== JSON.stringify(found)) return false;
      end = world;
      return true;
    };
    const asModelled = isSomeOrder(model.world, done, isEnd);
    if (!asModelled) expect({ done, found }).toEqual(real.modelled(perform(model.world, deeds[0]!)[0]));
    model.world = end!;
    await checkInvariants(checks);
  }

  toString = () => JSON.stringify(this.wishes.map(({ kind, at, label }) => `${kind} ${at} ${label}`));
}

function deedOf({ entries, scenarios: made }: World, wish: Wish, counter: string): Deed | null {
  const { kind, at, setAsDefault } = wish;
  const label = `Label ${wish.label}`;
  // Prefers commands that have a target.
  const waits = kind === "complete" || kind === "fail";
  const apt = at % 5 === 0 ? entries : entries.filter(({ ready }) => ready !== waits);
  const key = apt[at % apt.length]?.key;
  const ownedByScenario = made.some(({ uses }) => uses === key);
  switch (kind) {
    case "create":
      return { kind, key: `c${counter}`, label, setAsDefault };
    case "scenario on a new one":
      return { kind, key: `s${counter}`, label, makes: `c${counter}` };
    case "delete scenario": {
      const scenario = made[at % made.length];
      return scenario === undefined ? null : { kind, key: scenario.key };
    }
    case "update":
      return key === undefined ? null : { kind, key, label, setAsDefault };
    case "scenario":
      return key === undefined ? null : { kind, key: `s${counter}`, uses: key };
    case "fail":
      // A scenario's job publishes its checkpoints before it completes, so the state may be partial.
      return key === undefined || ownedByScenario ? null : { kind, key };
    default:
      return key === undefined ? null : { kind, key };
  }
}

const wish = fc.record({
  kind: fc.oneof(
    ...(["create", "complete", "update", "delete"] as const).map((kind) => ({
      weight: 3,
      arbitrary: fc.constant(kind),
    })),
    ...(["fail", "scenario", "scenario on a new one", "delete scenario"] as const).map((kind) =>
      fc.constant(kind),
    ),
  ),
  at: fc.nat(30),
  label: fc.nat(30),
  setAsDefault: fc.boolean(),
});

/** Checks the invariants after each command of a sequence. */
async function follow(commands: Iterable<fc.AsyncCommand<{ world: World; counter: number }, Real>>) {
  const { id: projectId } = await createProject();
  await createModel({ projectId });
  const real = new Real(projectId);
  await fc.asyncModelRun(() => ({ model: { world: emptyWorld, counter: 0 }, real }), commands);
  await runJobsHere(projectId);
  await checkInvariants(checks);
  expect(await db.$count(jobs, and(eq(jobs.projectId, projectId), isNull(jobs.finishedAt)))).toBe(0);
}

/** `COMMAND_RUNS=100 npx vitest run default-rules` follows more sequences. */
const numRuns = Number(process.env.COMMAND_RUNS ?? 1);
/** Long sequences from the start. Reports the first failure unshrunk, because shrinking takes minutes. */
const options = { numRuns, unbiased: true, endOnFailure: true };

/** Each sequence has up to 100 commands and their jobs. */
const timeout = numRuns * 100_000;

it(
  "a project with checkpoints always has exactly one default after any sequence of commands",
  async () => {
    const one = wish.map((only) => new Deeds([only]));
    await fc.assert(fc.asyncProperty(fc.commands([one], { size: "max", maxCommands: 100 }), follow), options);
  },
  timeout,
);

it(
  "concurrent commands have the result of some sequential order",
  async () => {
    const several = fc.array(wish, { minLength: 2, maxLength: 4 }).map((wishes) => new Deeds(wishes));
    await fc.assert(
      fc.asyncProperty(fc.commands([several], { size: "max", maxCommands: 40 }), follow),
      options,
    );
  },
  timeout,
);
