import { seededRandom } from "#lib/engine/learners/seeded-random";
import type { Session } from "./session.ts";

/** Ids of a project's scenarios: many, and few long ones. */
export type ComparedProject = { projectId: string; many: string[]; long: string[] };

const HOUR = 3_600_000;
const LEARNED_ROWS = 4_000;
const LEARNED_FROM = Date.UTC(2024, 0, 1);
const STARTS = LEARNED_FROM + LEARNED_ROWS * HOUR;
const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b"];

/**
 * By the API that everybody uses: a project, a model that learns an hourly series from the calendar and one input, and
 * scenarios of it, from uploaded CSV files; predictions with intervals.
 */
export async function createComparedProject(
  session: Session,
  {
    manyRows,
    longRows,
    seed,
    say,
  }: { manyRows: number; longRows: number; seed: number; say(text: string): void },
): Promise<ComparedProject> {
  const { id: projectId } = await session.post<{ id: string }>("/projects", { name: "Bench of comparing" });
  const at = `/projects/${projectId}`;
  await session.put(`${at}/dataset`, {
    ...{ fileData: base64(learnedCsv(seed)), fileName: "learned.csv", target: "y", timestamp: "time" },
  });
  await session.job(`${at}/models/train`, { algorithm: "ridge", features: { lags: [], calendar: true } });
  const { checkpointId } = await session.job<{ checkpointId: string }>(`${at}/checkpoints`, {});
  const create = async (title: string, index: number, rows: number) => {
    const { scenarioId } = await session.job<{ scenarioId: string }>(`${at}/scenarios`, {
      ...{ title, checkpointId, color: PALETTE[index % PALETTE.length] },
      ...{ fileData: base64(inputCsv(rows, seed + index, index)), fileName: `${title}.csv` },
    });
    return scenarioId;
  };
  const series = async (name: string, count: number, rows: number) => {
    say(`  ${count} scenarios of ${rows.toLocaleString("en")} rows`);
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

function learnedCsv(seed: number): string {
  const random = seededRandom(seed);
  const lines = Array.from({ length: LEARNED_ROWS }, (_, row) => {
    const price = random.next() * 10;
    const y = 100 + wave(row) - 3 * price + random.next() * 6;
    return `${timeOf(LEARNED_FROM + row * HOUR)},${price.toFixed(3)},${y.toFixed(3)}`;
  });
  return `time,price,y\n${lines.join("\n")}\n`;
}

/** Noise about a level that each scenario has its own of: lines that are as steep as lines get. */
function inputCsv(rows: number, seed: number, index: number): string {
  const random = seededRandom(seed);
  const lines = Array.from(
    { length: rows },
    (_, row) => `${timeOf(STARTS + row * HOUR)},${(random.next() * 8 + index / 10).toFixed(2)}`,
  );
  return `time,price\n${lines.join("\n")}\n`;
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
