import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { jobs } from "#db/schema/jobs";
import { projects } from "#db/schema/projects";
import type { CreatedApiKey } from "#lib/contract/api-keys";
import type { Project } from "#lib/contract/projects";
import { createProject, createUser } from "#testing/api";
import type { RouteAnswer } from "#testing/call-route";
import { atOnce, callInStorm, createStorm, tally, writers } from "#testing/concurrent-load";
import { keptFolders } from "#testing/kept-folders";
import { base64, createScenario, createTrainedProject, type TrainedProject } from "#testing/scenario-factory";
import { POST as cancel } from "../../../app/api/v1/jobs/[jobId]/cancel/route.ts";
import { POST as retry } from "../../../app/api/v1/jobs/[jobId]/retry/route.ts";
import { POST as rotateKey } from "../../../app/api/v1/projects/[projectId]/api-keys/[keyId]/rotate/route.ts";
import { POST as createApiKey } from "../../../app/api/v1/projects/[projectId]/api-keys/route.ts";
import { PUT as putCheckpoint } from "../../../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/route.ts";
import { POST as createCheckpoint } from "../../../app/api/v1/projects/[projectId]/checkpoints/route.ts";
import { PUT as putDataset } from "../../../app/api/v1/projects/[projectId]/dataset/route.ts";
import { POST as appendRows } from "../../../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { PUT as putDependencies } from "../../../app/api/v1/projects/[projectId]/dependencies/route.ts";
import { POST as trainModel } from "../../../app/api/v1/projects/[projectId]/models/train/route.ts";
import {
  DELETE as deleteProject,
  PATCH as patchProject,
} from "../../../app/api/v1/projects/[projectId]/route.ts";
import {
  DELETE as deleteScenario,
  PATCH as patchScenario,
} from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";
import { POST as createScenarioRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/route.ts";
import { POST as upload } from "../../../app/api/v1/projects/[projectId]/uploads/route.ts";

const storm = await createStorm();
const { db } = storm;

const admin = await createUser();

const csv = `temp,demand\n${Array.from({ length: 40 }, (_, row) => `${row},${3 * row + 1}`).join("\n")}\n`;
const dataset = { fileData: base64(csv), target: "demand" };
const input = base64("temp\n1\n2\n");
const trained = () => createTrainedProject({ csv, target: "demand", request: { algorithm: "ridge" } });

const depend = (projectId: string, upstreamIds: string[]) =>
  callInStorm<Project>(putDependencies, {
    method: "PUT",
    as: admin,
    params: { projectId },
    body: { dependencies: upstreamIds.map((id, index) => ({ projectId: id, featureName: `f${index}` })) },
  });
const remove = (projectId: string) =>
  callInStorm(deleteProject, { method: "DELETE", as: admin, params: { projectId } });

/** Returns every change that a caller can make in a project, each as often as requested. */
function changes(
  { projectId }: TrainedProject,
  ids: { checkpointId: string; scenarioId: string; jobId: string; keyId: string },
) {
  const params = { projectId };
  const as = admin;
  const change = (method: string, more: object, body: object) => ({
    as,
    method,
    params: { ...params, ...more },
    body,
  });
  return [
    () => callInStorm(createCheckpoint, { as, params, body: { setAsDefault: true } }),
    () => callInStorm(createScenarioRoute, { as, params, body: { title: "S", fileData: input } }),
    () =>
      callInStorm(createScenarioRoute, {
        as,
        params,
        body: { title: "S", fileData: input, checkpointId: ids.checkpointId },
      }),
    () =>
      callInStorm(createScenarioRoute, {
        as,
        params,
        body: { title: "S", baseScenarioId: ids.scenarioId },
      }),
    () =>
      callInStorm(putCheckpoint, change("PUT", { checkpointId: ids.checkpointId }, { setAsDefault: true })),
    () => callInStorm(patchScenario, change("PATCH", { scenarioId: ids.scenarioId }, { title: "Other" })),
    () =>
      callInStorm(deleteScenario, {
        as,
        method: "DELETE",
        params: { ...params, scenarioId: ids.scenarioId },
      }),
    () => callInStorm(putDataset, change("PUT", {}, dataset)),
    () => callInStorm(appendRows, { as, params, body: { fileData: base64("temp,demand\n1,4\n") } }),
    () => callInStorm(trainModel, { as, params, body: { algorithm: "ridge" } }),
    () => callInStorm(patchProject, change("PATCH", {}, { name: "Renamed" })),
    () => callInStorm(createApiKey, { as, params, body: { name: "More" } }),
    () =>
      callInStorm(rotateKey, {
        as,
        params: { ...params, keyId: ids.keyId },
        body: { overlapSeconds: 60 },
      }),
    () => callInStorm(upload, { as, params, body: csv, headers: { "content-type": "text/csv" } }),
    () => callInStorm(cancel, { as, method: "POST", params: { jobId: ids.jobId } }),
    () => callInStorm(retry, { as, method: "POST", params: { jobId: ids.jobId } }),
  ];
}

describe(`${writers} writers at once`, () => {
  it("that declare dependencies in all directions never form a cycle", async () => {
    const ids = (await atOnce(6, () => createProject())).map(({ id }) => id);
    const answers = await storm.through(() =>
      atOnce(writers, (index) =>
        depend(
          ids[index % 6]!,
          [ids[(index * 5 + 1) % 6]!, ids[(index * 7 + 2) % 6]!].filter(
            (id, at, all) => id !== ids[index % 6] && all.indexOf(id) === at,
          ),
        ),
      ),
    );
    expect(Object.keys(tally(answers)).sort()).toEqual(["200", "400 dependency_cycle"]);
  });

  it("that declare opposite dependencies in pairs: exactly one of two succeeds", async () => {
    const ids = (await atOnce(writers, () => createProject())).map(({ id }) => id);
    const answers = await storm.through(() =>
      atOnce(writers, (index) => depend(ids[index]!, [ids[index ^ 1]!])),
    );
    expect(tally(answers)).toEqual({ 200: writers / 2, "400 dependency_cycle": writers / 2 });
  });

  it("that depend on a project and delete it: exactly one of the two succeeds", async () => {
    const pairs = await atOnce(writers / 2, async () => Promise.all([createProject(), createProject()]));
    const answers = await storm.through(() =>
      Promise.all(pairs.flatMap(([user, used]) => [depend(user.id, [used.id]), remove(used.id)])),
    );
    for (const [index] of pairs.entries()) {
      const [declared, removed] = [answers[2 * index]!, answers[2 * index + 1]!];
      expect([declared.status, removed.status].sort()).toEqual(
        declared.status === 200 ? [200, 400] : [202, 404],
      );
    }
  });

  it("that put data, train and create scenarios never deadlock", async () => {
    const project = await trained();
    const base = await createScenario(project, { fileData: input });
    const ids = {
      checkpointId: base.checkpointId!,
      scenarioId: base.id,
      jobId: base.jobId,
      keyId: project.as.id,
    };
    const all = changes(project, ids);
    const [onCheckpoint, clone, put, append, train] = [all[2]!, all[3]!, all[7]!, all[8]!, all[9]!];
    const acts = Array.from({ length: writers }, (_, index) =>
      index % 10 === 0 ? train : [onCheckpoint, clone, put, append][index % 4]!,
    );
    const answers = await storm.through(() => atOnce(writers, (index) => acts[index]!()));
    expect(Object.keys(tally(answers))).toEqual(["200", "202"]);
    const statuses = await db
      .selectDistinct({ status: jobs.status })
      .from(jobs)
      .where(eq(jobs.projectId, project.projectId));
    expect(statuses).toEqual([{ status: "Completed" }]);
  });

  it("and a concurrent deletion of the project: no 5xx response, and no data remains", async () => {
    const answers: RouteAnswer[] = [];
    for (let round = 0; round < 4; round++) {
      const project = await trained();
      const { projectId } = project;
      const base = await createScenario(project, { fileData: input });
      const key = await callInStorm<CreatedApiKey>(createApiKey, {
        as: admin,
        params: { projectId },
        body: { name: "K" },
      });
      const ids = {
        checkpointId: base.checkpointId!,
        scenarioId: base.id,
        jobId: base.jobId,
        keyId: key.data.id,
      };
      const all = changes(project, ids);
      const acts = Array.from({ length: 2 * writers }, (_, index) => all[index % all.length]!);
      acts.splice(20 * round + 10, 0, () => remove(projectId));
      answers.push(...(await storm.through(() => atOnce(acts.length, (index) => acts[index]!()))));
      expect(await db.$count(projects, eq(projects.id, projectId))).toBe(0);
      expect(await keptFolders(`projects/${projectId}`)).toEqual([]);
    }
    expect(tally(answers)["404 project_not_found"]).toBeGreaterThan(0);
  });
});
