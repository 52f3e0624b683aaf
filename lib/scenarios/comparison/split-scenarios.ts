import type { Table } from "#lib/contract/table";
import { type Split, splitDifference } from "#lib/ml/attribution/split-difference";
import { openModel } from "#lib/models/open-model";
import { MixedInputs, type Side } from "./mixed-inputs.ts";

/** What may be different between two scenarios. */
export type Player =
  | { kind: "input"; feature: string; projectId: null }
  | { kind: "upstream"; feature: string; projectId: string | null }
  | { kind: "checkpoint" | "history"; feature: null; projectId: null };

/** Two scenarios, the baseline first, as plain data. */
export type SplitRequest = {
  /** Folders of their checkpoints. */
  artifactKeys: readonly [string, string];
  /** Their inputs. */
  tables: readonly [Table, Table];
  /** Row of each shared point in each of them. */
  rows: readonly [Int32Array, Int32Array];
  /** Whether a model looks back at its target, so that rows build on each other. */
  together: boolean;
  /** What is known of the series, by model, then by the side up to whose time it is; undefined: what the model keeps. */
  histories: readonly (readonly (Table | undefined)[])[];
  /** Whether the two differ in what is known of the series, or in rows that only one of them has. */
  historyDiffers: boolean;
  /** What is to be split: the scenario less the baseline at each shared point. */
  differences: Float64Array;
};

export type ScenarioSplit = Split & { players: Player[] };

/** How many rows go through the models at most, each time counted: some ten seconds for large ones. */
const EVALUATIONS_MAX = 500_000;
/** The same where rows build on each other, and so go through the model one after the other. */
const EVALUATIONS_TOGETHER_MAX = 200_000;

/**
 * Splits what two scenarios predict differently at their shared points into what is different between them: each input
 * feature, the checkpoint, and where a model looks back what it looks back at.
 */
export async function splitScenarios(request: SplitRequest): Promise<ScenarioSplit> {
  const { artifactKeys, tables, rows, together, histories } = request;
  const same = artifactKeys[0] === artifactKeys[1];
  const first = await openModel(artifactKeys[0]);
  const models = [first, same ? first : await openModel(artifactKeys[1])] as const;
  const inputs = new MixedInputs(tables, rows, models);
  const features = models.flatMap(({ inputFeatures }) => inputFeatures);
  const players = inputs.changed().map((feature): Player => {
    const { role, sourceProjectId } = features.find(({ name }) => name === feature)!;
    if (role !== "upstream") return { kind: "input", feature, projectId: null };
    return { kind: "upstream", feature, projectId: sourceProjectId };
  });
  const place = new Map(players.map(({ feature }, index) => [feature, index]));
  const ofHistory = together && request.historyDiffers && !inputs.hasOwn ? players.length : -1;
  if (ofHistory >= 0) players.push({ kind: "history", feature: null, projectId: null });
  const ofCheckpoint = same ? -1 : players.length;
  if (ofCheckpoint >= 0) players.push({ kind: "checkpoint", feature: null, projectId: null });

  if (players.length === 1) {
    const points = Int32Array.from(rows[0].keys());
    return { method: "exact", points, parts: [request.differences.slice()], players };
  }
  const worth = async (coalition: Uint8Array, points: Int32Array): Promise<Float64Array> => {
    const side = (player: number | undefined) => (coalition[player ?? -1] ?? 0) as Side;
    const sideOf = (feature: string) => side(place.get(feature));
    const model = side(ofCheckpoint);
    if (!together) {
      return (await models[model].predict(inputs.atPoints(model, points, sideOf))).predictions;
    }
    const base = ofHistory >= 0 ? side(ofHistory) : model;
    const history = histories[model]![base];
    const { predictions } = await models[model].predict(inputs.whole(model, base, sideOf), { history });
    return Float64Array.from(points, (point) => predictions[rows[base][point]!]!);
  };
  const wholeRows = Math.max(...tables.map(({ rowCount }) => rowCount));
  const split = await splitDifference(
    { players: players.length, points: rows[0].length, together: together ? wholeRows : null, worth },
    together ? EVALUATIONS_TOGETHER_MAX : EVALUATIONS_MAX,
  );
  return { ...split, players };
}
