import type { Adjustment } from "#lib/contract/scenarios";
import type { Table } from "#lib/contract/table";
import { openModel } from "#lib/domain/models/open-model";
import { adjustInput } from "#lib/domain/scenarios/run/adjust-input";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import { onScale, type PredictionScale } from "#lib/engine/explanation/prediction-scale";
import { planSplit, type Split, splitDifference } from "#lib/engine/explanation/split-difference";
import { takeRows } from "#lib/engine/table/rows";
import { changedFeatures, type ModelPair, sharedFeatures } from "./changed-features.ts";
import { type ExplainWith, HISTORY_POINTS_MAX, historyParts } from "./history-parts.ts";
import { areInOrder, inLockstep } from "./lockstep.ts";
import { MixedInputs, type Side } from "./mixed-inputs.ts";
import type { PanelPoints } from "./panel-points.ts";
import { type StoredPair, sharedPoints } from "./shared-points.ts";

// Two scenarios differ in inputs, checkpoints and known rows. Each such cause gets a part of the difference of their predictions,
// and the parts add up to it. A part is a Shapley value: what switching this cause from the baseline to the scenario changes, on
// average over all orders in which the causes can be switched.
//
// For example, the baseline predicts 100 and the scenario 130. With the new price alone the model predicts 110, with the new
// weather alone 105.
//
// | order | price | weather |
// | --- | --- | --- |
// | price, then weather | 110 - 100 = 10 | 130 - 110 = 20 |
// | weather, then price | 130 - 105 = 25 | 105 - 100 = 5 |
// | mean | 17.5 | 12.5 |
//
// One order alone is cheaper and also adds up, but the cause that comes last gets all that the causes do together: the price would get
// 10 or 25, by the order of the columns. All orders of n causes need 2^n predictions of each row, so many causes, or many rows,
// are sampled (`planSplit`).

/** A cause of the difference between two scenarios; a player in the terms of Shapley values. */
type Player =
  | { kind: "input"; feature: string; projectId: null }
  | { kind: "upstream"; feature: string; projectId: string | null }
  | { kind: "checkpoint"; feature: null; projectId: null }
  | { kind: "history"; feature: null; projectId: null; component?: "level" | "season" };

/** Two scenarios as plain data, the baseline first. */
export type SplitRequest = {
  /** Folders of their checkpoints. */
  artifactKeys: readonly [string, string];
  /** Folders of their inputs. */
  inputKeys: readonly [string, string];
  /** Changes of the second input that are not stored; `timestamp` is its column of times. */
  changes?: { adjustments: readonly Adjustment[]; timestamp: string | null };
  /** Predictions of both. */
  stored: StoredPair;
  /** Points of scenarios with many series. */
  panel?: PanelPoints | null;
  /** Whether later rows of a model read its predictions of earlier rows. */
  rowsBuildOnEachOther: boolean;
  /** Whether a model reads known values of its target. */
  readsTarget: boolean;
  /**
   * Known rows of the series: by model, then by the side whose `knownUntil` and upstream checkpoints apply. Undefined: the
   * rows that the model keeps.
   */
  histories: readonly (readonly (Table | undefined)[])[];
  /** Whether the two scenarios have different known rows. */
  historyDiffers: boolean;
};

/** Without players, or with a single one whose part is not separated, nothing is evaluated: `points` and `parts` are empty. */
export type ScenarioSplit = Split & {
  players: Player[];
  /** `log_odds` if both models predict probabilities of classes: effects then add up. */
  scale: PredictionScale;
};

/** Maximum number of row evaluations, counting every pass of a row through a model: about ten seconds of a large model. */
const EVALUATIONS_MAX = 500_000;
/** The same limit for rows that build on each other. These rows go through the model one after the other. */
const EVALUATIONS_TOGETHER_MAX = 200_000;

/**
 * Splits the difference between two scenarios' predictions at their shared points by its causes: each input feature, the
 * checkpoint, and the known rows if a model reads the target.
 *
 * @throws the errors of `sharedPoints`, `adjustInput`, and of `rows`, `take` and `readAll` of `StoredInput`
 */
