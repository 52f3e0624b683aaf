import { expect } from "vitest";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { parseCsv } from "#lib/engine/csv/parse";
import { testContext } from "./api.ts";
import { runJobHere } from "./run-jobs.ts";
import { dailyDemand, dailyTemperature } from "./sample-series.ts";
import { createTrainedProject, type TrainedProject } from "./scenario-factory.ts";

const days = 220;

/** Creates three trained projects. Demand uses the predicted temperature, and sales use the predicted demand. */
export async function createUpstreamProjects() {
  const weather = await createTrainedProject({
    name: "Weather",
    csv: dailyTemperature(days),
    target: "temp",
    timestamp: "day",
  });
  const demand = await createTrainedProject({
    name: "Demand",
    csv: dailyDemand(days),
    target: "demand",
    timestamp: "date",
    dependencies: [{ projectId: weather.projectId, featureName: "predicted_temp" }],
  });
  const sales = await createTrainedProject({
    name: "Sales",
    csv: dailySales(),
    target: "sales",
    timestamp: "day",
    dependencies: [{ projectId: demand.projectId, featureName: "predicted_demand" }],
  });
  return { weather, demand, sales };
}

function dailySales(): string {
  const rows = parseCsv(dailyDemand(days)).table;
  const [date, , demandColumn] = rows.columns as { values: Float64Array }[];
  const lines = Array.from({ length: days }, (_, row) => {
    const day = new Date(date!.values[row]!).toISOString().slice(0, 10);
    return `${day},${row % 3},${(demandColumn!.values[row]! * 2 + (row % 3)).toFixed(3)}`;
  });
  return `day,promo,sales\n${lines.join("\n")}\n`;
}

/** Creates a checkpoint of the project's current model, runs its job, and returns its id. */
export async function savedCheckpoint({ projectId }: TrainedProject): Promise<string> {
  const { checkpointId, jobId } = await createCheckpoint(testContext(), { projectId });
  expect((await runJobHere(jobId)).status).toBe("Completed");
  return checkpointId;
}
