import Papa from "papaparse";
import { parseCsv } from "#lib/engine/csv/parse";
import { type Benchmark, type Measurement, measure, type Settings } from "./harness.ts";
import { bikeRentals, sampleDataHint } from "./sample-data.ts";
import { csvFile } from "./synthetic.ts";

/**
 * Compares CSV readers, from the bytes of a file. Ours returns typed columns and reports issues. Papa Parse returns one
 * object per row, with text or with guessed types.
 */
export const csv: Benchmark = async function* (settings) {
  const rowCount = settings.quick ? 2_000 : 200_000;
  yield await readFile(`${rowCount.toLocaleString("en")} × 10`, csvFile(rowCount, settings.seed), settings);
  const bikes = bikeRentals();
  yield bikes === null
    ? { what: "bike rentals", skipped: sampleDataHint }
    : await readFile("bike rentals", bikes, settings);
};

async function readFile(what: string, bytes: Uint8Array, { rounds }: Settings): Promise<Measurement> {
  const papa = (dynamicTyping: boolean) => {
    const { data } = Papa.parse<Record<string, unknown>>(new TextDecoder().decode(bytes), {
      header: true,
      skipEmptyLines: true,
      dynamicTyping,
    });
    return data.length;
  };
  const rowCount = readOurs(bytes);
  if (papa(false) !== rowCount) throw new Error(`${what}: the readers return different numbers of rows.`);
  const measurement = await measure({
    what,
    ours: { name: "parseCsv", run: () => readOurs(bytes) },
    others: [
      { name: "papaparse, text objects", run: () => papa(false) },
      { name: "papaparse, typed objects", run: () => papa(true) },
    ],
    rounds,
  });
  const megabytesPerSecond = bytes.length / 1e3 / measurement.ours.medianMs;
  return {
    ...measurement,
    note: `${(bytes.length / 1e6).toFixed(1)} MB, ours ${megabytesPerSecond.toFixed(0)} MB/s`,
  };
}

function readOurs(bytes: Uint8Array): number {
  const { issueCount, rowCount, issues } = parseCsv(bytes);
  if (issueCount > 0) throw new Error(`The file has issues: ${issues[0]?.message}`);
  return rowCount;
}
