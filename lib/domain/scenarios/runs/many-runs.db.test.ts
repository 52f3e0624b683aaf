import { afterAll, beforeAll, expect, it } from "vitest";
import type { Stability } from "#lib/contract/stability";
import type { TrackRecord } from "#lib/contract/track-record";
import { callRoute } from "#testing/api";
import { type ExplainingDatabase, startExplainingDatabase } from "#testing/executed-plans";
import { copyRuns } from "#testing/many-runs";
import { createScenario } from "#testing/scenario-factory";
import { addDays, createDailyProject, ofScenario } from "#testing/scenario-runs";
import { GET as stabilityRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/stability/route.ts";
import { GET as compareRoute } from "../../../../app/api/v1/projects/[projectId]/scenarios/compare/route.ts";
import { GET as recordRoute } from "../../../../app/api/v1/projects/[projectId]/track-record/route.ts";

let explaining: ExplainingDatabase;
beforeAll(async () => {
  explaining = await startExplainingDatabase();
});
afterAll(() => explaining[Symbol.asyncDispose]());

/** Creates a project whose scenarios have runs that predicted days that have come since. */
async function createWithRuns(count: { scenarios: number; runs: number }) {
  const project = await createDailyProject();
  const { id } = await createScenario(project, { endDate: "2023-08-02" });
  const ids = await copyRuns(id, count);
  await addDays(project, 200, 220);
  return { project, ids };
}

it("reads many runs with as many statements as few", async () => {
  const few = await createWithRuns({ scenarios: 2, runs: 2 });
  const many = await createWithRuns({ scenarios: 6, runs: 20 });
  const reads = {
    async comparison({ project: { projectId, as }, ids }: typeof few) {
      const query = { ids: ids.join(), baselineId: ids[0]! };
      const { data } = await callRoute<{ series: object[] }>(compareRoute, {
        params: { projectId },
        as,
        query,
      });
      return data.series.length;
    },
    async stability({ project, ids }: typeof few) {
      const { data } = await callRoute<Stability>(stabilityRoute, ofScenario(project, ids[0]!));
      return data.runs.length;
    },
    async record({ project: { projectId, as } }: typeof few) {
      const { data } = await callRoute<TrackRecord>(recordRoute, { params: { projectId }, as });
      return data.runs;
    },
  };
  const expected = { comparison: [2, 6], stability: [1, 19], record: [5, 100] };
  for (const [name, read] of Object.entries(reads)) {
    const counts = [];
    for (const one of [few, many]) {
      let items = 0;
      const first = await explaining.plansOf(async () => {
        items = await read(one);
      });
      const cached = await explaining.plansOf(async () => {
        await read(one);
      });
      counts.push({ items, first: first.length, cached: cached.length });
    }
    const [ofFew, ofMany] = counts;
    expect([name, ofFew!.items, ofMany!.items]).toEqual([name, ...expected[name as keyof typeof reads]]);
    const added = [ofMany!.first - ofFew!.first, ofMany!.cached - ofFew!.cached];
    expect([name, added.filter((statements) => statements > 0)]).toEqual([name, []]);
  }
}, 120_000); // Explains each statement.
