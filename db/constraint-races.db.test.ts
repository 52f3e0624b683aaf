import { beforeAll, expect, it } from "vitest";
import { newId } from "#lib/platform/ids/new-id";
import { insertUser } from "#lib/users/insert-user";
import { createProject } from "#testing/api";
import { atOnce, createStorm, writers } from "#testing/concurrent-load";
import { findViolations } from "#testing/invariants";
import { copy, createFacts, type Facts, insertChunk, newScenario, set } from "#testing/violations/facts";

const { db, sql } = await createStorm();

/** What each of many transactions at once, past all code, was told: how often "done", how often which constraint. */
async function allAtOnce(statements: readonly string[]): Promise<Record<string, number>> {
  const told: Record<string, number> = {};
  await atOnce(statements.length, async (index) => {
    const answer = await sql
      .begin((tx) => tx.unsafe(statements[index]!))
      .then(
        () => "done",
        (error: { constraint_name?: string }) => error.constraint_name ?? String(error),
      );
    told[answer] = (told[answer] ?? 0) + 1;
  });
  return told;
}

let facts: Facts;
beforeAll(async () => {
  facts = await createFacts();
});

const pairs = Array.from({ length: writers / 2 });

it("of opposite dependencies at once the database takes one", async () => {
  const ids = (await atOnce(writers, () => createProject())).map(({ id }) => id);
  const told = await allAtOnce(
    ids.map(
      (id, index) => `insert into project_dependencies values ('${id}', '${ids[index ^ 1]}', 'predicted')`,
    ),
  );
  expect(told).toEqual({ done: writers / 2, project_dependencies_form_no_cycle: writers / 2 });
});

it("of a ring of dependencies at once the database leaves one out", async () => {
  const ids = (await atOnce(writers, () => createProject())).map(({ id }) => id);
  const told = await allAtOnce(
    ids.map(
      (id, index) =>
        `insert into project_dependencies values ('${id}', '${ids[(index + 1) % writers]}', 'predicted')`,
    ),
  );
  expect(told).toEqual({ done: writers - 1, project_dependencies_form_no_cycle: 1 });
});

it("of a dependency and a deletion at once the database takes one", async () => {
  const used = await Promise.all(pairs.map(() => createProject()));
  const user = await createProject();
  const told = await allAtOnce(
    used.flatMap(({ id }) => [
      `insert into project_dependencies values ('${user.id}', '${id}', '${id}')`,
      set("projects", id, "deleted_at = now()"),
    ]),
  );
  expect(told.done).toBe(writers / 2);
  expect((told.project_dependencies_exist ?? 0) + (told.projects_leave_alone ?? 0)).toBe(writers / 2);
});

/** A checkpoint more in a project: its id, and the statement that inserts it. */
function reserve(projectId: string, changes: { slot: number; label?: string }) {
  const [id, folder_name] = [newId(), newId()];
  const artifact_key = `projects/${projectId}/checkpoints/${folder_name}`;
  const own = { id, project_id: projectId, model_id: null, label: id, folder_name, artifact_key };
  return [id, copy("checkpoints", facts.reserved, { ...own, ...changes })] as const;
}

/** The same, and it appears. */
function appear(projectId: string, { slot, isDefault = false }: { slot: number; isDefault?: boolean }) {
  const [id, insert] = reserve(projectId, { slot });
  return [id, `${insert}; ${set("checkpoints", id, `state = 'ready', is_default = ${isDefault}`)}`] as const;
}

it("of the default's deletion and another one's appearance at once the database takes one", async () => {
  const statements = await Promise.all(
    pairs.map(async () => {
      const { id: projectId } = await createProject();
      const [present, insertPresent] = appear(projectId, { slot: 1, isDefault: true });
      const [reserved, insertReserved] = reserve(projectId, { slot: 2 });
      await sql.unsafe(`${insertPresent}; ${insertReserved}`);
      return [
        set("checkpoints", present, "state = 'deleting', slot = null, is_default = false"),
        set("checkpoints", reserved, "state = 'ready'"),
      ];
    }),
  );
  const told = await allAtOnce(statements.flat());
  expect(told).toEqual({ done: writers / 2, checkpoints_require_default: writers / 2 });
});

it("of a checkpoint's deletion and its uses at once the database takes one or the others", async () => {
  for (let slot = 11; slot <= 20; slot++) {
    const [id, insert] = appear(facts.projectId, { slot });
    await sql.unsafe(insert);
    const { used } = facts;
    const uses = Array.from({ length: 5 }, () =>
      newScenario(facts, { checkpoint_id: id }, [used.projectId, used.checkpointId]),
    );
    const deletion = set("checkpoints", id, "state = 'deleting', slot = null");
    const told = await allAtOnce([...uses.slice(0, 2), deletion, ...uses.slice(2)]);
    expect([
      { done: 5, checkpoints_in_use: 1 },
      { done: 1, scenarios_checkpoint: 5 },
    ]).toContainEqual(told);
  }
});

