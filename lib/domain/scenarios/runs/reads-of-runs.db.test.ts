import { expect, test } from "vitest";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { newId } from "#lib/platform/ids/new-id";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { routeCases } from "#testing/route-cases";
import { base64, createScenario } from "#testing/scenario-factory";
import { createDailyProject, listRuns, ofScenario, runAgain } from "#testing/scenario-runs";

await createTestDatabase();

const ofOne = "/api/v1/projects/{projectId}/scenarios/{scenarioId}";
/** Reads of all runs of a scenario, and of its overrides, which belong to no run. */
const notOfRuns = [
  `GET ${ofOne}/overrides/{overrideId}`,
  `GET ${ofOne}/overrides`,
  `GET ${ofOne}/runs`,
  `GET ${ofOne}/stability`,
];
const ofSeveral = ["compare", "extrapolation"].map(
  (name) => `GET /api/v1/projects/{projectId}/scenarios/${name}`,
);
const isRead = (name: string) =>
  name === `GET ${ofOne}` || name.startsWith(`GET ${ofOne}/`) || ofSeveral.includes(name);
const reads = (await routeCases()).filter(({ name }) => isRead(name) && !notOfRuns.includes(name));

const project = await createDailyProject();
const other = await createScenario(project, { title: "Other", endDate: "2023-08-01" });
const {
  id,
  runId: firstRun,
  checkpointId,
} = await createScenario(project, {
  title: "Plan",
  endDate: "2023-08-01",
});
const asOf = (await listRuns(project, id))[0]!.completedAt!;
// Prices beyond those of the training.
const dear = [20, 21, 22, 23, 24].map((day) => `2023-07-${day},80,100`);
await appendRows(testContext(), {
  projectId: project.projectId,
  fileData: base64(`date,price,demand\n${dear.join("\n")}\n`),
});
await runAgain(project, id, { checkpointId });

/** Further fields of a valid query. */
const required: Record<string, Record<string, string>> = {
  [`GET ${ofOne}/difference`]: { baselineId: other.id },
  [`GET ${ofOne}/predictions/contributions`]: { rows: "1,2" },
  ...Object.fromEntries(ofSeveral.map((name) => [name, { ids: `${id},${other.id}` }])),
};

test.each(reads)("$name reads a run by run and asOf", async ({ name, handler }) => {
  const read = async (choice: Record<string, string>) => {
    const { status, text, error, data } = await callRoute<Record<string, unknown>>(
      handler,
      ofScenario(project, id, { ...required[name], ...choice }),
    );
    return { status, code: error?.code, text, data };
  };
  const [newest, byRun, byTime] = [await read({}), await read({ run: firstRun }), await read({ asOf })];
  for (const { status, text } of [newest, byRun, byTime]) expect(status, text).toBe(200);
  // A difference names the run that `run` chooses.
  expect({ ...byTime.data, scenarioId: null }).toEqual({ ...byRun.data, scenarioId: null });
  expect(byRun.data).not.toEqual(newest.data);
  for (const choice of [{ run: newId() }, { run: "nonsense" }, { asOf: "2020-01-01" }])
    expect(await read(choice)).toMatchObject({ status: 404, code: "run_not_found" });
  expect(await read({ run: firstRun, asOf })).toMatchObject({ status: 400, code: "validation_failed" });
  const { errors = [], query } = handler.declaration;
  expect(errors).toContain("run_not_found");
  expect(query).toMatchObject({ shape: { run: expect.anything(), asOf: expect.anything() } });
});

test("the exceptions are routes", async () => {
  const names = (await routeCases()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...notOfRuns, ...ofSeveral]));
});
