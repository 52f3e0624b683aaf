import { type Outside, outsideTraining } from "#lib/csv/outside-training";
import type { InputFeature } from "#lib/ml/model/input-features";
import { type OutsideSpan, outsideSpans } from "#lib/ml/model/outside-spans";
import { findColumn } from "#lib/ml/table/columns";
import { readScenarioInput } from "./stored-input.ts";

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

/** Where scenarios' inputs are outside of what their models were trained on; one is read after the other. */
export async function findOutside(inputs: readonly FindOutside[]): Promise<FoundOutside[]> {
  const found: FoundOutside[] = [];
  for (const input of inputs) found.push(await findInOne(input));
  return found;
}

async function findInOne({ inputKey, features, order }: FindOutside): Promise<FoundOutside> {
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
