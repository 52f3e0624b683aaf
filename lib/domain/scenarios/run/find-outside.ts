import type { Column } from "#lib/contract/table";
import { type Outside, OutsideTally, outsideTest } from "#lib/engine/csv/outside-training";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { type OutsideSpan, outsideSpans, RowMarks } from "#lib/engine/inference/outside-spans";
import { findColumn } from "#lib/engine/table/columns";
import { StoredInput } from "./stored-input.ts";

export type FindOutside = {
  /** Folder of the input. */
  inputKey: string;
  features: InputFeature[];
  /** Rows from 0 in ascending time order; null: the order of the input. */
  order: Int32Array | null;
};

export type FoundOutside = { features: Outside[]; spans: OutsideSpan[] };

const SPANS_MAX = 200;
const UNSEEN_MAX = 100;

/** Finds the values outside the training range in scenarios' inputs. Reads one input after the other. */
export async function findOutside(inputs: readonly FindOutside[]): Promise<FoundOutside[]> {
  const found: FoundOutside[] = [];
  for (const input of inputs) found.push(await findInOne(input));
  return found;
}

async function findInOne({ inputKey, features, order }: FindOutside): Promise<FoundOutside> {
  const input = await StoredInput.open(inputKey);
  const searches = features.map((feature) => new FeatureSearch(feature, input.rowCount));
  let row = 0;
  for await (const block of input.rows()) {
    for (const search of searches) search.add(findColumn(block, search.feature.name), row);
    row += block.rowCount;
  }
  const found = searches.flatMap(({ feature, outside, marks }) =>
    outside === null || marks === null ? [] : [{ type: feature.type, outside, marks }],
  );
  const marked = found.map(({ outside: { feature }, marks: rows }) => ({ feature, rows }));
  return {
    features: found.map(({ type, outside: { unseen, range, ...rest } }) => ({
      ...rest,
      // The service states times in ISO 8601, which a range of numbers cannot hold.
      range: type === "timestamp" ? null : range,
      unseen: unseen?.slice(0, UNSEEN_MAX) ?? null,
    })),
    spans: outsideSpans(marked, order ?? input.rowCount, SPANS_MAX),
  };
}

/** Collects one feature's values outside the training range, and their rows. */
class FeatureSearch {
  readonly feature: InputFeature;
  /** Null until a value is outside the training range, because most features need no marks. */
  marks: RowMarks | null = null;
  readonly #rowCount: number;
  readonly #tally: OutsideTally;

  /** @param rowCount number of rows of the complete input */
  constructor(feature: InputFeature, rowCount: number) {
    this.feature = feature;
    this.#rowCount = rowCount;
    this.#tally = new OutsideTally(feature);
  }

  get outside(): Outside | null {
    return this.#tally.outside;
  }

  /** Adds the next rows. `start` is the index of the first row. */
  add(column: Column | undefined, start: number): void {
    if (column === undefined) return;
    const before = this.#tally.rows;
    this.#tally.add(column);
    if (this.#tally.rows === before) return;
    this.marks ??= new RowMarks(this.#rowCount);
    const isOutside = outsideTest(column, this.feature)!;
    const { length } = column.type === "category" ? column.codes : column.values;
    for (let row = 0; row < length; row++) if (isOutside(row)) this.marks.add(start + row);
  }
}