it("of what can be given once — a place, a label, a retry — the database gives it once", async () => {
  const many = (statement: () => string) => Array.from({ length: writers }, statement);
  const { id } = await createProject();
  const places = many(() => reserve(id, { slot: 7 })[1]);
  expect(await allAtOnce(places)).toEqual({ done: 1, checkpoints_slot: writers - 1 });
  const { id: other } = await createProject();
  const labels = Array.from(
    { length: 20 },
    (_, index) => reserve(other, { slot: index + 1, label: "Same" })[1],
  );
  expect(await allAtOnce(labels)).toEqual({ done: 1, checkpoints_label: 19 });
  const retries = many(() => copy("jobs", facts.reservationJob, { retry_of: facts.cancelled }));
  expect(await allAtOnce(retries)).toEqual({ done: 1, jobs_retried_once: writers - 1 });
});

/** Scenarios whose jobs run, past all code: the ids of both. */
function runningScenarios(count: number): Promise<{ scenarioId: string; jobId: string }[]> {
  const { used } = facts;
  return atOnce(count, async () => {
    const [scenarioId, jobId] = [newId(), newId()];
    const own = { id: scenarioId, job_id: jobId };
    await sql.unsafe(newScenario(facts, own, [used.projectId, used.checkpointId]));
    await sql.unsafe(set("jobs", jobId, "status = 'Running', attempt = 1, started_at = now()"));
    return { scenarioId, jobId };
  });
}

const complete = (scenarioId: string, jobId: string) =>
  [
    set("scenarios", scenarioId, "row_count = 1, summary = '{}', input_key = 'input'"),
    insertChunk(scenarioId, "prediction"),
    set("jobs", jobId, "status = 'Completed', progress = 100, finished_at = now()"),
  ].join("; ");

it("of a scenario's completion and further predictions at once the database takes the completion", async () => {
  const running = await runningScenarios(pairs.length);
  const told = await allAtOnce(
    running.flatMap(({ scenarioId, jobId }) => [
      insertChunk(scenarioId, "timestamp"),
      complete(scenarioId, jobId),
    ]),
  );
  const {
    done,
    prediction_chunks_come_while_it_runs: late = 0,
    prediction_chunks_are_of_its_job: early = 0,
  } = told;
  expect({ done, refused: late + early }).toEqual({ done: pairs.length, refused: pairs.length });
});

it("of a scenario's completion and its predictions' removal at once nothing is lost", async () => {
  const running = await runningScenarios(pairs.length);
  const told = await allAtOnce(
    running.flatMap(({ scenarioId, jobId }) => [
      complete(scenarioId, jobId),
      `delete from prediction_chunks where scenario_id = '${scenarioId}'`,
    ]),
  );
  // Who comes first finds nothing to remove.
  expect((told.done ?? 0) + (told.prediction_chunks_stay ?? 0)).toBe(writers);
  const ids = running.map(({ scenarioId }) => scenarioId);
  const [row] = await sql`select count(*)::int from prediction_chunks where scenario_id in ${sql(ids)}`;
  expect(row).toEqual({ count: pairs.length });
});

it("of a scenario's completions at once the database takes one", async () => {
  const [one] = await runningScenarios(1);
  const told = await allAtOnce(Array(writers).fill(complete(one!.scenarioId, one!.jobId)));
  expect(told).toEqual({ done: 1, prediction_chunks_scenario_id_series_chunk_pk: writers - 1 });
});

it("of a scenario's retries at once the database takes one, which is the scenario's job", async () => {
  const statements = Array.from({ length: writers }, () => {
    const id = newId();
    const anew = { id, status: "Pending", finished_at: null, retry_of: facts.unmadeJob };
    return `${set("scenarios", facts.unmadeScenario, `job_id = '${id}'`)}; ${copy("jobs", facts.unmadeJob, anew)}`;
  });
  const told = await allAtOnce(statements);
  expect(told).toEqual({ done: 1, jobs_retried_once: writers - 1 });
});

it("of a job's models at once the database takes one", async () => {
  const models = Array.from({ length: writers }, () =>
    copy("models", facts.modelId, { job_id: facts.removal }),
  );
  expect(await allAtOnce(models)).toEqual({ done: 1, models_of_job: writers - 1 });
});

it("of one address, however it is written, the database takes one", async () => {
  const spellings = ["ann@example.com", "Ann@Example.com", "ANN@EXAMPLE.COM"];
  const members = Array.from({ length: writers }, (_, index) =>
    copy('"user"', facts.admin, { email: spellings[index % 3]! }),
  );
  const third = writers / 3;
  expect(await allAtOnce(members)).toEqual({
    done: 1,
    user_email_unique: third - 1,
    user_email_lower: 2 * third,
  });
});

it("of members who are all admins the database keeps one who can sign in", async () => {
  await sql`delete from "user"`;
  const admins = await atOnce(writers, (index) =>
    insertUser(db, {
      name: "Ada",
      email: `${index}@example.com`,
      password: "correct horse battery",
      role: "admin",
    }),
  );
  const deeds = ["role = 'analyst'", "disabled_at = now()"];
  const told = await allAtOnce(
    admins.map(({ id }, index) =>
      index % 3 === 2 ? `delete from "user" where id = '${id}'` : set('"user"', id, deeds[index % 3]!),
    ),
  );
  expect(told).toEqual({ done: writers - 1, user_keep_an_admin: 1 });
  expect((await findViolations(sql)).map(({ invariant }) => invariant)).not.toContain(
    "where there are members, one of them is an admin who can sign in",
  );
});
