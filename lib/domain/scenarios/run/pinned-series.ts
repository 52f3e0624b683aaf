import type { NumericColumn, Table } from "#lib/contract/table";
import type { OpenModel } from "#lib/domain/models/open-model";
import { predictUpstream } from "#lib/domain/models/upstream-features";
import { createGrid } from "#lib/engine/features/grid";
import { type GeneratedInputs, generateInputs } from "#lib/engine/forecasting/generate-inputs";
import { lastNotAfter } from "#lib/engine/series/window";
import { findColumn, numericValues, withColumn } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import { takeRows } from "#lib/engine/table/rows";
import { memoize } from "#lib/platform/concurrency/memoize";
import { type DomainError, issueError } from "#lib/platform/errors/domain-error";
import { newerRows } from "./known-rows.ts";
import { PinnedModels } from "./pinned-models.ts";
import { whyOutOfReach } from "./plan-generation.ts";
import { carriesInputsOf } from "./rows-for-upstream.ts";
import { inputsOf, isBeyond, joinColumns, rowsUntil, withRequiredValues } from "./series-tables.ts";

/** Known rows of each model, which are valid while their sources stay the same. */
const histories = new WeakMap<OpenModel, { sources: unknown[]; history: Promise<Table | null> }>();

/**
 * Known rows and predictions of a scenario's models. Reads each project's known rows once. Upstream projects predict before
 * the projects that use their predictions.
 */
export class PinnedSeries extends PinnedModels {
  readonly #histories = new Map<string, Promise<Table | null>>();

