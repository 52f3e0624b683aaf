import type { Transaction } from "#db/client";
import { copyIn } from "#db/copy-in";
import { binaryCopy, binaryRow, uuidBytes } from "#db/pool/binary-rows";
import { ChunkCutter, type SeriesChunk } from "#lib/engine/series/chunks";
import { ScratchFile } from "#lib/platform/storage/scratch-file";
import type { StoredSeries } from "./read-predictions.ts";

const COPY =
  "copy prediction_chunks (scenario_id, series, chunk, row_start, row_count, data) from stdin (format binary)";

/** Below it they need no file until they are stored. */
const MEMORY_BYTES = 4 << 20;

const names = ["timestamp", "prediction", "lower", "upper"] as const;
type Name = (typeof names)[number];

/**
 * A scenario's predictions on their way to the database: as they come, in the form in which it reads them, and out of
 * memory where they are many. A row of the table holds a chunk of one series.
 */
export class PredictionChunks implements AsyncDisposable {
  readonly #scenarioId: string;
  readonly #rows = new ScratchFile(MEMORY_BYTES);
  readonly #cutters = new Map<Name, ChunkCutter>();
  #isBegun = false;

  constructor(scenarioId: string) {
    this.#scenarioId = scenarioId;
  }

  /** Adds the rows that follow. All parts have the same series. */
  async add(part: StoredSeries): Promise<void> {
    const { timestamps: timestamp, prediction, lower, upper } = part;
    const series = { timestamp, prediction, lower, upper };
    for (const name of names) {
      if (!this.#isBegun && series[name] !== null) this.#cutters.set(name, new ChunkCutter());
      const cutter = this.#cutters.get(name);
      if ((cutter === undefined) !== (series[name] === null)) throw new Error(`Some rows have no ${name}.`);
      for (const chunk of cutter?.push(series[name]!) ?? []) await this.#write(name, chunk);
    }
    this.#isBegun = true;
  }

  /**
   * Stores all of them, in the transaction that completes the scenario's job: an attempt that came to nothing has left
   * none. Nothing may be added after it.
   */
  async store(tx: Transaction): Promise<void> {
    for (const [name, cutter] of this.#cutters)
      for (const chunk of cutter.finish()) await this.#write(name, chunk);
    await copyIn(tx, COPY, this.#content());
  }

  async #write(series: Name, { chunk, rowStart, rowCount, data }: SeriesChunk): Promise<void> {
    const id = { bytes: uuidBytes(this.#scenarioId) };
    const place = [{ int2: chunk }, { int4: rowStart }, { int4: rowCount }] as const;
    await this.#rows.write(binaryRow([id, { text: series }, ...place, { bytes: data }]));
  }

  async *#content(): AsyncGenerator<Uint8Array> {
    yield binaryCopy.start;
    yield* this.#rows.read();
    yield binaryCopy.end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rows[Symbol.asyncDispose]();
  }
}

/** Stores predictions that lie in memory. */
export async function storePredictions(
  tx: Transaction,
  scenarioId: string,
  series: StoredSeries,
): Promise<void> {
  await using chunks = new PredictionChunks(scenarioId);
  await chunks.add(series);
  await chunks.store(tx);
}
