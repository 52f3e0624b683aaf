import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import { jobs } from "#db/schema/jobs";
import { createKey, createProject, type RouteAnswer } from "#testing/api";
import { atOnce, callInStorm, createStorm, tally, writers } from "#testing/concurrent-load";
import { keptFolders } from "#testing/kept-folders";
import { createModel } from "#testing/model-factory";
import { base64, postScenario, type TrainedProject } from "#testing/scenario-factory";
import { POST as cancelJob } from "../../../app/api/v1/jobs/[jobId]/cancel/route.ts";
import { POST as retryJob } from "../../../app/api/v1/jobs/[jobId]/retry/route.ts";
import { DELETE as deleteCheckpoint } from "../../../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/route.ts";
import { POST as createCheckpoint } from "../../../app/api/v1/projects/[projectId]/checkpoints/route.ts";
import { POST as predict } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as contributions } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";
import { GET as predictions } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import {
  DELETE as deleteScenario,
  GET as getScenario,
  PATCH as patchScenario,
} from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";
import { GET as compare } from "../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";

const storm = await createStorm();
const { db } = storm;

const fileData = base64("temp,wind\n1,2\n3,4\n");

async function project(): Promise<TrainedProject> {
  const { id: projectId } = await createProject();
  await createModel({ projectId });
  return { projectId, as: await createKey({ projectId }) };
}

const ofScenario = ({ projectId, as }: TrainedProject, scenarioId: string) => ({
  as,
  params: { projectId, scenarioId },
});
const removeScenario = (of: TrainedProject, scenarioId: string) =>
  callInStorm(deleteScenario, { ...ofScenario(of, scenarioId), method: "DELETE" });
const removeCheckpoint = ({ projectId, as }: TrainedProject, checkpointId: string) =>
  callInStorm(deleteCheckpoint, { method: "DELETE", as, params: { projectId, checkpointId } });

async function saveCheckpoints({ projectId, as }: TrainedProject, count: number): Promise<string[]> {
  const call = { as, params: { projectId }, body: {} };
  const answers = await atOnce(count, () => callInStorm<{ checkpointId: string }>(createCheckpoint, call));
  return answers.map(({ data }) => data.checkpointId);
}

it(`of ${writers} pairs, a deletion and a scenario on the same checkpoint each, one wins, never both`, async () => {
  const projects = await atOnce(writers / 20, project);
  const ready = await storm.through(() => Promise.all(projects.map((of) => saveCheckpoints(of, 20))));
  const pairs = projects.flatMap((of, index) => ready[index]!.map((checkpointId) => ({ of, checkpointId })));
  const answers = await storm.through(() =>
    atOnce(2 * writers, (index) => {
      const { of, checkpointId } = pairs[index >> 1]!;
      const first = (index >> 1) % 2 === 0;
      return (index % 2 === 0) === first
        ? removeCheckpoint(of, checkpointId)
        : postScenario(of, { checkpointId, fileData });
    }),
  );
  for (const [index] of pairs.entries()) {
    const both = tally([answers[2 * index]!, answers[2 * index + 1]!]);
    expect([
      { 202: 1, "400 checkpoint_in_use": 1 },
      { 202: 1, "404 checkpoint_not_found": 1 },
    ]).toContainEqual(both);
  }
});

