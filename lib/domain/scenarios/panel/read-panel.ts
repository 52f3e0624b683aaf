import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import { type PanelColumns, type PanelRows, panelRows } from "#lib/engine/panel/panel-rows";
import { selectColumns } from "#lib/engine/table/columns";
import { TableJoin } from "#lib/engine/table/concat";

export type ReadPanel = {
  /** Folder of the input. */
  inputKey: string;
  series: PanelColumns;
  /** Time of each row, epoch milliseconds. */
  timestamps: Float64Array;
};

/**
 * Reads the series of the rows of a scenario's input, block by block.
 *
 * @throws the errors of `StoredInput.rows`
 */
export async function readPanel({ inputKey, series, timestamps }: ReadPanel): Promise<PanelRows> {
  const input = await StoredInput.open(inputKey);
  const names = [...series.columns, ...series.levels];
  const join = new TableJoin(input.rowCount);
  for await (const block of input.rows()) join.add(selectColumns(block, names));
  return panelRows(join.table, timestamps, series);
}
