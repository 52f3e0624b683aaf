import type { Column, Table } from "#lib/contract/table";
import { median } from "#lib/engine/features/statistics";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { concatTables } from "#lib/engine/table/concat";
import { takeRows } from "#lib/engine/table/rows";
import { type FeatureContributions, settle } from "./contributions.ts";

/**
 * explain.json of a model from outside: a typical row (medians, commonest categories) that contributions are told
 * against, since nothing is known of the model's inside.
 */
export type ReferenceFile = {
  version: 1;
  kind: "reference";
  values: { feature: string; value: number | string | null }[];
};

export function referenceValues(table: Table): ReferenceFile {
  const values = table.columns.map((column) => ({ feature: column.name, value: typicalValue(column) }));
  return { version: 1, kind: "reference", values };
}

/** Orders of the features that are tried for each row, each also backwards. */
const ORDERS = 4;
/** Rows that go through the model in one call. */
const BATCH_ROWS = 20_000;

/**
 * Shapley values by sampling (Štrumbelj and Kononenko 2014): from the reference row to the actual one, features are
 * switched over in random orders, and each is credited with the mean change that it makes. An approximation, but the
 * values do add up to the prediction. The same rows give the same values.
 */
export async function sampledContributions(
  reference: ReferenceFile,
  table: Table,
  predictions: Float64Array,
  predict: (table: Table) => Promise<Float64Array>,
): Promise<FeatureContributions> {
  const features = table.columns.map(({ name }) => name);
  const base = concatTables([table, referenceRow(reference, table)]);
  const typical = table.rowCount;
  const baseValue = (await predict(takeRows(base, [typical])))[0]!;
  const orders = featureOrders(features.length);
  const values: Float64Array[] = [];
  // A row's walk through one order takes a step for each feature but the last, which gives the prediction itself.
  const walk = features.length - 1;
  const rowsAtOnce = Math.max(1, Math.floor(BATCH_ROWS / Math.max(1, walk * orders.length)));
  for (let from = 0; from < table.rowCount; from += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, table.rowCount - from) }, (_, i) => from + i);
    const steps = rows.flatMap((row) =>
      orders.flatMap((order) => order.slice(0, walk).map((_, switched) => ({ row, order, switched }))),
    );
    const mixed: Table = {
      rowCount: steps.length,
      columns: base.columns.map((_, feature) => {
        const source = steps.map(({ row, order, switched }) =>
          order.indexOf(feature) <= switched ? row : typical,
        );
        return takeRows({ rowCount: base.rowCount, columns: [base.columns[feature]!] }, source).columns[0]!;
      }),
    };
    const outputs = steps.length > 0 ? await predict(mixed) : new Float64Array();
    rows.forEach((row, at) => {
      const sums = new Float64Array(features.length);
      orders.forEach((order, which) => {
        const first = (at * orders.length + which) * walk;
        let before = baseValue;
        order.forEach((feature, place) => {
          const after = place < walk ? outputs[first + place]! : predictions[row]!;
          sums[feature]! += (after - before) / orders.length;
          before = after;
        });
      });
      values.push(settle(sums, predictions[row]! - baseValue));
    });
  }
  return { method: "sampled", baseValue, features, values };
}

function featureOrders(count: number): number[][] {
  const random = seededRandom(1);
  return Array.from({ length: ORDERS }, () => {
    const order = Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i--) {
      const other = random.below(i + 1);
      [order[i], order[other]] = [order[other]!, order[i]!];
    }
    return [order, order.toReversed()];
  }).flat();
}

function referenceRow(reference: ReferenceFile, table: Table): Table {
  const columns = table.columns.map(({ name, type }): Column => {
    const value = reference.values.find(({ feature }) => feature === name)?.value ?? null;
    if (type === "category") {
      const isMissing = value === null;
      return {
        name,
        type,
        categories: isMissing ? [] : [String(value)],
        codes: Int32Array.of(isMissing ? -1 : 0),
      };
    }
    return { name, type, values: Float64Array.of(value === null ? Number.NaN : Number(value)) };
  });
  return { rowCount: 1, columns };
}

function typicalValue(column: Column): number | string | null {
  if (column.type !== "category") {
    const middle = median(column.values);
    // The lower of two middle values may be between whole numbers, which an integer input does not take.
    return column.values.every((value) => Number.isInteger(value)) ? Math.round(middle) : middle;
  }
  const counts = new Int32Array(column.categories.length);
  for (const code of column.codes) if (code >= 0) counts[code]!++;
  const most = counts.indexOf(counts.reduce((a, b) => Math.max(a, b), 0));
  return column.categories[most] ?? null;
}
