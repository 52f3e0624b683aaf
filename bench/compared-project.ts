import { seededRandom } from "#lib/engine/learners/seeded-random";
import type { Session } from "./session.ts";

/** Ids of a project and its scenarios: `many` of moderate length, and a few `long` ones. */
export type ComparedProject = { projectId: string; many: string[]; long: string[] };

const HOUR = 3_600_000;
const TRAINING_ROWS = 4_000;
const TRAINING_FROM = Date.UTC(2024, 0, 1);
const SCENARIO_FROM = TRAINING_FROM + TRAINING_ROWS * HOUR;
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
  const { id: projectId } = await session.post<{ id: string }>("/projects", { name: "Bench of comparisons" });
  const at = `/projects/${projectId}`;
  await session.put(`${at}/dataset`, {
    fileData: base64(trainingCsv(seed)),
    fileName: "training.csv",
    target: "y",
    timestamp: "time",
  });
  await session.job(`${at}/models/train`, { algorithm: "ridge", features: { lags: [], calendar: true } });
  const { checkpointId } = await session.job<{ checkpointId: string }>(`${at}/checkpoints`, {});
  const create = async (title: string, index: number, rows: number) => {
    const { scenarioId } = await session.job<{ scenarioId: string }>(`${at}/scenarios`, {
      title,
      checkpointId,
      color: PALETTE[index % PALETTE.length],
      fileData: base64(inputCsv(rows, seed + index, index)),
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

const timeOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const wave = (row: number) =>
  20 * Math.sin((2 * Math.PI * row) / 24) + 10 * Math.sin((2 * Math.PI * row) / 8_766);

function trainingCsv(seed: number): string {
  const random = seededRandom(seed);
  const lines = Array.from({ length: TRAINING_ROWS }, (_, row) => {
    const price = random.next() * 10;
    const y = 100 + wave(row) - 3 * price + random.next() * 6;
    return `${timeOf(TRAINING_FROM + row * HOUR)},${price.toFixed(3)},${y.toFixed(3)}`;
  });
  return `time,price,y\n${lines.join("\n")}\n`;
}

/** Generates uniform noise around a level per scenario. Noise makes the chart's lines as steep as possible. */
function inputCsv(rows: number, seed: number, index: number): string {
  const random = seededRandom(seed);
  const lines = Array.from(
    { length: rows },
    (_, row) => `${timeOf(SCENARIO_FROM + row * HOUR)},${(random.next() * 8 + index / 10).toFixed(2)}`,
  );
  return `time,price\n${lines.join("\n")}\n`;
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
