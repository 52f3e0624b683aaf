import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { naughtyTexts } from "#testing/hostile-texts";
import { Later, type Moment } from "./later.ts";
import { type Kind, newest } from "./pool.ts";

const malformed = [
  "x",
  "00000000-0000-0000-0000-000000000000",
  "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5",
  "1",
  "a\0b",
  "x".repeat(3_000),
  ...naughtyTexts,
];

/** Kinds of the parameters and fields whose name does not contain it. */
const kindOfName: Record<string, Kind> = {
  baseScenarioId: "scenario",
  baselineId: "scenario",
  actorId: "user",
};

export function kindOf(name: string): Kind {
  return kindOfName[name] ?? (name.replace(/Id$/, "") as Kind);
}

type Source = "project" | "others" | "nothing" | "malformed";
const sourceWeights: [number, Source][] = [
  [40, "project"],
  [4, "others"],
  [2, "nothing"],
  [1, "malformed"],
];

/**
 * Generates ids of a kind: mostly one of the newest of the path's project, sometimes one of another project, an unknown
 * id or a malformed one.
 */
export function idOf(
  kind: Kind,
  weights: readonly (readonly [number, Source])[] = sourceWeights,
): fc.Arbitrary<Later> {
  const sources = fc.oneof(...weights.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
  return fc.tuple(sources, fc.nat(11), fc.boolean()).map(
    ([source, at, upper]) =>
      new Later((moment) => {
        const id = find(kind, source, at, moment);
        return upper && source === "others" ? id.toUpperCase() : id;
      }),
  );
}

function find(kind: Kind, source: Source, at: number, { world, projectId }: Moment): string {
  if (source === "malformed") return malformed[at % malformed.length]!;
  const isHere = (owner: string | null) => owner === null || owner === projectId;
  const found =
    source === "nothing"
      ? null
      : world.pool.pick(kind, at, source === "project" ? isHere : (id) => !isHere(id));
  return found ?? randomUUID();
}

/** Project ids of paths: mostly the world's own project, or one that an earlier request created. */
export const pathProject: fc.Arbitrary<Later> = fc
  .tuple(fc.nat(99), fc.nat(9))
  .map(([chance, at]) => new Later(({ world }) => chooseProject(chance, at, world)));

/** Project ids for the operation that deletes a project: seldom the world's own, because later requests need it. */
export const projectToDelete: fc.Arbitrary<Later> = fc
  .tuple(fc.nat(99), fc.nat(9))
  .map(
    ([chance, at]) =>
      new Later(({ world }) => chooseProject(chance === 0 ? 0 : 85 + (chance % 15), at, world)),
  );

function chooseProject(chance: number, at: number, world: Moment["world"]): string {
  const { own, upstream, stranger, pool } = world;
  if (chance < 80) return own.projectId;
  if (chance < 83) return upstream.projectId;
  if (chance < 86) return stranger.projectId;
  if (chance < 87) return malformed[at]!;
  const worldProjects = [own, upstream, stranger].map(({ projectId }) => projectId);
  return pool.pick("project", at, (id) => id === null || !worldProjects.includes(id)) ?? randomUUID();
}

export const cursor = fc.nat(5).map((at) => new Later(({ world }) => newest(world.pool.cursors, at) ?? "x"));

/** Pinned checkpoints by upstream project. Null makes the service save the current model as a checkpoint. */
export const pinnedCheckpoints = fc.tuple(fc.nat(4), fc.nat(4)).map(
  ([wrong, at]) =>
    new Later(({ world: { upstream, pool } }) => {
      const checkpoint = pool.pick("checkpoint", at, (owner) => owner === upstream.projectId);
      const project =
        wrong === 0 ? (pool.pick("project", at, () => true) ?? randomUUID()) : upstream.projectId;
      return { [project]: at === 0 ? null : checkpoint };
    }),
);