export async function splitScenarios(request: SplitRequest): Promise<ScenarioSplit> {
  const { artifactKeys, rowsBuildOnEachOther, stored } = request;
  const first = await openModel(artifactKeys[0]);
  const isSame = artifactKeys[0] === artifactKeys[1];
  const models = [first, isSame ? first : await openModel(artifactKeys[1])] as const;
  const scale: PredictionScale = models.every(({ state }) => state.classes !== undefined)
    ? "log_odds"
    : "prediction";
  const rows = sharedRows(stored, request.panel);
  const [points, wholeRows] = [
    rows[0].length,
    Math.max(...stored.map(({ prediction }) => prediction.length)),
  ];
  const inputs = await openInputs(request, rows, models);
  const pair: Pair = { request, models, scale, rows, inputs };
  const players = findPlayers(pair, rowsBuildOnEachOther && wholeRows > points);

  const historyAt = players.findIndex(({ kind }) => kind === "history");
  const isHistoryAlone = players.length === 1 && historyAt === 0;
  const separates = historyAt >= 0 && !rowsBuildOnEachOther && points <= HISTORY_POINTS_MAX;
  if (players.length <= 1 && !(isHistoryAlone && separates))
    return { method: "exact", points: new Int32Array(), parts: [], players, scale };
  const sizes = { players: players.length, points, together: rowsBuildOnEachOther ? wholeRows : null };
  const evaluationsMax = rowsBuildOnEachOther ? EVALUATIONS_TOGETHER_MAX : EVALUATIONS_MAX;
  const planned = planSplit(sizes, evaluationsMax).points;
  const { worth, explain } = await openEvaluation(pair, players, planned);
  const split = isHistoryAlone
    ? { method: "exact" as const, points: planned, parts: [storedDifference(stored, rows)] }
    : await splitDifference({ ...sizes, worth }, evaluationsMax);
  const result = { ...split, players, scale };
  return separates ? separateHistory(result, historyAt, isSame, explain(split.points)) : result;
}

/** The two scenarios to compare, opened. */
type Pair = {
  request: SplitRequest;
  models: ModelPair;
  scale: PredictionScale;
  rows: RowPair;
  inputs: Inputs;
};

/**
 * Returns the causes by which the two scenarios differ.
 *
 * @param hasOtherRows whether a scenario has rows that the other lacks, and later rows read them
 */
function findPlayers({ request, models, inputs }: Pair, hasOtherRows: boolean): Player[] {
  const features = models.flatMap(({ inputFeatures }) => inputFeatures);
  const changed = inputs.changed.map((feature): Player => {
    const { role, sourceProjectId } = features.find(({ name }) => name === feature)!;
    if (role !== "upstream") return { kind: "input", feature, projectId: null };
    return { kind: "upstream", feature, projectId: sourceProjectId };
  });
  const historyDiffers = request.readsTarget && (request.historyDiffers || hasOtherRows);
  const others = [
    // With columns that only one side has, the known rows count with the checkpoint.
    ...(historyDiffers && !inputs.allRows?.hasOwn ? (["history"] as const) : []),
    ...(models[0] === models[1] ? [] : (["checkpoint"] as const)),
  ];
  return [...changed, ...others.map((kind): Player => ({ kind, feature: null, projectId: null }))];
}

type Evaluation = {
  /** Predicts points with the players of a coalition as in the scenario, and all others as in the baseline scenario. */
  worth(coalition: Uint8Array, points: Int32Array): Promise<Float64Array>;
  /** Returns the contributions of a model at these points, given the known rows of a side. */
  explain(points: Int32Array): ExplainWith;
};

/** @param planned points that will be evaluated */
async function openEvaluation(
  { request: { rowsBuildOnEachOther, histories }, models, scale, rows, inputs }: Pair,
  players: readonly Player[],
  planned: Int32Array,
): Promise<Evaluation> {
  const mixed = inputs.allRows ?? (await inputs.at(planned));
  const placeOf = new Map(Array.from(planned, (point, at) => [point, at]));
  const placesOf = (points: Int32Array) => points.map((point) => placeOf.get(point)!);
  const ofFeature = new Map(players.map(({ feature }, index) => [feature, index]));
  const [ofHistory, ofCheckpoint] = (["history", "checkpoint"] as const).map((sought) =>
    players.findIndex(({ kind }) => kind === sought),
  );
  return {
    async worth(coalition, points) {
      const side = (player: number | undefined) => (coalition[player ?? -1] ?? 0) as Side;
      const sideOf = (feature: string) => side(ofFeature.get(feature));
      const model = side(ofCheckpoint);
      const base = ofHistory === -1 ? model : side(ofHistory);
      const history = histories[model]?.[base];
      if (!rowsBuildOnEachOther) {
        const input = mixed.atPoints(model, placesOf(points), sideOf);
        return onScale(scale, (await models[model].predict(input, { history })).predictions);
      }
      const { predictions } = await models[model].predict(mixed.allRows(model, base, sideOf), { history });
      return Float64Array.from(points, (point) => predictions[rows[base][point]!]!);
    },
    explain: (points) => async (model, base) => {
      const input = mixed.atPoints(model, placesOf(points), () => model);
      const options = { history: histories[model]?.[base], include: { contributions: true } };
      return (await models[model].predict(input, options)).contributions;
    },
  };
}

