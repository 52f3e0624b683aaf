import type { TimedPredictions } from "#lib/domain/scenarios/chunks/read-predictions";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { readInputNotes } from "#lib/domain/scenarios/run/scenario-input";
import type { PanelColumns, PanelRows } from "#lib/engine/panel/panel-rows";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import { nullIfNotFound } from "#lib/platform/storage/storage-errors";
import { runPanelTask } from "./panel-tasks.ts";

type Scenario = Pick<ScenarioRow["scenario"], "runId" | "inputKey" | "rowCount">;

/** Both caches are by run, because the input of a completed run never changes. */
const columnsOf = new LruCache<PanelColumns | null>(10_000);
/** Memory for the series of all panels: two of the longest scenarios, with some thousand series each. */
const BYTES_MAX = 96 * 1024 * 1024;
const panels = new LruCache<PanelRows>(200, BYTES_MAX);

/** Returns the columns that name the series of a completed scenario's rows; null for one series. */
export function panelColumns(scenario: Scenario): Promise<PanelColumns | null> {
  return columnsOf.get(scenario.runId, async () => {
    // Without an input, the scenario is being deleted.
    if (scenario.inputKey === null) return null;
    const notes = await nullIfNotFound(readInputNotes(scenario.inputKey));
    return notes?.series ?? null;
  });
}

/**
 * Cost of a row, in the bytes by which `taskRunner` chooses between this thread and a new one. The event loop runs other work
 * after each block of the input.
 */
const COST_PER_ROW = 1;

/**
 * Reads the series of a completed scenario's rows. Caches them, because each drill-down needs them.
 *
 * @returns null for a scenario with one series
 * @throws {ArtifactNotFoundError} if the scenario was deleted during the request
 */
export async function cachedPanel(
  scenario: Scenario,
  { timestamps }: Pick<TimedPredictions, "timestamps">,
): Promise<PanelRows | null> {
  const series = await panelColumns(scenario);
  if (series === null || timestamps === null) return null;
  return panels.get(scenario.runId, async (weigh) => {
    const request = { inputKey: scenario.inputKey!, series, timestamps };
    const panel = await runPanelTask("read", request, { bytes: timestamps.length * COST_PER_ROW });
    weigh(bytesOf(panel));
    return panel;
  });
}

/** Bytes of a short text in a list. */
const TEXT_BYTES = 48;

const bytesOf = ({ ofRow, timeOf, times, values, columns }: PanelRows) =>
  ofRow.byteLength + timeOf.byteLength + times.byteLength + values.length * columns.length * TEXT_BYTES;
