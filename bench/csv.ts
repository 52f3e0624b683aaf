import Papa from "papaparse";
import { parseCsv } from "#lib/engine/csv/parse";
import type { Benchmark, Settings } from "./benchmark.ts";
import { type Measurement, measure } from "./measure.ts";
import { bikeRentals, sampleDataHint } from "./sample-data.ts";
import { csvFile } from "./synthetic.ts";

/** From a file's bytes: ours to typed columns, faults named; Papa Parse to an object a row, of text or of guessed types. */
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
  const rowCount = ours(bytes);
  if (papa(false) !== rowCount) throw new Error(`${what}: the readers disagree about the number of rows`);
  const measurement = await measure({
    what,
    ours: { name: "parseCsv", run: () => ours(bytes) },
    others: [
      { name: "papaparse, objects of text", run: () => papa(false) },
      { name: "papaparse, objects typed", run: () => papa(true) },
    ],
    rounds,
  });
  const megabytesPerSecond = bytes.length / 1e3 / measurement.ours.medianMs;
  return {
    ...measurement,
    note: `${(bytes.length / 1e6).toFixed(1)} MB, ours ${megabytesPerSecond.toFixed(0)} MB/s`,
  };
}

function ours(bytes: Uint8Array): number {
  const { faultCount, rowCount, faults } = parseCsv(bytes);
  if (faultCount > 0) throw new Error(`The file has faults: ${faults[0]?.message}`);
  return rowCount;
}
