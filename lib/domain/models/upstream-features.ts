import type { Warning } from "#lib/contract/datasets";
import type { NumericColumn, Table } from "#lib/contract/table";
import { findColumn, withColumn } from "#lib/engine/table/columns";
import type { OpenModel } from "./open-model.ts";

/** Opens the model that predicts for an upstream project, or null where it has none. */
export type UpstreamModels = (projectId: string) => Promise<OpenModel | null>;

export type WithUpstream = {
  /** The table with a column for each upstream feature that could be computed. */
  table: Table;
  /** Upstream features that are neither in the table nor to be computed from it, and why. */
  absent: { feature: string; reason: string }[];
  warnings: Warning[];
};

/**
 * Adds the upstream features that a model reads and the table does not carry, by running the upstream projects' models
 * on the same rows, and theirs before them. A table carries what that needs if it has the columns that the upstream
 * model reads; the column of times may have another name there.
 */
export async function addUpstreamFeatures(
  model: OpenModel,
  table: Table,
  modelOf: UpstreamModels,
): Promise<WithUpstream> {
  const result: WithUpstream = { table, absent: [], warnings: [] };
  for (const feature of model.inputFeatures) {
    if (feature.role !== "upstream" || findColumn(table, feature.name)) continue;
    const upstream = feature.sourceProjectId === null ? null : await modelOf(feature.sourceProjectId);
    if (upstream === null) {
      result.absent.push({ feature: feature.name, reason: "its project is no dependency, or has no model" });
      continue;
    }
    const computed = await predictUpstream(upstream, table, model.state.timestamp, modelOf);
    if ("reason" in computed) {
      result.absent.push({ feature: feature.name, reason: computed.reason });
      continue;
    }
    const column: NumericColumn = { name: feature.name, type: "number", values: computed.predictions };
    result.table = withColumn(result.table, column);
    for (const warning of computed.warnings) {
      result.warnings.push({ ...warning, message: `For "${feature.name}": ${warning.message}` });
    }
  }
  return result;
}

type UpstreamPredictions = { predictions: Float64Array; warnings: Warning[] };

/** An upstream model's predictions for the rows of another project's table, or why there are none. */
export async function predictUpstream(
  upstream: OpenModel,
  table: Table,
  timestamp: string | null,
  modelOf: UpstreamModels,
): Promise<UpstreamPredictions | { reason: string }> {
  const own = await addUpstreamFeatures(upstream, withTimesOf(upstream, table, timestamp), modelOf);
  const [missing] = own.absent;
  if (missing) return { reason: `"${missing.feature}" that it needs cannot be computed: ${missing.reason}` };
  const check = upstream.checkInput(columnsOf(upstream, own.table));
  const [fault] = check.faults;
  if (fault) {
    const columns = [...new Set(check.faults.map(({ column }) => `"${column}"`))].join(", ");
    const reason =
      fault.code === "missing_column"
        ? `its model needs ${columns}`
        : `its model cannot use ${columns}: ${fault.message}`;
    return { reason };
  }
  const { predictions, warnings } = await upstream.predict(check.table);
  return { predictions, warnings: [...own.warnings, ...warnings] };
}

/** The table with the times under the upstream model's own name for them. What models before it read stays. */
function withTimesOf(upstream: OpenModel, table: Table, timestamp: string | null): Table {
  const times = timestamp === null ? undefined : findColumn(table, timestamp);
  if (times === undefined) return table;
  const names = upstream.inputFeatures.filter(({ role }) => role === "timestamp").map(({ name }) => name);
  return names.reduce((result, name) => withColumn(result, { ...times, name }), table);
}

/** The columns that the model reads, as far as they are there. */
function columnsOf({ inputFeatures }: OpenModel, table: Table): Table {
  const columns = inputFeatures.flatMap(({ name }) => findColumn(table, name) ?? []);
  return { rowCount: table.rowCount, columns };
}