  /**
   * Returns a project's known rows in ascending time order: the rows kept with its model, then newer dataset rows. Null
   * without times or without known rows.
   *
   * @throws {DomainError | GenerationImpossible} the errors of `addUpstream`, for newer rows
   */
  history(projectId: string): Promise<Table | null> {
    return memoize(this.#histories, projectId, async () => {
      const { model } = await this.project(projectId);
      const sources = await this.#sources(projectId);
      const before = histories.get(model);
      if (before?.sources.length === sources.length && before.sources.every((one, i) => one === sources[i]))
        return before.history;
      const history = this.#joinHistory(projectId);
      histories.set(model, { sources, history });
      history.catch(() => histories.delete(model));
      return history;
    });
  }

  async #joinHistory(projectId: string): Promise<Table | null> {
    const { model, facts, dataset } = await this.project(projectId);
    if (facts === null) return null;
    const newer = await newerRows(model, facts, dataset);
    if (newer === null) return model.history;
    const { table: complete } = await this.addUpstream(projectId, newer.own, newer.others, "time");
    return model.history === null ? complete : concatTables([model.history, complete]);
  }

  /** Returns the models and dataset versions that a project's known rows depend on, including its upstream projects'. */
  async #sources(projectId: string): Promise<unknown[]> {
    const { model, dataset } = await this.project(projectId);
    const upstream = model.upstream.filter(({ sourceProjectId }) => this.has(sourceProjectId));
    const theirs = await Promise.all(upstream.map(({ sourceProjectId }) => this.#sources(sourceProjectId)));
    return [model, dataset?.id, ...theirs.flat()];
  }

  /** Returns the project's model, which looks back at the newest known rows of the project. */
  async newestModel(projectId: string): Promise<OpenModel> {
    const { model, facts } = await this.project(projectId);
    // Without newer rows, the rows that the model keeps need not be put on its grid again.
    const newest = facts?.plannedUntil ?? null;
    if (model.state.grid === null || newest === null || newest === model.state.lastTimestamp) return model;
    const history = (await this.history(projectId)) ?? undefined;
    return { ...model, predict: (table, options) => model.predict(table, { history, ...options }) };
  }

  /**
   * Returns the known rows up to a time (epoch milliseconds). For null it returns undefined: the model uses the rows that
   * it keeps.
   */
  async historyUntil(projectId: string, until: number | null): Promise<Table | undefined> {
    const { model, facts } = await this.project(projectId);
    if (facts === null || until === null) return undefined;
    // Without newer rows, their upstream features need not be computed.
    const isKept = until <= (model.state.lastTimestamp ?? Number.NEGATIVE_INFINITY);
    const history = isKept && model.history !== null ? model.history : await this.history(projectId);
    if (history === null) return undefined;
    return rowsUntil(history, facts.timestamp, until);
  }

  /**
   * Generates the project's input from the step after its last known row to `endDate`, without upstream features. Uses
   * the inputs of planned rows.
   *
   * @throws {GenerationImpossible}
   */
  async generate(projectId: string, endDate: number | null): Promise<GeneratedInputs> {
    const { model, facts } = await this.project(projectId);
    if (facts === null) return generateInputs(model, {});
    const source = {
      state: facts,
      inputFeatures: model.inputFeatures,
      history: await this.history(projectId),
      heldOut: null,
    };
    return generateInputs(source, { endDate });
  }

  /**
   * Adds the upstream features that the table lacks. `added` lists them; `generated` lists those of them that were predicted
   * from generated inputs.
   *
   * @param upstreamOnly columns of a file that only upstream models read. If the file has all inputs of an upstream
   *   model, the model predicts from its rows, as for `/predict`. Otherwise, or if this is null, it predicts by time.
   * @param prefer what a model predicts from if it can predict from the rows and by time
   * @throws {DomainError} input_invalid for a feature that cannot be computed
   * @throws {GenerationImpossible}
   */
  async addUpstream(
    projectId: string,
    table: Table,
    upstreamOnly: Table | null = null,
    prefer: "rows" | "time" = "rows",
  ): Promise<{ table: Table; added: string[]; generated: string[] }> {
    const { model, facts } = await this.project(projectId);
    let result = table;
    const added: string[] = [];
    const generated: string[] = [];
    for (const { name, role, sourceProjectId } of model.inputFeatures) {
      if (role !== "upstream" || findColumn(table, name)) continue;
      if (!this.has(sourceProjectId)) throw notComputableError(name);
      const isByTime = prefer === "time" && facts !== null && (await this.#hasKnownRows(sourceProjectId));
      const fromRows =
        upstreamOnly && !isByTime
          ? await this.#predictionsOfRows(
              sourceProjectId,
              joinColumns(table, upstreamOnly),
              facts?.timestamp ?? null,
            )
          : null;
      if (fromRows === null && facts === null) throw notComputableError(name);
      const times = fromRows === null ? numericValues(table, facts!.timestamp) : new Float64Array();
      const values = fromRows ?? (await this.predictionsAt(sourceProjectId, times));
      const { facts: theirs } = await this.project(sourceProjectId);
      if (theirs && isBeyond(theirs, latestOf(times))) generated.push(name);
      const column: NumericColumn = { name, type: "number", values };
      result = withColumn(result, column);
      added.push(name);
    }
    return { table: result, added, generated };
  }

  /** Returns whether the project's model can predict by time. */
  async #hasKnownRows(projectId: string): Promise<boolean> {
    const { facts } = await this.project(projectId);
    return facts !== null && (await this.history(projectId)) !== null;
  }

  /** Returns whether rows with these columns have all inputs of an upstream model. */
  carriesInputs(upstream: OpenModel, names: ReadonlySet<string>): Promise<boolean> {
    return carriesInputsOf(upstream, names, (id) => this.modelOf(id));
  }

  /** Returns an upstream project's predictions from rows of a file; null if the rows lack inputs of its model. */
  async #predictionsOfRows(
    projectId: string,
    rows: Table,
    timestamp: string | null,
  ): Promise<Float64Array | null> {
    const upstream = await this.newestModel(projectId);
    const names = new Set(rows.columns.map(({ name }) => name));
    if (!(await this.carriesInputs(upstream, names))) return null;
    const result = await predictUpstream(upstream, rows, timestamp, async (id) =>
      this.has(id) ? this.newestModel(id) : null,
    );
    return "reason" in result ? null : result.predictions;
  }

  async withUpstream(projectId: string, table: Table): Promise<Table> {
    return (await this.addUpstream(projectId, table)).table;
  }

  /**
   * Returns the predictions of the project's pinned model for these times (epoch milliseconds), one value per time. A time
   * takes the prediction of the step of the project's series that it falls into. Known steps are predicted from their known
   * inputs, later steps from generated inputs. A time before the series gets NaN, a time in a gap the previous step's value.
   * A known step that lacks a required input is a gap.
   *
   * @throws {DomainError} input_invalid without known rows, or for a time that the series cannot be extended to
   */
  async predictionsAt(projectId: string, times: Float64Array): Promise<Float64Array> {
    const { model, facts } = await this.project(projectId);
    const history = await this.history(projectId);
    if (facts === null || history === null) throw notComputableError(model.state.target);
    const latest = latestOf(times);
    const observed = rowsUntil(history, facts.timestamp, facts.lastTimestamp ?? latest);
    const parts = [withRequiredValues(model, inputsOf(model, observed, facts.timestamp))];
    const known = parts[0]!.rowCount;
    if (isBeyond(facts, latest)) {
      const why = whyOutOfReach(facts, latest);
      if (why !== null) throw outOfReachError(model.state.target, why);
      const { table } = await this.generate(projectId, latest);
      parts.push(inputsOf(model, table, facts.timestamp));
    }
    const steps = concatTables(parts);
    const stepTimes = numericValues(steps, facts.timestamp);
    const cell = facts.grid === null ? (time: number) => time : createGrid(facts.grid).indexOf;
    const places = stepTimes.map(cell);
    const rowOf = Int32Array.from(times, (time) => lastNotAfter(places, cell(time)));
    // Steps after the known ones build on each other, so all of them are predicted. Known steps are predicted only if requested.
    const wanted = new Set<number>(rowOf.filter((row) => row >= 0));
    for (let row = known; row < steps.rowCount; row++) wanted.add(row);
    const rows = Int32Array.from(wanted).sort();
    const input = await this.withUpstream(projectId, takeRows(steps, rows));
    const { predictions } = await model.predict(input, { history });
    const place = new Map(Array.from(rows, (row, at) => [row, at]));
    return Float64Array.from(rowOf, (row) => (row < 0 ? Number.NaN : predictions[place.get(row)!]!));
  }
}

const latestOf = (times: Float64Array) =>
  times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY);

function notComputableError(feature: string): DomainError {
  const message = `"${feature}" is the prediction of an upstream project and cannot be computed here. Add the column to the CSV.`;
  return issueError("input_invalid", { column: feature, code: "missing_column", message });
}

function outOfReachError(target: string, why: string): DomainError {
  const message = `"${target}" is the prediction of an upstream project and cannot be computed, because ${why}. Append newer rows to the upstream project.`;
  return issueError("input_invalid", { column: target, code: "missing_column", message });
}
