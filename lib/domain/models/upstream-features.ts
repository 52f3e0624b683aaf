import type { NumericColumn, Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import { findColumn, selectExisting, withColumn } from "#lib/engine/table/columns";
import type { OpenModel } from "./open-model.ts";

/** Opens the serving model of an upstream project; null if there is no model. */
export type UpstreamModels = (projectId: string) => Promise<OpenModel | null>;

type WithUpstream = {
  /** The table with a column for each upstream feature that could be computed. */
  table: Table;
  /** Upstream features that are not in the table and cannot be computed, with the reason. */
  absent: { feature: string; reason: string }[];
  warnings: Warning[];
};

/**
 * Adds the upstream features that a model reads and the table lacks. Runs the upstream projects' models on the same
 * rows, recursively. The table must have the columns that the upstream model reads; the timestamp column may have
 * another name.
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
      result.absent.push({
        feature: feature.name,
        reason: "its project is not a dependency, or has no model",
      });
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

/**
 * Returns an upstream model's predictions for the rows of another project's table, or the reason why they are absent.
 */
export async function predictUpstream(
  upstream: OpenModel,
  table: Table,
  timestamp: string | null,
  modelOf: UpstreamModels,
): Promise<UpstreamPredictions | { reason: string }> {
  const own = await addUpstreamFeatures(upstream, withTimesOf(upstream, table, timestamp), modelOf);
  const [missing] = own.absent;
  if (missing) return { reason: `"${missing.feature}" that it needs cannot be computed: ${missing.reason}` };
  const names = upstream.inputFeatures.map(({ name }) => name);
  const check = upstream.checkInput(selectExisting(own.table, names));
  const [issue] = check.issues;
  if (issue) {
    const columns = [...new Set(check.issues.map(({ column }) => `"${column}"`))].join(", ");
    const reason =
      issue.code === "missing_column"
        ? `its model needs ${columns}`
        : `its model cannot use ${columns}: ${issue.message}`;
    return { reason };
  }
  const { predictions, warnings } = await upstream.predict(check.table);
  return { predictions, warnings: [...own.warnings, ...warnings] };
}

/** Copies the timestamp column under the upstream model's name for it. Columns that earlier models read stay. */
function withTimesOf(upstream: OpenModel, table: Table, timestamp: string | null): Table {
  const times = timestamp === null ? undefined : findColumn(table, timestamp);
  if (times === undefined) return table;
  const names = upstream.inputFeatures.filter(({ role }) => role === "timestamp").map(({ name }) => name);
  return names.reduce((result, name) => withColumn(result, { ...times, name }), table);
}
