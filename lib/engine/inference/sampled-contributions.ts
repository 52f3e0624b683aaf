import type { Column, Table } from "#lib/contract/table";
import { median } from "#lib/engine/features/statistics";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { concatTables } from "#lib/engine/table/concat";
import { takeRows } from "#lib/engine/table/rows";
import { type FeatureContributions, settle } from "./contributions.ts";
import type { ReferenceFile } from "./file-schemas.ts";

export function referenceValues(table: Table): ReferenceFile {
  const values = table.columns.map((column) => ({ feature: column.name, value: typicalValue(column) }));
  return { version: 1, kind: "reference", values };
}

/** Number of random feature orders per row; each order is also used in reverse. */
const ORDERS = 4;
/** Maximum number of rows per call of the model. */
const BATCH_ROWS = 20_000;

/**
 * Approximates Shapley values by sampling (Štrumbelj and Kononenko 2014). From the reference row to the actual row,
 * features are switched in random orders. Each feature is credited with the mean change that its switch causes. The
 * values add up exactly to the prediction. The same rows give the same values.
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
  // One order needs a model row for each feature but the last, because the last step gives the prediction itself.
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
  const kinds = features.map(() => "input" as const);
  return {
    method: "sampled",
    scale: "prediction",
    baseValue,
    features,
    kinds,
    details: features.map(() => null),
    values,
  };
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
    // The median of integers can lie between integers, which an integer input does not accept.
    return column.values.every((value) => Number.isInteger(value)) ? Math.round(middle) : middle;
  }
  const counts = new Int32Array(column.categories.length);
  for (const code of column.codes) if (code >= 0) counts[code]!++;
  const most = counts.indexOf(counts.reduce((a, b) => Math.max(a, b), 0));
  return column.categories[most] ?? null;
}
