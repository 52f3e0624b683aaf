import type { ModelChanges } from "#lib/contract/actuals";
import type { Table } from "#lib/contract/table";
import { indexOnce } from "#lib/domain/models/linked/rows-of-chosen";
import type { OpenModel } from "#lib/domain/models/open-model";
import { seriesKey } from "#lib/engine/panel/series-index";
import { judgeRows, learnedUntil } from "./judge-model.ts";
import { type RowsOfKeys, rowKey, rowsOfKeys, sampleSeries } from "./judge-panel.ts";
import { naiveAtRows } from "./naive-of.ts";
import { joinUnseen, measureSameRows, type Unseen } from "./same-rows.ts";

/**
 * Measures two models of the same series columns on the newest back-tests of the later one, of at most 300 series. The earlier model
 * predicts the rows that it has not learned; of the others, its own back-tests count.
 *
 * @param history all known rows, with the inputs of the earlier model
 * @returns the reason if they have no such rows in common
 */
export async function comparePanels(
  { older, newer, timestamp }: { older: OpenModel; newer: OpenModel; timestamp: string },
  history: Table,
): Promise<NonNullable<ModelChanges["sameRows"]> | { reason: string }> {
  const stored = await keptKeys(newer);
  if (stored === null)
    return {
      reason: "This model does not name the series of its back-tests. Models trained from now on do.",
    };
  const all = [...new Set(stored)];
  const keys = sampleSeries(all);
  const now = (await keptRows(newer, rowsOfKeys(newer, newer.history!, { timestamp, keys })))!;
  const wanted = new Set(now.keys);
  const known = rowsOfKeys(older, history, { timestamp, keys });
  const isWanted = (row: number) => wanted.has(known.keyOf(row));
  const since = learnedUntil(older);
  const kept = await keptRows(older, {
    ...known,
    rows: known.rows.filter((row) => isWanted(row) && known.times[row]! <= since),
  });
  const rows = known.rows.filter((row) => isWanted(row) && known.times[row]! > since);
  const judged = rows.length === 0 ? null : await judgeRows(older, { history: known.table, timestamp, rows });
  if (judged !== null && "reason" in judged) return judged;
  const later = judged && { judged, keys: Array.from(rows, known.keyOf) };
  const then = kept && later ? joinUnseen(kept, later) : (kept ?? later);
  const measured = then && measureSameRows(then, now);
  if (!measured) return { reason: "The two models have no unseen rows in common." };
  return { ...measured, series: { measured: keys.length, count: all.length } };
}

/** Returns the key of the series of each back-test that training kept; null if the model does not hold it. */
async function keptKeys({ outOfSample, history, state }: OpenModel): Promise<string[] | null> {
  const { series } = (await outOfSample()).validation;
  if (series === null || history === null) return null;
  const keys = indexOnce(history, state.series!.columns).values.map(seriesKey);
  return Array.from(series, (place) => keys[place] ?? "");
}

/** Returns the back-tests that training kept of known rows; null without any. */
async function keptRows(model: OpenModel, { table, rows, keyOf }: RowsOfKeys): Promise<Unseen | null> {
  const { time, actual, predicted } = (await model.outOfSample()).validation;
  const series = await keptKeys(model);
  if (series === null) return null;
  const rowOf = new Map(Array.from(rows, (row) => [keyOf(row), row]));
  const keyAt = (at: number) => rowKey(series[at]!, time[at]!);
  const entries = Int32Array.from(time.keys()).filter((at) => rowOf.has(keyAt(at)));
  const take = (values: Float64Array) => Float64Array.from(entries, (at) => values[at]!);
  const keys = Array.from(entries, keyAt);
  return {
    judged: {
      times: take(time),
      actual: take(actual),
      predicted: take(predicted),
      lower: null,
      upper: null,
      baseline: naiveAtRows(
        model,
        table,
        Int32Array.from(keys, (key) => rowOf.get(key)!),
      ),
      areClasses: false,
    },
    keys,
  };
}
