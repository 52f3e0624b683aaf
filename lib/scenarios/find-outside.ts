import { type Outside, outsideTraining } from "#lib/csv/outside-training";
import type { InputFeature } from "#lib/ml/model/input-features";
import { type OutsideSpan, outsideSpans } from "#lib/ml/model/outside-spans";
import { findColumn } from "#lib/ml/table/columns";
import { readScenarioInput } from "./scenario-input.ts";

export type FindOutside = {
  /** Folder of the input. */
  inputKey: string;
  features: InputFeature[];
  /** Rows from 0, as they follow each other in time. */
  order: Int32Array;
};

export type FoundOutside = { features: Outside[]; spans: OutsideSpan[] };

const SPANS_MAX = 200;
const UNSEEN_MAX = 100;

/** Where a scenario's input is outside of what its model was trained on. */
export async function findOutside({ inputKey, features, order }: FindOutside): Promise<FoundOutside> {
  const { table } = await readScenarioInput(inputKey);
  const outside = features.flatMap((feature) => {
    const column = findColumn(table, feature.name);
    const found = column === undefined ? null : outsideTraining(column, feature);
    return found === null ? [] : [{ ...found, unseen: found.unseen?.slice(0, UNSEEN_MAX) ?? null }];
  });
  const named = new Set(outside.map(({ feature }) => feature));
  const concerned = features.filter(({ name }) => named.has(name));
  return { features: outside, spans: outsideSpans(table, concerned, order, SPANS_MAX) };
}
