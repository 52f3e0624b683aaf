import { and, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { checkpoints } from "#db/schema/checkpoints";
import type { Checkpoint, CheckpointDetail } from "#lib/contract/checkpoints";
import { createKey, createProject, type TestKey } from "#testing/api";
import { atOnce, callInStorm, createStorm, tally, writers } from "#testing/concurrent-load";
import { createModel } from "#testing/model-factory";
import { base64, postScenario } from "#testing/scenario-factory";
import { DELETE, PUT } from "../../../app/api/v1/projects/[projectId]/checkpoints/[checkpointId]/route.ts";
import { GET as list, POST } from "../../../app/api/v1/projects/[projectId]/checkpoints/route.ts";

const storm = await createStorm();
const { db } = storm;

type Trained = { projectId: string; as: TestKey };

async function trained(name = "Heat"): Promise<Trained> {
  const { id: projectId } = await createProject({ name });
  await createModel({ projectId });
  return { projectId, as: await createKey({ projectId }) };
}

const create = ({ projectId, as }: Trained, body: object = {}) =>
  callInStorm<{ checkpointId: string }>(POST, { as, params: { projectId }, body });
const put = ({ projectId, as }: Trained, checkpointId: string, body: object, headers = {}) =>
  callInStorm<CheckpointDetail>(PUT, {
    method: "PUT",
    as,
    params: { projectId, checkpointId },
    body,
    headers,
  });
const remove = ({ projectId, as }: Trained, checkpointId: string) =>
  callInStorm(DELETE, { method: "DELETE", as, params: { projectId, checkpointId } });
const visible = async ({ projectId, as }: Trained) =>
  (await callInStorm<Checkpoint[]>(list, { as, params: { projectId } })).data;
const scenario = (project: Trained, body: object = {}) =>
  postScenario(project, { fileData: base64("temp,wind\n1,2\n"), ...body });
const defaults = (rows: Checkpoint[]) => rows.filter(({ isDefault }) => isDefault).length;

async function ready(project: Trained, count: number): Promise<string[]> {
  const answers = await storm.through(() => atOnce(count, () => create(project)));
  return answers.map(({ data }) => data.checkpointId);
}

describe(`${writers} writers at once`, () => {
  it("that request the same label: one succeeds", async () => {
    const project = await trained();
    const answers = await storm.through(() =>
      atOnce(writers, (index) =>
        index % 2 === 0
          ? create(project, { label: "Best" })
          : scenario(project, { checkpointLabel: " Best " }),
      ),
    );
    expect(tally(answers)).toEqual({ 202: 1, "400 duplicate_label": writers - 1 });
    expect((await visible(project)).map(({ label }) => label)).toEqual(["Best"]);
  });

  it("that omit the label get generated ones with `_02`, `_03`, … without a gap, up to 20", async () => {
    const project = await trained("Kälte");
    const answers = await storm.through(() =>
      atOnce(writers, (index) => (index % 2 === 0 ? create(project) : scenario(project))),
    );
    expect(tally(answers)).toEqual({ 202: 20, "400 checkpoint_limit_reached": writers - 20 });
    const rows = await visible(project);
    const [stem] = rows.map(({ label }) => label).sort();
    const suffixes = Array.from({ length: 19 }, (_, index) => `_${String(index + 2).padStart(2, "0")}`);
    expect(rows.map(({ label }) => label).sort()).toEqual([stem, ...suffixes.map((end) => stem + end)]);
    expect(stem).toMatch(/^Kälte_\d{8}$/);
    expect(defaults(rows)).toBe(1);
  });

  it("that set the default during deletions and creations: there is always exactly one default", async () => {
    const project = await trained();
    const ids = await ready(project, 12);
    let over = false;
    const look = async () => {
      for (; !over; ) {
        const rows = await visible(project);
        expect(defaults(rows)).toBe(Math.min(rows.length, 1));
      }
    };
    const answers = await storm.through(async () => {
      const looking = look();
      const acts = atOnce(2 * writers, (index) => {
        const id = ids[index % 12]!;
        if (index % 4 === 0) return remove(project, id);
        const wish = { setAsDefault: true };
        return index % 4 === 1 ? create(project, wish) : put(project, id, wish);
      });
      acts.finally(() => {
        over = true;
      });
      return (await Promise.all([acts, looking]))[0];
    });
    for (const key of Object.keys(tally(answers))) {
      expect(["200", "202", "404 checkpoint_not_found", "400 checkpoint_limit_reached"]).toContain(key);
    }
    expect(defaults(await visible(project))).toBe(1);
  });

  it("that swap labels: no label is lost or duplicated", async () => {
    const project = await trained();
    const ids = await ready(project, 6);
    await Promise.all(ids.map((id, index) => put(project, id, { label: `Label ${index}` })));
    const answers = await storm.through(() =>
      atOnce(2 * writers, (index) =>
        put(project, ids[index % 6]!, { label: `Label ${(index * 5 + 1) % 9}` }),
      ),
    );
    for (const key of Object.keys(tally(answers))) expect(["200", "400 duplicate_label"]).toContain(key);
    const labels = (await visible(project)).map(({ label }) => label);
    expect(new Set(labels).size).toBe(6);
  });

  it("that compete for the last slots: each deletion frees exactly one slot", async () => {
    const project = await trained();
    const ids = await ready(project, 20);
    const [deleted, created] = await storm.through(() =>
      Promise.all([
        atOnce(20, (index) => remove(project, ids[index]!)),
        atOnce(writers, (index) => (index % 2 === 0 ? create(project) : scenario(project))),
      ]),
    );
    expect(tally(deleted)).toEqual({ 202: 20 });
    const { 202: made = 0, ...rejected } = tally(created);
    expect(rejected).toEqual(made === writers ? {} : { "400 checkpoint_limit_reached": writers - made });
    const present = and(eq(checkpoints.projectId, project.projectId), eq(checkpoints.state, "ready"));
    expect(await db.$count(checkpoints, present)).toBe(made);
  });
});
