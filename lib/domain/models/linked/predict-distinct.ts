import type { Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import type { OpenModel } from "#lib/domain/models/open-model";
import { selectExisting } from "#lib/engine/table/columns";
import { distinctRows } from "#lib/engine/table/distinct-rows";

/**
 * Predicts rows of another project's table, or returns the reason why the model cannot. With many series, several rows may take one
 * prediction: that of a region feeds every store of the region.
 */
export async function predictDistinct(
  upstream: OpenModel,
  table: Table,
): Promise<{ predictions: Float64Array; warnings: Warning[] } | { reason: string }> {
  const given = selectExisting(
    table,
    upstream.inputFeatures.map(({ name }) => name),
  );
  const distinct = upstream.state.series ? distinctRows(given) : null;
  const check = upstream.checkInput(distinct?.table ?? given);
  const [issue] = check.issues;
  if (issue) {
    const columns = [...new Set(check.issues.map(({ column }) => `"${column}"`))].join(", ");
    return {
      reason:
        issue.code === "missing_column"
          ? `its model needs ${columns}`
          : `its model cannot use ${columns}: ${issue.message}`,
    };
  }
  const { predictions, warnings } = await upstream.predict(check.table);
  return {
    predictions: distinct ? Float64Array.from(distinct.placeOf, (place) => predictions[place]!) : predictions,
    warnings,
  };
}
