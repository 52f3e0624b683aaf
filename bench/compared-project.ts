import { hourlyCsv, hourlyTrainingCsv, TRAINING_ROWS } from "./hourly-csv.ts";
import type { Session } from "./session.ts";
import { createTrainedProject } from "./trained-project.ts";

/** Ids of a project and its scenarios: `many` of moderate length, and a few `long` ones. */
export type ComparedProject = { projectId: string; many: string[]; long: string[] };

const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b"];

/**
 * Creates a project with scenarios through the public API. Its model predicts an hourly series, with intervals, from
 * the calendar and one input. Each scenario has an uploaded CSV file.
 */
export async function createComparedProject(
  session: Session,
  {
    manyRows,
    longRows,
    seed,
    log,
  }: { manyRows: number; longRows: number; seed: number; log(text: string): void },
): Promise<ComparedProject> {
  const { projectId, at, checkpointId } = await createTrainedProject(session, {
    training: hourlyTrainingCsv(seed),
    timestamp: "time",
    request: { algorithm: "ridge", features: { lags: [], calendar: true } },
  });
  const create = async (title: string, index: number, rows: number) => {
    const { scenarioId } = await session.job<{ scenarioId: string }>(`${at}/scenarios`, {
      title,
      checkpointId,
      color: PALETTE[index % PALETTE.length],
      fileData: hourlyCsv({
        first: TRAINING_ROWS,
        count: rows,
        seed: seed + index,
        // Noise around a level for each scenario makes the lines of the chart as steep as possible.
        price: (random) => random * 8 + index / 10,
      }),
      fileName: `${title}.csv`,
    });
    return scenarioId;
  };
  const series = async (name: string, count: number, rows: number) => {
    log(`  ${count} scenarios of ${rows.toLocaleString("en")} rows`);
    const ids: string[] = [];
    for (let index = 0; index < count; index++) ids.push(await create(`${name} ${index + 1}`, index, rows));
    return ids;
  };
  return {
    projectId,
    many: await series("Plan", 20, manyRows),
    long: await series("Century", 3, longRows),
  };
}
