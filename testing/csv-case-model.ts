import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { testContext } from "./api.ts";
import { type CaseRow, cellsOf } from "./csv-case-rows.ts";
import { runJobsHere } from "./run-jobs.ts";
import { createTrainedProject, type TrainedProject } from "./scenario-factory.ts";
import { writeDialect } from "./write-dialect.ts";

export const caseSettings = { target: "load", timestamp: "when", categories: ["city"] };

/** Daily rows up to the end of February 2024, some without a temperature or a city. The rows of the cases are later. */
const trainingRows: CaseRow[] = Array.from({ length: 120 }, (_, at) => {
  const temp = at % 11 === 0 ? null : 10 * Math.sin(at / 9) + at / 50;
  const city = at % 13 === 0 ? null : ["Bonn", "Köln", '5" pipe'][at % 3]!;
  return {
    when: new Date(Date.UTC(2023, 10, 2 + at)).toISOString(),
    temp,
    city,
    open: at % 2 === 0,
    load: 3 * (temp ?? 0) + (city === "Köln" ? 8 : 1) + (at % 2) * 2.5,
  };
});

/** Trains a model with the real trainer on rows like those of the cases, and creates a checkpoint of the model. */
export async function trainCaseModel(): Promise<TrainedProject & { checkpointId: string }> {
  const project = await createTrainedProject({
    csv: new TextDecoder().decode(writeDialect(cellsOf(trainingRows))),
    ...caseSettings,
    request: {
      algorithm: "gradient_boosting",
      hyperparameters: { rounds: 30 },
      features: { lags: [], rolling: [] },
    },
  });
  const { projectId } = project;
  const { checkpointId } = await createCheckpoint(testContext(), { projectId, label: "Cases" });
  await runJobsHere(projectId);
  return { ...project, checkpointId };
}
