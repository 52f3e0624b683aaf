import Papa from "papaparse";
import { CsvReader } from "#lib/engine/csv/csv-reader";
import { parseCsv } from "#lib/engine/csv/parse";
import { writeTables } from "#lib/engine/csv/write";
import { readParquet } from "#lib/engine/parquet/read-parquet";
import { writeParquet } from "#lib/engine/table/write-parquet";
import { type Benchmark, type Measurement, measure, type Settings } from "./harness.ts";
import { bikeRentals, sampleDataHint } from "./sample-data.ts";
import { csvFile } from "./synthetic.ts";

/**
 * Compares CSV readers, from the bytes of a file. Ours returns typed columns and reports issues. Papa Parse returns one
 * object per row, with text or with guessed types.
 */
export const csv: Benchmark = async function* (settings) {
  const rowCount = settings.quick ? 2_000 : 200_000;
  const size = `${rowCount.toLocaleString("en")} × 10`;
  const bytes = csvFile(rowCount, settings.seed);
  yield await readFile(size, bytes, settings);
  yield* await parquet(size, bytes, settings);
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

/** Compares Parquet with CSV, both from the bytes of a file to a table and back. */
async function parquet(what: string, csv: Uint8Array, { rounds }: Settings): Promise<Measurement[]> {
  const { table, rowCount } = parseCsv(csv);
  const written = async (pieces: AsyncIterable<string | Uint8Array>) => {
    const all: Uint8Array[] = [];
    for await (const piece of pieces) all.push(typeof piece === "string" ? Buffer.from(piece) : piece);
    return new Uint8Array(Buffer.concat(all));
  };
  const file = await written(writeParquet([table]));
  const text = await written(writeTables([table]));
  const read = () => {
    const reader = new CsvReader();
    for (const chunk of readParquet(file, () => {})) reader.push(chunk);
    if (reader.finish().rowCount !== rowCount) throw new Error(`${what}: Parquet has other rows.`);
  };
  const contenders = [
    { what: `${what}, read Parquet`, ours: read, csv: () => readOurs(text) },
    {
      what: `${what}, write Parquet`,
      ours: () => written(writeParquet([table])),
      csv: () => written(writeTables([table])),
    },
  ];
  const measured: Measurement[] = [];
  for (const { what, ours, csv } of contenders) {
    const others = [{ name: "CSV", run: csv }];
    const one = await measure({ what, ours: { name: "Parquet", run: ours }, others, rounds });
    const rowsPerSecond = Math.round((1e3 * rowCount) / one.ours.medianMs).toLocaleString("en");
    const bytes = `${(file.length / 1e6).toFixed(1)} MB, CSV ${(text.length / 1e6).toFixed(1)} MB`;
    measured.push({ ...one, note: `${rowsPerSecond} rows a second, ${bytes}` });
  }
  return measured;
}