describe("scenarios that are deleted while they are made", () => {
  it("cancelled, repeated and renamed at once, leave no reservation and no file", async () => {
    const of = await project();
    const answers = await storm.through(async () => {
      const made = await atOnce(20, () => postScenario(of, { fileData }));
      expect(tally(made)).toEqual({ 202: 20 });
      const acts = made.flatMap(({ data: { scenarioId, jobId } }) => {
        const job = { method: "POST", as: of.as, params: { jobId } };
        return [
          () => callInStorm(cancelJob, job),
          () => callInStorm(retryJob, job),
          () =>
            callInStorm(patchScenario, {
              ...ofScenario(of, scenarioId),
              method: "PATCH",
              body: { title: "New" },
            }),
          () => removeScenario(of, scenarioId),
          () => removeScenario(of, scenarioId),
        ];
      });
      return atOnce(acts.length, (index) => acts[(index * 7) % acts.length]!());
    });
    expect(tally(answers)["202"]).toBeGreaterThanOrEqual(20);
    const { projectId } = of;
    expect(await keptFolders(`projects/${projectId}/scenarios`)).toEqual([]);
    const reserved = and(eq(checkpoints.projectId, projectId), eq(checkpoints.state, "reserved"));
    expect(await db.$count(checkpoints, reserved)).toBe(0);
    const failed = and(eq(jobs.projectId, projectId), eq(jobs.status, "Failed"));
    expect(await db.$count(jobs, failed)).toBe(0);
  });

  it("are read whole until they are gone, and so are their checkpoints", async () => {
    const count = 4; // Enough: 24 callers repeat their calls without a pause.
    const of = await project();
    const { projectId, as } = of;
    const ids = await storm.through(() => saveCheckpoints(of, count));
    const made = await storm.through(() =>
      atOnce(count, (index) => postScenario(of, { checkpointId: ids[index]!, fileData })),
    );
    const scenarioIds = made.map(({ data }) => data.scenarioId);
    const at = (index: number) => ofScenario(of, scenarioIds[index]!);
    const reads = {
      getScenario: (index: number) => callInStorm(getScenario, at(index)),
      predictions: (index: number) => callInStorm(predictions, at(index)),
      contributions: (index: number) => callInStorm(contributions, { ...at(index), query: { rows: "1,2" } }),
      compare: (index: number) => {
        const query = { ids: `${scenarioIds[index]},${scenarioIds[(index + 1) % count]}` };
        return callInStorm(compare, { as, params: { projectId }, query });
      },
      predict: (index: number) => {
        const body = { input: { temp: [1], wind: [2] }, checkpointId: ids[index]! };
        return callInStorm(predict, { as, params: { projectId }, body });
      },
    };
    const createWhatIf = (index: number) =>
      postScenario(of, { baseScenarioId: scenarioIds[index]!, checkpointId: ids[index]! });
    await storm.through(async () => {
      const reading = Object.entries(reads).flatMap(([name, read]) =>
        scenarioIds.map((_, index) => ({ name, ...untilRejected(() => read(index)) })),
      );
      const creating = scenarioIds.map((_, index) => untilRejected(() => createWhatIf(index)));
      await Promise.all([...reading, ...creating].map(({ first }) => first));
      const deletions = await atOnce(count, async (index) => {
        const deleted = [await removeScenario(of, scenarioIds[index]!)];
        const whatIfs = await creating[index]!.all;
        expect(tally(whatIfs)).toEqual({ 202: whatIfs.length - 1, "404 scenario_not_found": 1 });
        // A checkpoint can be deleted once no scenario uses it.
        for (const { data } of whatIfs.slice(0, -1)) deleted.push(await removeScenario(of, data.scenarioId));
        return [...deleted, await removeCheckpoint(of, ids[index]!)];
      });
      const deleted = deletions.flat();
      expect(tally(deleted)).toEqual({ 202: deleted.length });
      for (const { name, first, all } of reading) {
        const { status, data } = await first;
        expect(status, name).toBe(200);
        const later = (await all).slice(1);
        const gone = name === "predict" ? "404 checkpoint_not_found" : "404 scenario_not_found";
        expect(tally(later.splice(-1)), name).toEqual({ [gone]: 1 });
        for (const answer of later) expect(answer.data, name).toEqual(data);
      }
    });
  });
});

/** Repeats a call until it is rejected. */
function untilRejected<T>(call: () => Promise<RouteAnswer<T>>) {
  const first = call();
  const repeat = async () => {
    const answers = [await first];
    while (answers.at(-1)!.status < 300) answers.push(await call());
    return answers;
  };
  return { first, all: repeat() };
}
