import { expect, it } from "vitest";
import { newId } from "#lib/platform/ids/new-id";
import { createProject, createUser } from "#testing/api";
import { atOnce, createStorm, writers } from "#testing/concurrent-load";
import { findViolations } from "#testing/invariants";
import { copy, createFacts, insertChunk, newScenario, set } from "#testing/violations/facts";

const { sql } = await createStorm();

/** Runs SQL transactions concurrently. Returns the counts of "done" and of each violated constraint. */
async function allAtOnce(statements: readonly string[]): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  await atOnce(statements.length, async (index) => {
    const outcome = await sql
      .begin((tx) => tx.unsafe(statements[index]!))
      .then(
        () => "done",
        (error: { constraint_name?: string }) => error.constraint_name ?? String(error),
      );
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  });
  return outcomes;
}

const facts = await createFacts();

const pairs = Array.from({ length: writers / 2 });

it("accepts one of two concurrent dependencies in opposite directions", async () => {
  const ids = (await atOnce(writers, () => createProject())).map(({ id }) => id);
  const outcomes = await allAtOnce(
    ids.map(
      (id, index) => `insert into project_dependencies values ('${id}', '${ids[index ^ 1]}', 'predicted')`,
    ),
  );
  expect(outcomes).toEqual({ done: writers / 2, project_dependencies_form_no_cycle: writers / 2 });
});

it("rejects one of several concurrent dependencies that would form a cycle", async () => {
  const ids = (await atOnce(writers, () => createProject())).map(({ id }) => id);
  const outcomes = await allAtOnce(
    ids.map(
      (id, index) =>
        `insert into project_dependencies values ('${id}', '${ids[(index + 1) % writers]}', 'predicted')`,
    ),
  );
  expect(outcomes).toEqual({ done: writers - 1, project_dependencies_form_no_cycle: 1 });
});

it("accepts either a dependency or the concurrent deletion of the upstream project", async () => {
  const used = await Promise.all(pairs.map(() => createProject()));
  const user = await createProject();
  const outcomes = await allAtOnce(
    used.flatMap(({ id }) => [
      `insert into project_dependencies values ('${user.id}', '${id}', '${id}')`,
      set("projects", id, "deleted_at = now()"),
    ]),
  );
  expect(outcomes.done).toBe(writers / 2);
  expect(
    (outcomes.project_dependencies_exist ?? 0) + (outcomes.projects_deleted_without_dependencies ?? 0),
  ).toBe(writers / 2);
});

/** Returns the id of a further reserved checkpoint and the statement that inserts it. */
function reserve(projectId: string, changes: { slot: number; label?: string }) {
  const [id, folder_name] = [newId(), newId()];
  const artifact_key = `projects/${projectId}/checkpoints/${folder_name}`;
  const own = { id, project_id: projectId, model_id: null, label: id, folder_name, artifact_key };
  return [id, copy("checkpoints", facts.reserved, { ...own, ...changes })] as const;
}

/** Returns the id of a further ready checkpoint and the statements that insert it. */
function publish(projectId: string, { slot, isDefault = false }: { slot: number; isDefault?: boolean }) {
  const [id, insert] = reserve(projectId, { slot });
  return [id, `${insert}; ${set("checkpoints", id, `state = 'ready', is_default = ${isDefault}`)}`] as const;
}

it("accepts either the deletion of the default checkpoint or the concurrent publication of another", async () => {
  const statements = await Promise.all(
    pairs.map(async () => {
      const { id: projectId } = await createProject();
      const [present, insertPresent] = publish(projectId, { slot: 1, isDefault: true });
      const [reserved, insertReserved] = reserve(projectId, { slot: 2 });
      await sql.unsafe(`${insertPresent}; ${insertReserved}`);
      return [
        set("checkpoints", present, "state = 'deleting', slot = null, is_default = false"),
        set("checkpoints", reserved, "state = 'ready'"),
      ];
    }),
  );
  const outcomes = await allAtOnce(statements.flat());
  expect(outcomes).toEqual({ done: writers / 2, checkpoints_require_default: writers / 2 });
});

it("accepts either the deletion of a checkpoint or concurrent scenarios that use it", async () => {
  for (let slot = 11; slot <= 20; slot++) {
    const [id, insert] = publish(facts.projectId, { slot });
    await sql.unsafe(insert);
    const { used } = facts;
    const uses = Array.from({ length: 5 }, () =>
      newScenario(facts, { checkpoint_id: id }, [used.projectId, used.checkpointId]),
    );
    const deletion = set("checkpoints", id, "state = 'deleting', slot = null");
    const outcomes = await allAtOnce([...uses.slice(0, 2), deletion, ...uses.slice(2)]);
    expect([
      { done: 5, checkpoints_in_use: 1 },
      { done: 1, scenario_runs_checkpoint: 5 },
    ]).toContainEqual(outcomes);
  }
});

