import { ChunkCutter, placeChunk, type SeriesChunk } from "#lib/engine/series/chunks";
import { compareScenarios } from "#lib/engine/series/compare-scenarios";
import type { Benchmark } from "./benchmark.ts";
import { measure } from "./measure.ts";
import { hours, randomWalk } from "./synthetic.ts";

const SERIES = 20;
const MAX_POINTS = 1_000;

type Stored = { scenarioId: string; timestamps: SeriesChunk[]; prediction: SeriesChunk[] };

/** Compares chunks of predictions with JSON, and the response of a comparison with a response of every point. */
export const series: Benchmark = async function* ({ quick, rounds, seed }) {
  const length = quick ? 5_000 : 100_000;
  const size = length.toLocaleString("en");
  const values = randomWalk(length, seed);
  yield {
    ...(await measure({
      what: `one series of ${size}, to bytes and back`,
      ours: { name: "chunks", run: () => joinChunks(cut(values)) },
      others: [{ name: "JSON", run: () => JSON.parse(JSON.stringify(Array.from(values))) }],
      rounds,
      repeat: 10,
    })),
    note: `${kilobytes(values.byteLength)} compared with ${kilobytes(JSON.stringify(Array.from(values)).length)}`,
  };

  const timestamps = cut(hours(length));
  const stored = Array.from({ length: SERIES }, (_, index): Stored => {
    const prediction = cut(randomWalk(length, seed + index));
    return { scenarioId: `s${index}`, timestamps, prediction };
  });
  const compared = compareAsJson(stored);
  const everyPoint = allPointsAsJson(stored);
  yield {
    ...(await measure({
      what: `compare ${SERIES} × ${size} from chunks to JSON`,
      ours: { name: `at most ${MAX_POINTS} points and totals`, run: () => compareAsJson(stored) },
      others: [{ name: "every point, no totals", run: () => allPointsAsJson(stored) }],
      rounds,
    })),
    note: `${kilobytes(compared.length)} compared with ${kilobytes(everyPoint.length)} to send`,
  };
  const rows = quick ? 200_000 : 20_000_000;
  const long = { scenarioId: "s0", timestamps: hours(rows), prediction: randomWalk(rows, seed) };
  const bucket = { unit: "day", aggregate: "sum", timezone: "Europe/Berlin" } as const;
  yield await measure({
    what: `chart of one series of ${rows.toLocaleString("en")} hours`,
    ours: { name: "by day", run: () => compareScenarios([long], "s0", { maxPoints: MAX_POINTS, bucket }) },
    others: [{ name: "by row", run: () => compareScenarios([long], "s0", { maxPoints: MAX_POINTS }) }],
    rounds,
  });
  yield await measure({
    what: "parse the JSON of that comparison",
    ours: { name: `at most ${MAX_POINTS} points and totals`, run: () => JSON.parse(compared) },
    others: [{ name: "every point, no totals", run: () => JSON.parse(everyPoint) }],
    rounds,
  });
};

function cut(values: Float64Array): SeriesChunk[] {
  const cutter = new ChunkCutter();
  return [...cutter.push(values), ...cutter.finish()];
}

function joinChunks(chunks: readonly SeriesChunk[]): Float64Array {
  const values = new Float64Array(chunks.reduce((sum, { rowCount }) => sum + rowCount, 0));
  for (const chunk of chunks) placeChunk(values, 0, chunk);
  return values;
}

function compareAsJson(stored: readonly Stored[]): string {
  const scenarios = stored.map(({ scenarioId, timestamps, prediction }) => ({
    scenarioId,
    timestamps: joinChunks(timestamps),
    prediction: joinChunks(prediction),
  }));
  return JSON.stringify(compareScenarios(scenarios, "s0", { maxPoints: MAX_POINTS }));
}

function allPointsAsJson(stored: readonly Stored[]): string {
  const times = Array.from(joinChunks(stored[0]!.timestamps), (ms) => new Date(ms).toISOString());
  const all = stored.map(({ scenarioId, prediction }) => ({
    scenarioId,
    values: Array.from(joinChunks(prediction)),
  }));
  return JSON.stringify({ timestamps: times, series: all });
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1e3).toLocaleString("en")} kB`;
}
