import type { Table } from "#lib/contract/table";
import { openModel } from "#lib/domain/models/open-model";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import type { InputChange } from "#lib/engine/what-if/input-changes";
import { sensitivities } from "#lib/engine/what-if/sensitivity";
import type { TriedRows } from "#lib/engine/what-if/tried-rows";

/** A span of a scenario to predict with changed inputs, as plain data for a thread. */
export type SpanSource = Omit<TriedRows, "table"> & {
  /** Folder of the checkpoint. */
  artifactKey: string;
  /** Folder of the scenario's input. */
  inputKey: string;
  /** Rows to read, from 0; a number: that many rows from the first. */
  rows: Int32Array | number;
  /** Known rows of the series. Undefined: the rows that the model keeps. */
  history: Table | undefined;
};

/**
 * Reads the rows to try, and opens their model.
 *
 * @throws the errors of `StoredInput.take` and `StoredInput.readAll`
 */
export async function readSpan({
  artifactKey,
  inputKey,
  rows,
}: Pick<SpanSource, "artifactKey" | "inputKey" | "rows">) {
  const model = await openModel(artifactKey);
  const input = await StoredInput.open(inputKey);
  const table = await (typeof rows === "number" ? input.readAll(rows) : input.take(rows));
  return { model, table, generated: input.generated };
}

type TryInputs = SpanSource & {
  /** Names of the features to change. */
  features: readonly string[];
  change: InputChange;
  withCurves: boolean;
};

/**
 * Measures the effect of each input on a scenario's predictions.
 *
 * @throws the errors of `readSpan`
 */
export async function tryInputs({ artifactKey, inputKey, rows, history, ...request }: TryInputs) {
  const { model, table } = await readSpan({ artifactKey, inputKey, rows });
  const predict = async (changed: Table) => (await model.predict(changed, { history })).predictions;
  const { features: names, change, withCurves, ...span } = request;
  const features = names.map((name) => model.inputFeatures.find((feature) => feature.name === name)!);
  const training = trainingRows(model);
  return sensitivities(predict, { table, ...span }, { features, change, withCurves, training });
}

/** Returns the training rows that a model keeps; null without such rows. */
export const trainingRows = ({ history, heldOut }: { history: Table | null; heldOut: Table | null }) =>
  history ?? heldOut;