it("accepts one of many concurrent uses of a slot, a label and a retry", async () => {
  const many = (statement: () => string) => Array.from({ length: writers }, statement);
  const { id } = await createProject();
  const slots = many(() => reserve(id, { slot: 7 })[1]);
  expect(await allAtOnce(slots)).toEqual({ done: 1, checkpoints_slot: writers - 1 });
  const { id: other } = await createProject();
  const labels = Array.from(
    { length: 20 },
    (_, index) => reserve(other, { slot: index + 1, label: "Same" })[1],
  );
  expect(await allAtOnce(labels)).toEqual({ done: 1, checkpoints_label: 19 });
  const retries = many(() => copy("jobs", facts.reservationJob, { retry_of: facts.cancelled }));
  expect(await allAtOnce(retries)).toEqual({ done: 1, jobs_retried_once: writers - 1 });
});

/** Creates scenarios with running jobs by plain SQL. Returns the ids of both. */
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
    set(
      "scenario_runs",
      scenarioId,
      "row_count = 1, summary = '{}', input_key = 'input', completed_at = now()",
    ),
    insertChunk(scenarioId, "prediction"),
    set("jobs", jobId, "status = 'Completed', progress = 100, finished_at = now()"),
  ].join("; ");

it("accepts the completion of a scenario and rejects concurrent further predictions", async () => {
  const running = await runningScenarios(pairs.length);
  const outcomes = await allAtOnce(
    running.flatMap(({ scenarioId, jobId }) => [
      insertChunk(scenarioId, "timestamp"),
      complete(scenarioId, jobId),
    ]),
  );
  const {
    done,
    prediction_chunks_require_running_job: late = 0,
    prediction_chunks_require_completed_job: early = 0,
  } = outcomes;
  expect({ done, rejected: late + early }).toEqual({ done: pairs.length, rejected: pairs.length });
});

it("keeps the predictions of a scenario that completes during their deletion", async () => {
  const running = await runningScenarios(pairs.length);
  const outcomes = await allAtOnce(
    running.flatMap(({ scenarioId, jobId }) => [
      complete(scenarioId, jobId),
      `delete from prediction_chunks where run_id = '${scenarioId}'`,
    ]),
  );
  // A deletion before the completion succeeds, because it finds no rows.
  expect((outcomes.done ?? 0) + (outcomes.prediction_chunks_never_change ?? 0)).toBe(writers);
  const ids = running.map(({ scenarioId }) => scenarioId);
  const [row] = await sql`select count(*)::int from prediction_chunks where run_id in ${sql(ids)}`;
  expect(row).toEqual({ count: pairs.length });
});

it("accepts one of many concurrent completions of a scenario", async () => {
  const [one] = await runningScenarios(1);
  const outcomes = await allAtOnce(Array(writers).fill(complete(one!.scenarioId, one!.jobId)));
  expect(outcomes).toEqual({ done: 1, scenario_runs_fixed_columns: writers - 1 });
});

it("accepts one of many concurrent retries of a scenario", async () => {
  const statements = Array.from({ length: writers }, () => {
    const id = newId();
    const retry = { id, status: "Pending", finished_at: null, retry_of: facts.unmadeJob };
    return `${set("scenario_runs", facts.unmadeScenario, `job_id = '${id}'`)}; ${copy("jobs", facts.unmadeJob, retry)}`;
  });
  const outcomes = await allAtOnce(statements);
  expect(outcomes).toEqual({ done: 1, jobs_retried_once: writers - 1 });
});

it("accepts one of many concurrent models of a job", async () => {
  const models = Array.from({ length: writers }, () =>
    copy("models", facts.modelId, { job_id: facts.removal }),
  );
  expect(await allAtOnce(models)).toEqual({ done: 1, models_of_job: writers - 1 });
});

it("accepts one of many concurrent users with the same email address in any case", async () => {
  const spellings = ["ann@example.com", "Ann@Example.com", "ANN@EXAMPLE.COM"];
  const third = Math.floor(writers / 3);
  const members = Array.from({ length: 3 * third }, (_, index) =>
    copy('"user"', facts.admin, { email: spellings[index % 3]! }),
  );
  expect(await allAtOnce(members)).toEqual({
    done: 1,
    user_email_unique: third - 1,
    user_email_lower: 2 * third,
  });
});

it("keeps one admin who can sign in when all admins are removed concurrently", async () => {
  await sql`delete from "user"`;
  const admins = await atOnce(writers, () => createUser());
  const changes = ["role = 'analyst'", "disabled_at = now()"];
  const outcomes = await allAtOnce(
    admins.map(({ id }, index) =>
      index % 3 === 2 ? `delete from "user" where id = '${id}'` : set('"user"', id, changes[index % 3]!),
    ),
  );
  expect(outcomes).toEqual({ done: writers - 1, user_keep_an_admin: 1 });
  expect((await findViolations(sql)).map(({ invariant }) => invariant)).not.toContain(
    "where there are members, one of them is an admin who can sign in",
  );
});
