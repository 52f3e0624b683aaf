import { describe, expect, it } from "vitest";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { createProject, testContext } from "#testing/api";
import { importLinear } from "#testing/import-project";
import { createTestDatabase } from "#testing/postgres";
import {
  base64,
  createScenario,
  createTrainedProject,
  postScenario,
  type TrainedProject,
} from "#testing/scenario-factory";

// Every possible rejection happens in the request, not in the job.

await createTestDatabase();
const ctx = testContext();
const day = (offset: number) => new Date(Date.UTC(2024, 0, 1 + offset)).toISOString().slice(0, 10);
const days = Array.from({ length: 70 }, (_, at) => at);

const putDays = (projectId: string, names: string, cells: (at: number) => string) =>
  putDataset(ctx, {
    projectId,
    fileData: base64(
      `date,${names},y\n${days.map((at) => `${day(at)},${cells(at)},${at % 5}`).join("\n")}\n`,
    ),
    target: "y",
    timestamp: "date",
  });

/** Creates a project of an imported model with the inputs `x` and `z`, and a dataset with other columns. */
async function importedProject(names: string, cells: (at: number) => string): Promise<TrainedProject> {
  const { id: projectId } = await createProject();
  await putDays(projectId, names, cells);
  return importLinear(projectId);
}

const datasets: [text: string, names: string, cells: (at: number) => string, columns: string[]][] = [
  ["lacks an input", "x", (at) => `${at % 7}`, ["z"]],
  ["lacks all inputs", "a", (at) => `${at % 7}`, ["x", "z"]],
  ["has text as an input", "x,z", (at) => `${at % 7},${at % 2 ? "dear" : "cheap"}`, ["z"]],
  ["has no value of an input", "x,z", (at) => `${at % 7},`, ["z"]],
  ["has times as an input", "x,z", (at) => `${at % 7},${day(at)}`, ["z"]],
];

describe("generated input of an imported model whose dataset", () => {
  it.each(datasets)("%s is rejected in the request", async (_, names, cells, columns) => {
    const project = await importedProject(names, cells);
    const { status, error } = await postScenario(project, {});
    expect([status, error?.code]).toEqual([400, "input_invalid"]);
    expect(error?.details?.map(({ column }) => column)).toEqual(columns);
  });

  it("also if an upstream project has the model", async () => {
    const source = await importedProject("x,z", (at) => `${at % 7},2`);
    const user = await createTrainedProject({
      csv: `date,x,z,w\n${days.map((at) => `${day(at)},${at % 7},2,${at % 7}`).join("\n")}\n`,
      target: "w",
      timestamp: "date",
      dependencies: [{ projectId: source.projectId, featureName: "given" }],
    });
    const body = { dependentProjectCheckpoints: { [source.projectId]: null } };
    await createScenario(user, body);
    for (const [, names, cells, columns] of datasets) {
      await putDays(source.projectId, names, cells);
      const { status, error } = await postScenario(user, body);
      expect([status, error?.code]).toEqual([400, "input_invalid"]);
      expect(error?.details?.map(({ column }) => column)).toEqual(["given"]);
      for (const column of columns) expect(error?.message).toContain(`column "${column}"`);
    }
  });
});
