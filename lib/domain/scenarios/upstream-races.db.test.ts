import { and, eq, inArray } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import { scenarios } from "#db/schema/scenarios";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { createKey, createProject, testContext } from "#testing/api";
import { atOnce, callInStorm, createStorm, tally, writers } from "#testing/concurrent-load";
import { createModel } from "#testing/model-factory";
import { base64, createScenario, postScenario, type TrainedProject } from "#testing/scenario-factory";
import { waitForLock } from "#testing/wait-for-lock";
import {
  DELETE as deleteCheckpoint,
  PUT as putCheckpoint,
} from "../../../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/route.ts";
import { DELETE as deleteScenario } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";

const storm = await createStorm();
const { db } = storm;

const fileData = base64("temp,wind\n1,2\n");

async function project(upstreamIds: readonly string[] = []): Promise<TrainedProject> {
  const { id: projectId } = await createProject();
  await createModel({ projectId });
  const dependencies = upstreamIds.map((id, index) => ({ projectId: id, featureName: `up${index}` }));
  await setDependencies(testContext(), { projectId, dependencies });
  return { projectId, as: await createKey({ projectId }) };
}

const saved = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, null]));
const create = (of: TrainedProject, upstreamIds: string[], body: object = {}) =>
  postScenario(of, { fileData, dependentProjectCheckpoints: saved(...upstreamIds), ...body });
const removeScenario = ({ projectId, as }: TrainedProject, scenarioId: string) =>
  callInStorm(deleteScenario, { method: "DELETE", as, params: { projectId, scenarioId } });
const removeCheckpoint = ({ projectId, as }: TrainedProject, checkpointId: string) =>
  callInStorm(deleteCheckpoint, { method: "DELETE", as, params: { projectId, checkpointId } });
const makeDefault = ({ projectId, as }: TrainedProject, checkpointId: string) =>
  callInStorm(putCheckpoint, {
    method: "PUT",
    as,
    params: { projectId, checkpointId },
    body: { setAsDefault: true },
  });
const checkpointsOf = ({ projectId }: TrainedProject) =>
  db
    .select()
    .from(checkpoints)
    .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.state, "ready")));

describe(`${writers} concurrent scenarios with two shared upstream projects, listed in opposite orders`, () => {
  it("are created with all three checkpoints or not at all, until the shared projects have 20", async () => {
    const [one, two] = [await project(), await project()];
    const ids = [one.projectId, two.projectId];
    const users = [await project(ids), await project(ids.toReversed()), await project(ids)];
    const answers = await storm.through(() =>
      atOnce(writers, (index) => create(users[index % 3]!, index % 2 === 0 ? ids : ids.toReversed())),
    );
    expect(tally(answers)).toEqual({ 202: 20, "400 checkpoint_limit_reached": writers - 20 });
    const mains = (await Promise.all(users.map(checkpointsOf))).flat();
    expect(mains.map(({ linkedCheckpointId }) => linkedCheckpointId)).toEqual(Array(20).fill(null));
    const mainIds = new Set(mains.map(({ id }) => id));
    for (const shared of [one, two]) {
      const links = (await checkpointsOf(shared)).map(({ linkedCheckpointId }) => linkedCheckpointId);
      expect(new Set(links)).toEqual(mainIds);
    }
    const made = inArray(
      scenarios.projectId,
      users.map(({ projectId }) => projectId),
    );
    expect(await db.$count(scenarios, made)).toBe(20);
  });

  it("leave no partial batch, with concurrent deletions of scenarios and checkpoints and moves of the default", async () => {
    const [one, two] = [await project(), await project()];
    const ids = [one.projectId, two.projectId];
    const users = [await project(ids), await project(ids.toReversed())];
    const present = await storm.through(() => atOnce(14, (index) => create(users[index % 2]!, ids)));
    const shared = await checkpointsOf(one);
    const answers = await storm.through(async () => {
      const scenario = (index: number) => present[index % 14]!.data;
      const acts = [
        (index: number) => create(users[index % 2]!, index % 4 < 2 ? ids : ids.toReversed()),
        (index: number) => removeScenario(users[index % 2]!, scenario(index).scenarioId),
        (index: number) => removeCheckpoint(users[index % 2]!, scenario(index).checkpointId),
        (index: number) => makeDefault(one, shared[index % 14]!.id),
        (index: number) => removeCheckpoint(one, shared[index % 14]!.id),
      ];
      return atOnce(2 * writers, (index) => acts[index % 5]!(Math.floor(index / 5)));
    });
    const documented = ["200", "202", "400 checkpoint_in_use", "400 checkpoint_limit_reached"];
    const gone = ["404 checkpoint_not_found", "404 scenario_not_found"];
    for (const key of Object.keys(tally(answers))) expect([...documented, ...gone]).toContain(key);
  });
});

it("a dependency that is declared or removed during a scenario's check is taken into account", async () => {
  const [first, second] = [await project(), await project()];
  const user = await project([first.projectId]);
  const declare = (...upstreamIds: string[]) =>
    storm.sql.begin(async (tx) => {
      const all = [user, first, second].map(({ projectId }) => projectId);
      await tx`select from projects where id in ${tx(all)} order by id for update`;
      const creating = create(user, [first.projectId]);
      await waitForLock(storm.sql);
      await tx`delete from project_dependencies where project_id = ${user.projectId}`;
      for (const id of upstreamIds)
        await tx`insert into project_dependencies values (${user.projectId}, ${id}, ${id})`;
      return { creating };
    });
  const more = await declare(first.projectId, second.projectId);
  expect((await more.creating).error?.code).toBe("dependency_checkpoint_required");
  await setDependencies(testContext(), {
    projectId: user.projectId,
    dependencies: [{ projectId: first.projectId, featureName: "up" }],
  });
  const none = await declare();
  expect((await none.creating).error?.code).toBe("dependency_unknown");
});

it("a main checkpoint can be deleted while the default moves among its linked checkpoints", {
  // Many rounds of concurrent calls.
  timeout: 90_000,
}, async () => {
  const shared = await project();
  const user = await project([shared.projectId]);
  for (let round = 0; round < 2; round++) {
    const first = await createScenario(user, {
      fileData,
      dependentProjectCheckpoints: saved(shared.projectId),
    });
    const checkpointId = first.checkpointId!;
    const others = await storm.through(() =>
      atOnce(5, () => create(user, [shared.projectId], { checkpointId })),
    );
    const using = [first.id, ...others.map(({ data }) => data.scenarioId)];
    await storm.through(() => atOnce(6, (index) => removeScenario(user, using[index]!)));
    const linked = (await checkpointsOf(shared)).filter((row) => row.linkedCheckpointId === checkpointId);
    expect(linked).toHaveLength(6);
    const answers = await storm.through(() =>
      Promise.all([
        removeCheckpoint(user, checkpointId),
        atOnce(writers, (index) => makeDefault(shared, linked[index % 6]!.id)),
      ]),
    );
    expect(tally(answers.flat())).toEqual({ 200: writers, 202: 1 });
    expect((await checkpointsOf(shared)).every((row) => row.linkedCheckpointId !== checkpointId)).toBe(true);
    await storm.through(() => atOnce(6, (index) => removeCheckpoint(shared, linked[index]!.id)));
  }
});
