import type { Database } from "#db/client";
import type { ModelChanges } from "#lib/contract/actuals";
import type { Table } from "#lib/contract/table";
import { type OpenModel, openModel } from "#lib/domain/models/open-model";
import { servingSeries } from "#lib/domain/predictions/serving-series";
import { findColumn } from "#lib/engine/table/columns";
import { judgeOutOfSample } from "./judge-out-of-sample.ts";
import { type Judged, measure, takeJudged } from "./measure.ts";

type Stored = { projectId: string; artifactKey: string; sha256: string };
type SameRows = Pick<ModelChanges, "sameRows" | "reason">;

const not = (reason: string): SameRows => ({ sameRows: null, reason });

/** Errors of both models on the rows that neither had seen when it predicted them. */
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
  const now = await judgeOutOfSample(newer, { timestamp, history: newer.history });
  const history = await historyFor(db, older, newer.history, before);
  const then = history && (await judgeOutOfSample(older, { timestamp, history }));
  if (now === null || then === null)
    return not("One of the two keeps no predictions of rows that it had not seen.");
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

/** Over the rows that both have predicted. */
function measured(then: Judged, now: Judged): SameRows {
  const predictedNow = new Set(now.times);
  const shared = new Set(then.times.filter((time) => predictedNow.has(time)));
  const within = (judged: Judged) => {
    const rows = Int32Array.from(judged.times.keys()).filter((row) => shared.has(judged.times[row]!));
    return takeJudged(judged, rows);
  };
  const [before, after] = [measure(within(then)), measure(within(now))];
  if (before === null || after === null)
    return not("There is no row that neither of the two had seen when it predicted it.");
  const times = [...shared];
  const instant = (time: number) => new Date(time).toISOString();
  const from = instant(times.reduce((a, b) => Math.min(a, b)));
  const to = instant(times.reduce((a, b) => Math.max(a, b)));
  return { sameRows: { from, to, before, after }, reason: null };
}
