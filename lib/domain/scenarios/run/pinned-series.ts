import type { NumericColumn, Table } from "#lib/contract/table";
import type { OpenModel } from "#lib/domain/models/open-model";
import { predictUpstream } from "#lib/domain/models/upstream-features";
import { lastNotAfter } from "#lib/engine/features/as-of";
import { createGrid } from "#lib/engine/features/grid";
import { type GeneratedInputs, generateInputs } from "#lib/engine/forecasting/generate-inputs";
import { findColumn, numericValues, withColumn } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import { takeRows } from "#lib/engine/table/rows";
import { DomainError } from "#lib/platform/errors/domain-error";
import { remembered } from "#lib/scenarios/models/remembered";
import { newerRows } from "./known-rows.ts";
import { PinnedModels } from "./pinned-models.ts";
import { carriesInputsOf } from "./rows-for-upstream.ts";
import { besides, inputsOf, isBeyond } from "./series-tables.ts";

/** What is known to a model, and what it was made of: the next one to ask need not put it together again. */
const kept = new WeakMap<OpenModel, { sources: unknown[]; history: Promise<Table | null> }>();

/**
 * What the models of a scenario know, and what they predict for each other. Each project's known rows are read once, and
 * upstream projects always predict before those that use them.
 */
export class PinnedSeries extends PinnedModels {
  readonly #histories = new Map<string, Promise<Table | null>>();

