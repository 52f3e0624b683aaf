import type { Transaction } from "#db/client";
import { copyIn } from "#db/copy-in";
import { binaryCopy, binaryRow, uuidBytes } from "#db/pool/binary-rows";
import { ChunkCutter, type SeriesChunk } from "#lib/engine/series/chunks";
import { ScratchFile } from "#lib/platform/storage/scratch-file";
import type { StoredSeries } from "./read-predictions.ts";

const COPY =
  "copy prediction_chunks (run_id, series, chunk, row_start, row_count, data) from stdin (format binary)";

/** Chunks up to this size stay in memory; larger amounts go to a scratch file. */
const MEMORY_BYTES = 4 << 20;

const names = ["timestamp", "prediction", "lower", "upper"] as const;
type Name = (typeof names)[number];

/**
 * Collects a run's predictions for the database, in the binary format of COPY. Large amounts go to a scratch file. A
 * row of the table holds a chunk of one series.
 */
export class PredictionChunks implements AsyncDisposable {
  readonly #runId: string;
  readonly #rows = new ScratchFile(MEMORY_BYTES);
  readonly #cutters = new Map<Name, ChunkCutter>();
  #hasRows = false;

  constructor(runId: string) {
    this.#runId = runId;
  }

  /** Appends rows. All parts must have the same series. */
  async add(part: StoredSeries): Promise<void> {
    const { timestamps: timestamp, prediction, lower, upper } = part;
    const series = { timestamp, prediction, lower, upper };
    for (const name of names) {
      if (!this.#hasRows && series[name] !== null) this.#cutters.set(name, new ChunkCutter());
      const cutter = this.#cutters.get(name);
      if ((cutter === undefined) !== (series[name] === null))
        throw new Error(`Series "${name}" is missing in some parts`);
      for (const chunk of cutter?.push(series[name]!) ?? []) await this.#write(name, chunk);
    }
    this.#hasRows = true;
  }

  /**
   * Stores all chunks in the transaction that completes the run's job, so a failed attempt leaves none. Call it once,
   * after the last `add`.
   */
  async store(tx: Transaction): Promise<void> {
    for (const [name, cutter] of this.#cutters)
      for (const chunk of cutter.finish()) await this.#write(name, chunk);
    await copyIn(tx, COPY, this.#content());
  }

  async #write(series: Name, { chunk, rowStart, rowCount, data }: SeriesChunk): Promise<void> {
    const id = { bytes: uuidBytes(this.#runId) };
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
