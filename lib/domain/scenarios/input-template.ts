import type { InputFeature } from "#lib/contract/models";
import type { Column, Table } from "#lib/contract/table";
import type { SeriesFacts } from "#lib/domain/models/linked/known-rows";
import { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { withTime } from "#lib/domain/models/linked/series-tables";
import { createGrid } from "#lib/engine/features/grid";
import { dateRuleReader } from "#lib/engine/time/date-rule";
import type { Context } from "#lib/platform/context/context";
import { resolveMain } from "./run/resolve-models.ts";

/**
 * Returns a template of a scenario's input: the header and one example row. The row is one step after the last known
 * row, with median values of the training data, and the values of that date where a column follows from it. It has no upstream features, because the service computes them.
 *
 * @throws {DomainError} the errors of `resolveMain`
 */
export async function inputTemplate(
  { db }: Pick<Context, "db">,
  { projectId, checkpointId }: { projectId: string; checkpointId?: string | undefined },
): Promise<{ title: string; parts: Generator<Table> }> {
  const main = await resolveMain(db, projectId, checkpointId?.toLowerCase() ?? null);
  const models = new LinkedSeries(db, new Map([[projectId, main.artifactKey]]));
  const { model, facts } = await models.project(projectId);
  const features = facts === null ? model.inputFeatures : withTime(model.inputFeatures, facts.timestamp);
  const { timestampColumns, numberFormats = [] } = model.inputFormat;
  const withComma = new Set(
    numberFormats.filter(({ decimalMark }) => decimalMark === ",").map(({ column }) => column),
  );
  const columns = features
    .filter(({ name, role }) => role !== "upstream" && !timestampColumns?.slice(1).includes(name))
    .map((feature) => exampleColumn(feature, facts, withComma.has(feature.name)));
  return { title: "Scenario template", parts: inOnePart({ rowCount: 1, columns }) };
}

function* inOnePart(table: Table): Generator<Table> {
  yield table;
}

/** @param hasComma whether files write the column's numbers with a decimal comma */
function exampleColumn(
  { name, type, role, median, min, max, categories, dateRule }: InputFeature,
  facts: SeriesFacts | null,
  hasComma: boolean,
): Column {
  const time = nextTime(facts);
  const dated = dateRule && time !== null ? dateRuleReader(dateRule)(time) : null;
  if (type === "category") {
    const text = String(dated ?? categories?.[0] ?? "example");
    return { name, type, codes: Int32Array.of(0), categories: [text] };
  }
  if (role === "timestamp" || type === "timestamp") {
    const at = name === facts?.timestamp ? time : median;
    return { name, type: "timestamp", values: Float64Array.of(at ?? max ?? Date.UTC(2026, 0, 1)) };
  }
  const value = dated === null ? (median ?? 0) : Number(dated);
  const whole = Math.round(value);
  if (type === "boolean") return { name, type, values: Float64Array.of(whole) };
  const short = Number(value.toPrecision(4));
  // A rounded number outside the training range would give a warning.
  const isWithin = (number: number) => number >= (min ?? number) && number <= (max ?? number);
  const example = (hasComma ? [whole, short] : [short]).find(isWithin) ?? value;
  if (!hasComma) return { name, type, values: Float64Array.of(example) };
  const text = String(example).replace(".", ",");
  return { name, type: "category", codes: Int32Array.of(0), categories: [text] };
}

/** Returns the time after the last known row; the last known time itself if the series has no regular step. */
function nextTime(facts: SeriesFacts | null): number | null {
  if (!facts?.grid || facts.lastTimestamp === null) return facts?.lastTimestamp ?? null;
  const grid = createGrid(facts.grid);
  return grid.timeAt(grid.indexOf(facts.lastTimestamp) + 1);
}
