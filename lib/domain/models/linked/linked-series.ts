import type { NumericColumn, Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import type { OpenModel } from "#lib/domain/models/open-model";
import { generateInputs } from "#lib/engine/forecasting/generate-inputs";
import type { GeneratedInputs } from "#lib/engine/forecasting/generation";
import { findColumn, numericValues, withColumn } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import { takeRows } from "#lib/engine/table/rows";
import { memoize } from "#lib/platform/concurrency/memoize";
import { newerRows, whyOutOfReach } from "./known-rows.ts";
import { LinkedModels, type LinkedProject } from "./linked-models.ts";
import { predictDistinct } from "./predict-distinct.ts";
import { rowsOfChosen } from "./rows-of-chosen.ts";
import { inputsOf, isBeyond, joinColumns, knownSteps, rowsUntil, withTimesOf } from "./series-tables.ts";
import { stepsOfRows, whyNotJoined } from "./steps-of-rows.ts";
import { notComputableError, outOfReachError } from "./upstream-errors.ts";

/** Source of the upstream predictions that an input lacks. */
type UpstreamSource = {
  /** Columns of a file that only upstream models read. Null: the rows are of no file, so models predict by time. */
  upstreamOnly?: Table | null;
  /**
   * "rows": a model predicts from the rows if they have all of its inputs, otherwise by time. "time": by time if it can.
   * "rows only": from the rows.
   */
  prefer?: "rows" | "time" | "rows only";
};

type WithUpstream = {
  /** The table with a column for each upstream feature that could be computed. */
  table: Table;
  /** Names of these features. */
  added: string[];
  /** Those of them that were predicted from generated inputs. */
  generated: string[];
  /** Features that are not in the table and cannot be computed, with the reason. */
  absent: { feature: string; reason: string }[];
  warnings: Warning[];
};

type UpstreamPredictions = { predictions: Float64Array; isGenerated: boolean; warnings: Warning[] };
type Unavailable = { reason: string };

/** Known rows of each model, which are valid while their sources stay the same. */
const histories = new WeakMap<OpenModel, { sources: unknown[]; history: Promise<Table | null> }>();

/**
 * The series of a project and of its upstream projects, each with the one model that predicts for it. Reads the known
 * rows of each project once. Upstream projects predict before the projects that use their predictions.
 */
export class LinkedSeries extends LinkedModels {
  readonly #histories = new Map<string, Promise<Table | null>>();

  /**
   * Returns a project's known rows in ascending time order: the rows kept with its model, then newer dataset rows. Null
   * without times or without known rows.
   *
   * @throws {DomainError | GenerationImpossible} the errors of `withUpstream`, for newer rows
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
    const source = { upstreamOnly: newer.others, prefer: "time" } as const;
    const { table: complete } = await this.withUpstream(projectId, newer.own, source);
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
    const { model } = await this.project(projectId);
    const history = await this.newestHistory(projectId);
    if (history === undefined) return model;
    return { ...model, predict: (table, options) => model.predict(table, { history, ...options }) };
  }

  /** Returns the newest known rows of the project; undefined if the rows that the model keeps are the newest. */
  async newestHistory(projectId: string): Promise<Table | undefined> {
    const { model, facts } = await this.project(projectId);
    // Without newer rows, the rows that the model keeps need not be put on its grid again. Of many series, some may have newer
    // rows that are older than the newest row of others.
    const newest = facts?.plannedUntil ?? null;
    const isKept = newest === model.state.lastTimestamp && !model.state.series;
    if (model.state.grid === null || newest === null || isKept) return undefined;
    const history = await this.history(projectId);
    return history === null || history === model.history ? undefined : history;
  }

  /**
   * Returns the known rows up to a time (epoch milliseconds). For null it returns undefined: the model uses the rows that
   * it keeps.
   *
   * @param chosen keys of the series whose rows are needed, for a model of many series; undefined: all
   */
  async historyUntil(
    projectId: string,
    until: number | null,
    chosen?: ReadonlySet<string>,
  ): Promise<Table | undefined> {
    const { model, facts } = await this.project(projectId);
    if (facts === null || until === null) return undefined;
    // Without newer rows, their upstream features need not be computed.
    const isKept = !model.state.series && until <= (model.state.lastTimestamp ?? Number.NEGATIVE_INFINITY);
    const history = isKept && model.history !== null ? model.history : await this.history(projectId);
    if (history === null) return undefined;
    const { target, series } = model.state;
    if (!series || chosen === undefined) return rowsUntil(history, facts.timestamp, until);
    const names = { columns: series.columns, timestamp: facts.timestamp, target };
    return rowsOfChosen(history, names, { chosen, until });
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
      state: { ...facts, series: model.state.series },
      inputFeatures: model.inputFeatures,
      history: await this.history(projectId),
      heldOut: null,
    };
    return generateInputs(source, { endDate });
  }

  /** Adds the upstream features that the table lacks, each from the model of its project. */
  async addUpstream(
    projectId: string,
    table: Table,
    { upstreamOnly = null, prefer = "rows" }: UpstreamSource = {},
  ): Promise<WithUpstream> {
    const project = await this.project(projectId);
    const rows = upstreamOnly && joinColumns(table, upstreamOnly);
    const result: WithUpstream = { table, added: [], generated: [], absent: [], warnings: [] };
    for (const { name, role, sourceProjectId } of project.model.inputFeatures) {
      if (role !== "upstream" || findColumn(table, name)) continue;
      const found = this.has(sourceProjectId)
        ? await this.#upstreamPredictions(sourceProjectId, { project, table, rows, prefer })
        : { reason: "its project is not a dependency, or has no model" };
      if ("reason" in found) {
        result.absent.push({ feature: name, reason: found.reason });
        continue;
      }
      const column: NumericColumn = { name, type: "number", values: found.predictions };
      result.table = withColumn(result.table, column);
      result.added.push(name);
      if (found.isGenerated) result.generated.push(name);
      for (const warning of found.warnings)
        result.warnings.push({ ...warning, message: `For "${name}": ${warning.message}` });
    }
    return result;
  }

  /**
   * Adds the upstream features that the table lacks.
   *
   * @throws {DomainError} input_invalid for a feature that cannot be computed
   * @throws {GenerationImpossible}
   */
  async withUpstream(projectId: string, table: Table, source?: UpstreamSource): Promise<WithUpstream> {
    const result = await this.addUpstream(projectId, table, source);
    if (result.absent.length > 0) throw notComputableError(result.absent[0]!.feature);
    return result;
  }

  async #upstreamPredictions(
    upstreamId: string,
    {
      project: { facts },
      table,
      rows,
      prefer,
    }: { project: LinkedProject; table: Table; rows: Table | null; prefer: UpstreamSource["prefer"] },
  ): Promise<UpstreamPredictions | Unavailable> {
    const timestamp = facts?.timestamp ?? null;
    if (prefer === "rows only") return this.predictRows(upstreamId, table, timestamp);
    const theirs = await this.project(upstreamId);
    const isByTime = prefer === "time" && facts !== null && theirs.facts !== null;
    if (rows !== null && !(isByTime && (await this.history(upstreamId)) !== null)) {
      const names = new Set(rows.columns.map(({ name }) => name));
      if (await this.carriesInputs(theirs.model, names, facts !== null)) {
        const found = await this.predictRows(upstreamId, rows, timestamp);
        if (!("reason" in found)) return found;
      }
    }
    if (facts === null) return { reason: "the rows have no timestamps to join by" };
    const { target, series } = theirs.model.state;
    const reason = whyNotJoined(table, target, series?.columns);
    if (reason !== null) return { reason };
    const times = numericValues(table, facts.timestamp);
    return {
      predictions: await this.predictionsAt(upstreamId, { times, table }),
      isGenerated: theirs.facts !== null && isBeyond(theirs.facts, latestOf(times)),
      warnings: [],
    };
  }

  /**
   * Returns an upstream model's predictions for the rows of another project's table, or the reason why they cannot be
   * computed. The rows must have the columns that the model reads; the timestamp column may have another name.
   */
  async predictRows(
    upstreamId: string,
    table: Table,
    timestamp: string | null,
  ): Promise<UpstreamPredictions | Unavailable> {
    const upstream = await this.newestModel(upstreamId);
    const timed = withTimesOf(upstream, table, timestamp);
    const own = await this.addUpstream(upstreamId, timed, { prefer: "rows only" });
    const [missing] = own.absent;
    if (missing)
      return { reason: `"${missing.feature}" that it needs cannot be computed: ${missing.reason}` };
    const found = await predictDistinct(upstream, own.table);
    if ("reason" in found) return found;
    return { ...found, isGenerated: false, warnings: [...own.warnings, ...found.warnings] };
  }

  /**
   * Returns the predictions of the project's model for the rows of another project's table, at these times (epoch milliseconds).
   * A time takes the prediction of the step of the project's series that it falls into, of many series of the one that the row
   * names. Known steps are predicted from their known inputs, later steps from generated inputs. A time before the series gets
   * NaN, a time in a gap the previous step's value. A known step that lacks a required input is a gap.
   *
   * @throws {DomainError} input_invalid without known rows, or for a time that the series cannot be extended to
   */
  async predictionsAt(
    projectId: string,
    wanted: { times: Float64Array; table: Table },
  ): Promise<Float64Array> {
    const { model, facts } = await this.project(projectId);
    const history = await this.history(projectId);
    if (facts === null || history === null) throw notComputableError(model.state.target);
    const latest = latestOf(wanted.times);
    const parts = [knownSteps(model, facts, history)];
    const known = parts[0]!.rowCount;
    if (isBeyond(facts, latest)) {
      const why = whyOutOfReach(facts, latest);
      if (why !== null) throw outOfReachError(model.state.target, why);
      const { table } = await this.generate(projectId, latest);
      parts.push(inputsOf(model, table, facts.timestamp));
    }
    const steps = concatTables(parts);
    const { timestamp, grid } = facts;
    const columns = model.state.series?.columns ?? [];
    const rowOf = stepsOfRows(steps, wanted, { timestamp, grid, columns });
    // Steps after the known ones build on each other, so all of them are predicted. Known steps are predicted only if requested.
    const needed = new Set<number>(rowOf.filter((row) => row >= 0));
    for (let row = known; row < steps.rowCount; row++) needed.add(row);
    const rows = Int32Array.from(needed).sort();
    const { table } = await this.withUpstream(projectId, takeRows(steps, rows));
    const { predictions } = await model.predict(table, { history });
    const place = new Map(Array.from(rows, (row, at) => [row, at]));
    return Float64Array.from(rowOf, (row) => (row < 0 ? Number.NaN : predictions[place.get(row)!]!));
  }
}

const latestOf = (times: Float64Array) =>
  times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY);
