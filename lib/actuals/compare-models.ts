import type { Database } from "#db/client";
import type { ModelChanges } from "#lib/contract/actuals";
import type { Table } from "#lib/contract/table";
import { findColumn } from "#lib/ml/table/columns";
import { type OpenModel, openModel } from "#lib/models/open-model";
import { judgeModel } from "./judge-model.ts";
import { learnedUntil } from "./learned-until.ts";
import { type Judged, measure } from "./measure.ts";
import { servingSeries } from "./serving-series.ts";

type Stored = { projectId: string; artifactKey: string; sha256: string };
type SameRows = Pick<ModelChanges, "sameRows" | "reason">;

const not = (reason: string): SameRows => ({ sameRows: null, reason });

/**
 * Both models on the later one's validation rows, as far as the earlier one has not learned from them: each from the
 * same known rows, as in validation.
 */
export async function compareModels(db: Database, before: Stored, after: Stored): Promise<SameRows> {
  const [older, newer] = await Promise.all([
    openModel(before.artifactKey, before.sha256),
    openModel(after.artifactKey, after.sha256),
  ]);
  const { timestamp, target } = newer.state;
  if (newer.state.imported || older.state.imported)
    return not("A model from outside keeps no rows that both could be measured on.");
  if (timestamp === null || newer.history === null || older.state.timestamp !== timestamp)
    return not("Without times it cannot be told which rows neither of the two has learned from.");
  if (older.state.target !== target) return not(`The model before predicts "${older.state.target}".`);
  const since = Math.max(learnedUntil(newer), learnedUntil(older));
  const rows = { timestamp, since };
  const now = await judgeModel(newer, { ...rows, history: newer.history });
  const history = await historyFor(db, older, newer.history, before);
  const then = history && (await judgeModel(older, { ...rows, history }));
  if (now === null || then === null)
    return not("The model before has learned from all rows that this one was measured on.");
  for (const judged of [now, then]) if ("reason" in judged) return not(judged.reason);
  return measured(then as Judged, now as Judged);
}

/** What the earlier model looks back at: the later one's rows where they have all that it reads, else the project's. */
async function historyFor(
  db: Database,
  older: OpenModel,
  history: Table,
  { projectId, ...folder }: Stored,
): Promise<Table | null> {
  if (older.inputFeatures.every(({ name }) => findColumn(history, name))) return history;
  const series = await servingSeries(db, projectId, { checkpointId: null, ...folder });
  return series.history(projectId);
}

/** Over the rows that both could predict. */
function measured(then: Judged, now: Judged): SameRows {
  const start = Math.max(then.times[0]!, now.times[0]!);
  const end = Math.min(then.times.at(-1)!, now.times.at(-1)!);
  const within = (judged: Judged) => {
    const from = judged.times.findIndex((time) => time >= start);
    const to = judged.times.findLastIndex((time) => time <= end) + 1;
    return measure(judged, from, to);
  };
  const [before, after] = [within(then), within(now)];
  if (before === null || after === null) return not("The two models have no row in common.");
  const instant = (time: number) => new Date(time).toISOString();
  return { sameRows: { from: instant(start), to: instant(end), before, after }, reason: null };
}