  /** The rows that the project knows: those kept with its model, then newer ones of its dataset. In order of time. */
  history(projectId: string): Promise<Table | null> {
    return remembered(this.#histories, projectId, async () => {
      const { model } = await this.project(projectId);
      const sources = await this.#sources(projectId);
      const before = kept.get(model);
      if (before?.sources.length === sources.length && before.sources.every((one, i) => one === sources[i]))
        return before.history;
      const history = this.#joinHistory(projectId);
      kept.set(model, { sources, history });
      history.catch(() => kept.delete(model));
      return history;
    });
  }

  async #joinHistory(projectId: string): Promise<Table | null> {
    const { model, facts, dataset } = await this.project(projectId);
    if (facts === null) return null;
    const newer = await newerRows(model, facts, dataset);
    if (newer === null) return model.history;
    const complete = await this.withUpstream(projectId, newer);
    return model.history === null ? complete : concatTables([model.history, complete]);
  }

  /** The models and the versions of datasets that a project's known rows are made of, its upstream projects' too. */
  async #sources(projectId: string): Promise<unknown[]> {
    const { model, dataset } = await this.project(projectId);
    const upstream = model.upstream.filter(({ sourceProjectId }) => this.has(sourceProjectId));
    const theirs = await Promise.all(upstream.map(({ sourceProjectId }) => this.#sources(sourceProjectId)));
    return [model, dataset?.id, ...theirs.flat()];
  }

  /** The project's model, looking back at the newest rows that the project knows. */
  async newestModel(projectId: string): Promise<OpenModel> {
    const { model, facts } = await this.project(projectId);
    // Where nothing is newer than what the model keeps, it need not be put on its grid again.
    const newest = facts?.lastTimestamp ?? null;
    if (model.state.grid === null || newest === null || newest === model.state.lastTimestamp) return model;
    const history = (await this.history(projectId)) ?? undefined;
    return { ...model, predict: (table, options) => model.predict(table, { history, ...options }) };
  }

  /** Of the known rows those up to this time (epoch milliseconds); undefined for null: what the model itself keeps. */
  async historyUntil(projectId: string, until: number | null): Promise<Table | undefined> {
    const { facts } = await this.project(projectId);
    const history = until === null ? null : await this.history(projectId);
    if (facts === null || history === null || until === null) return undefined;
    const times = numericValues(history, facts.timestamp);
    return takeRows(
      history,
      Int32Array.from(times.keys()).filter((row) => times[row]! <= until),
    );
  }

  /**
   * The project's input from the step after its last known row to `endDate`, without upstream features.
   *
   * @throws {GenerationImpossible}
   */
  async generate(projectId: string, endDate: number | null): Promise<GeneratedInputs> {
    const { model, facts } = await this.project(projectId);
    if (facts === null) return generateInputs(model, {});
    const { timestamp, timezone, grid, horizon } = facts;
    const source = {
      state: { timestamp, timezone, grid, horizon },
      inputFeatures: model.inputFeatures,
      history: await this.history(projectId),
      heldOut: null,
    };
    return generateInputs(source, { endDate });
  }

  /**
   * Adds the upstream features that the table lacks. `added` names them.
   *
   * @param others for rows of a file the columns of it that only upstream models read: where the file has what one of
   *   them needs, it predicts from the rows, as for `/predict`; else, and where this is null, by the times
   */
  async addUpstream(
    projectId: string,
    table: Table,
    others: Table | null = null,
  ): Promise<{ table: Table; added: string[] }> {
    const { model, facts } = await this.project(projectId);
    let result = table;
    const added: string[] = [];
    for (const { name, role, sourceProjectId } of model.inputFeatures) {
      if (role !== "upstream" || findColumn(table, name)) continue;
      if (!this.has(sourceProjectId)) throw notComputable(name);
      const fromRows =
        others &&
        (await this.#predictionsOfRows(sourceProjectId, besides(table, others), facts?.timestamp ?? null));
      if (fromRows === null && facts === null) throw notComputable(name);
      const values =
        fromRows ?? (await this.predictionsAt(sourceProjectId, numericValues(table, facts!.timestamp)));
      const column: NumericColumn = { name, type: "number", values };
      result = withColumn(result, column);
      added.push(name);
    }
    return { table: result, added };
  }

  /** Whether rows with these columns carry what an upstream model needs. */
  carriesInputs(upstream: OpenModel, names: ReadonlySet<string>): Promise<boolean> {
    return carriesInputsOf(upstream, names, (id) => this.modelOf(id));
  }

  /** What an upstream project predicts from rows of a file; null where these do not carry what it needs. */
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
   * What the project's pinned model predicts for these times (epoch milliseconds), one value a time: for the step of
   * its own series that each time falls into. Known steps are predicted from their known inputs, later ones from
   * generated inputs; a time before the series has none (NaN), one in a gap has that of the step before.
   *
   * @throws {GenerationImpossible}
   */
  async predictionsAt(projectId: string, times: Float64Array): Promise<Float64Array> {
    const { model, facts } = await this.project(projectId);
    const history = await this.history(projectId);
    if (facts === null || history === null) throw notComputable(model.state.target);
    const latest = times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY);
    const known = numericValues(history, facts.timestamp);
    const parts = [inputsOf(model, history, facts.timestamp)];
    if (isBeyond(facts, latest)) {
      const { table } = await this.generate(projectId, latest);
      parts.push(inputsOf(model, table, facts.timestamp));
    }
    const steps = concatTables(parts);
    const stepTimes = numericValues(steps, facts.timestamp);
    const cell = facts.grid === null ? (time: number) => time : createGrid(facts.grid).indexOf;
    const places = stepTimes.map(cell);
    const rowOf = Int32Array.from(times, (time) => lastNotAfter(places, cell(time)));
    // Steps after the known ones build on each other, so all of them are predicted; of the known ones what is asked for.
    const wanted = new Set<number>(rowOf.filter((row) => row >= 0));
    for (let row = known.length; row < steps.rowCount; row++) wanted.add(row);
    const rows = Int32Array.from(wanted).sort();
    const input = await this.withUpstream(projectId, takeRows(steps, rows));
    const { predictions } = await model.predict(input, { history });
    const place = new Map(Array.from(rows, (row, at) => [row, at]));
    return Float64Array.from(rowOf, (row) => (row < 0 ? Number.NaN : predictions[place.get(row)!]!));
  }
}

function notComputable(feature: string): DomainError {
  const message = `"${feature}" is another project's prediction and cannot be computed here: send it in the CSV.`;
  return new DomainError("input_invalid", message, {
    details: [{ column: feature, code: "missing_column", message }],
  });
}