/** Replaces the part of the known rows by its level and its season, if the models separate them. */
async function separateHistory(
  split: ScenarioSplit,
  at: number,
  isSame: boolean,
  explain: ExplainWith,
): Promise<ScenarioSplit> {
  const history = await historyParts(split.parts[at]!, isSame, explain);
  if (history === null) return split;
  const player = { kind: "history", feature: null, projectId: null } as const;
  const components = ["level", "season"] as const;
  return {
    ...split,
    players: split.players.toSpliced(at, 1, ...components.map((component) => ({ ...player, component }))),
    parts: split.parts.toSpliced(at, 1, history.level, history.season),
  };
}

function storedDifference([before, after]: StoredPair, rows: RowPair): Float64Array {
  return Float64Array.from(
    rows[1],
    (row, point) => after.prediction[row]! - before.prediction[rows[0][point]!]!,
  );
}

type RowPair = readonly [Int32Array, Int32Array];

/** Returns the row of each shared point in both scenarios. */
function sharedRows(stored: StoredPair, panel: PanelPoints | null = null): RowPair {
  const { alignment, common } = sharedPoints(stored, panel);
  const rowsOf = (side: Side) => common.map((point) => alignment.rowOf[side]![point]!);
  return [rowsOf(0), rowsOf(1)];
}

type Inputs = {
  /** Features whose values differ between the two scenarios. */
  changed: string[];
  /** Both inputs with all rows; null unless rows build on each other. */
  allRows: MixedInputs | null;
  /** Both inputs with only the rows of the given points. Each point is replaced by its index in `points`. */
  at(points: Int32Array): Promise<MixedInputs>;
};

async function openInputs(
  { inputKeys, changes, panel, rowsBuildOnEachOther }: SplitRequest,
  shared: RowPair,
  models: ModelPair,
): Promise<Inputs> {
  const inputs = [await StoredInput.open(inputKeys[0]), await StoredInput.open(inputKeys[1])] as const;
  // Of many series, the changes concern few ones, so only their rows are read.
  const isPart = changes !== undefined && Boolean(panel);
  const all = Int32Array.from(shared[0].keys());
  const rows: RowPair = isPart ? [all, all] : shared;
  const points = { length: rows[0].length, rowOf: rows };
  const read = (side: Side) => (isPart ? inputs[side].take(shared[side]) : inputs[side].readAll());
  const readChanged = async () => {
    const table = await read(1);
    return changes ? adjustInput(table, changes.adjustments, changes.timestamp) : table;
  };
  // Only the rows of an imported model may come in any order.
  const inMemory = changes !== undefined || rowsBuildOnEachOther || !areInOrder(points);
  const tables = inMemory ? ([await read(0), await readChanged()] as const) : null;
  const features = await sharedFeatures(
    tables?.map((table) => [table]) ?? inputs.map((one) => one.rows()),
    models,
  );
  const stretches = tables
    ? [{ tables: [...tables], length: points.length, rowOf: [...rows] }]
    : inLockstep(inputs, points);
  return {
    changed: await changedFeatures(stretches, models, features),
    allRows: rowsBuildOnEachOther ? new MixedInputs(tables!, rows, models, features) : null,
    async at(points) {
      const taken = async (side: Side) => {
        const own = points.map((point) => rows[side][point]!);
        return tables ? takeRows(tables[side], own) : inputs[side].take(own);
      };
      const places = Int32Array.from(points.keys());
      return new MixedInputs([await taken(0), await taken(1)], [places, places], models, features);
    },
  };
}
