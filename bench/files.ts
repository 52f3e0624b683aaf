import Papa from "papaparse";
import { CsvReader } from "#lib/engine/csv/csv-reader";
import { parseCsv } from "#lib/engine/csv/parse";
import { writeCsv } from "#lib/engine/csv/write-csv";
import { readParquet } from "#lib/engine/parquet/read-parquet";
import { writeParquet } from "#lib/engine/parquet/write-parquet";
import { type Benchmark, type Contender, type Measurement, measure, type Settings } from "./harness.ts";
import { bikeRentals, sampleDataHint } from "./sample-data.ts";
import { csvFile } from "./synthetic.ts";

/**
 * Compares our CSV reader with Papa Parse, and Parquet with CSV, from the bytes of a file to a table and back. Ours returns
 * typed columns and reports issues. Papa Parse returns one object per row, with text or with guessed types.
 */
export const files: Benchmark = async function* (settings) {
  const rowCount = settings.quick ? 2_000 : 200_000;
  const bytes = csvFile(rowCount, settings.seed);
  const size = `${rowCount.toLocaleString("en")} × 10`;
  yield await besidePapa(size, bytes, settings);
  const bikes = bikeRentals();
  yield bikes === null
    ? { what: "bike rentals", skipped: sampleDataHint }
    : await besidePapa("bike rentals", bikes, settings);

  const { table } = parseCsv(bytes);
  const parquet = await written(writeParquet([table]));
  const csv = await written(writeCsv([table]));
  const sizes = `${(parquet.length / 1e6).toFixed(1)} MB, CSV ${(csv.length / 1e6).toFixed(1)} MB`;
  const compare = async (what: string, run: () => unknown, runCsv: () => unknown) => {
    const others = [{ name: "CSV", run: runCsv }];
    const one = await measure({ what, ours: { name: "Parquet", run }, others, rounds: settings.rounds });
    const perSecond = Math.round((1e3 * rowCount) / one.ours.medianMs).toLocaleString("en");
    return { ...one, note: `${perSecond} rows a second, ${sizes}` };
  };
  const readOfParquet = () => {
    const reader = new CsvReader();
    for (const chunk of readParquet(parquet, () => {})) reader.push(chunk);
    if (reader.finish().rowCount !== rowCount) throw new Error("Parquet has other rows.");
  };
  yield await compare(`${size}, read`, readOfParquet, () => readOurs(csv));
  const write = () => written(writeParquet([table]));
  yield await compare(`${size}, write`, write, () => written(writeCsv([table])));
};

async function besidePapa(what: string, bytes: Uint8Array, { rounds }: Settings): Promise<Measurement> {
  const papa = (dynamicTyping: boolean) => {
    const options = { header: true, skipEmptyLines: true, dynamicTyping };
    return Papa.parse<Record<string, unknown>>(new TextDecoder().decode(bytes), options).data.length;
  };
  if (papa(false) !== readOurs(bytes)) throw new Error(`${what}: the readers return different rows.`);
  const others: Contender[] = [
    { name: "papaparse, text objects", run: () => papa(false) },
    { name: "papaparse, typed objects", run: () => papa(true) },
  ];
  const ours = { name: "parseCsv", run: () => readOurs(bytes) };
  const measured = await measure({ what, ours, others, rounds });
  const perSecond = (bytes.length / 1e3 / measured.ours.medianMs).toFixed(0);
  return { ...measured, note: `${(bytes.length / 1e6).toFixed(1)} MB, ours ${perSecond} MB/s` };
}

function readOurs(bytes: Uint8Array): number {
  const { issueCount, rowCount, issues } = parseCsv(bytes);
  if (issueCount > 0) throw new Error(`The file has issues: ${issues[0]?.message}`);
  return rowCount;
}

async function written(pieces: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(typeof piece === "string" ? Buffer.from(piece) : piece);
  return new Uint8Array(Buffer.concat(all));
}
