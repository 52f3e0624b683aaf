import type { Table } from "#lib/contract/table";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import type { PanelAlignment } from "#lib/engine/panel/align-panels";
import type { Alignable } from "#lib/engine/series/align";
import { type ChangedInput, ChangedInputs, changedInputs } from "#lib/engine/series/changed-inputs";
import { alignCompared } from "./compared-rows.ts";
import { areInOrder, inLockstep } from "./lockstep.ts";

type DifferingInputs = {
  /** Each scenario with the row count and the times of its predictions. */
  scenarios: ({ scenarioId: string; inputKey: string } & Alignable)[];
  baselineId: string;
  /** Names of the column with the time of each row. Scenarios aligned by time have equal times wherever both have a row. */
  timeColumns: readonly string[];
  /** Rows of panels, matched by series and time. */
  aligned?: PanelAlignment | undefined;
};

/**
 * Runs `changedInputs` on stored inputs, with at most one block of each input in memory.
 *
 * @throws the errors of `alignCompared` and `StoredInput.rows`
 */
export async function differingInputs({
  scenarios,
  baselineId,
  timeColumns,
  aligned,
}: DifferingInputs): Promise<ChangedInput[]> {
  const inputs = await Promise.all(scenarios.map(({ inputKey }) => StoredInput.open(inputKey)));
  const alignment = aligned ?? alignCompared(scenarios);
  const points = { length: alignment.length, rowOf: alignment.isPlain ? null : alignment.rowOf };
  const ignored = "timestamps" in alignment && alignment.timestamps === null ? [] : timeColumns;
  const changed = (tables: readonly Table[], length: number, rowOf: Int32Array[] | null) =>
    changedInputs(
      tables.map((table, index) => ({ scenarioId: scenarios[index]!.scenarioId, table })),
      baselineId,
      { timestamps: null, length, rowOf: rowOf ?? [], isPlain: rowOf === null },
      ignored,
    );
  // Only the rows of an imported model may come in any order.
  if (!areInOrder(points)) {
    const tables = await Promise.all(inputs.map((input) => input.readAll()));
    return changed(tables, points.length, points.rowOf);
  }
  const all = new ChangedInputs(
    inputs.map(({ columns }, index) => ({
      scenarioId: scenarios[index]!.scenarioId,
      columns: columns.map(({ name }) => name),
    })),
    baselineId,
  );
  for await (const { tables, length, rowOf } of inLockstep(inputs, points))
    all.add(changed(tables, length, rowOf));
  return all.all;
}
