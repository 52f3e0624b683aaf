import { decodeChunks, encodeChunks, type SeriesChunk } from "#lib/engine/series/chunks";
import { compareScenarios } from "#lib/engine/series/compare-scenarios";
import type { Benchmark } from "./benchmark.ts";
import { measure } from "./measure.ts";
import { hours, randomWalk } from "./synthetic.ts";

const SERIES = 20;
const MAX_POINTS = 1_000;

type Stored = { scenarioId: string; timestamps: SeriesChunk[]; prediction: SeriesChunk[] };

/** Stored predictions: chunks against JSON, and a comparison as it is sent against sending every point. */
export const series: Benchmark = async function* ({ quick, rounds, seed }) {
  const length = quick ? 5_000 : 100_000;
  const size = length.toLocaleString("en");
  const values = randomWalk(length, seed);
  yield {
    ...(await measure({
      what: `one series of ${size}, to bytes and back`,
      ours: { name: "chunks", run: () => decodeChunks(encodeChunks(values)) },
      others: [{ name: "JSON", run: () => JSON.parse(JSON.stringify(Array.from(values))) }],
      rounds,
      repeat: 10,
    })),
    note: `${kilobytes(values.byteLength)} against ${kilobytes(JSON.stringify(Array.from(values)).length)}`,
  };

  const timestamps = [...encodeChunks(hours(length))];
  const stored = Array.from({ length: SERIES }, (_, index): Stored => {
    const prediction = [...encodeChunks(randomWalk(length, seed + index))];
    return { scenarioId: `s${index}`, timestamps, prediction };
  });
  const compared = compared1000(stored);
  const everyPoint = allPoints(stored);
  yield {
    ...(await measure({
      what: `compare ${SERIES} × ${size} from chunks to JSON`,
      ours: { name: `at most ${MAX_POINTS} points and totals`, run: () => compared1000(stored) },
      others: [{ name: "every point, no totals", run: () => allPoints(stored) }],
      rounds,
    })),
    note: `${kilobytes(compared.length)} against ${kilobytes(everyPoint.length)} to send`,
  };
  yield await measure({
    what: "the same, read by the browser",
    ours: { name: `at most ${MAX_POINTS} points and totals`, run: () => JSON.parse(compared) },
    others: [{ name: "every point, no totals", run: () => JSON.parse(everyPoint) }],
    rounds,
  });
};

function compared1000(stored: readonly Stored[]): string {
  const scenarios = stored.map(({ scenarioId, timestamps, prediction }) => ({
    scenarioId,
    timestamps: decodeChunks(timestamps),
    prediction: decodeChunks(prediction),
  }));
  return JSON.stringify(compareScenarios(scenarios, "s0", { maxPoints: MAX_POINTS }));
}

function allPoints(stored: readonly Stored[]): string {
  const times = Array.from(decodeChunks(stored[0]!.timestamps), (ms) => new Date(ms).toISOString());
  const all = stored.map(({ scenarioId, prediction }) => ({
    scenarioId,
    values: Array.from(decodeChunks(prediction)),
  }));
  return JSON.stringify({ timestamps: times, series: all });
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1e3).toLocaleString("en")} kB`;
}
