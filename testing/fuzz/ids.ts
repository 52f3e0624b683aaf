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

/** What the parameters and fields that take ids are called. */
const kindOfName: Record<string, Kind> = {
  baseScenarioId: "scenario",
  baselineId: "scenario",
  actorId: "user",
};

export function kindOf(name: string): Kind {
  return kindOfName[name] ?? (name.replace(/Id$/, "") as Kind);
}

type From = "project" | "others" | "nothing" | "malformed";
const mostly: [number, From][] = [
  [40, "project"],
  [4, "others"],
  [2, "nothing"],
  [1, "malformed"],
];

/** An id of a thing of the path's project, mostly one of the newest; of another's; of none; of no shape. */
export function idOf(
  kind: Kind,
  weights: readonly (readonly [number, From])[] = mostly,
): fc.Arbitrary<Later> {
  const from = fc.oneof(...weights.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
  return fc.tuple(from, fc.nat(11), fc.boolean()).map(
    ([source, at, upper]) =>
      new Later((moment) => {
        const id = find(kind, source, at, moment);
        return upper && source === "others" ? id.toUpperCase() : id;
      }),
  );
}

function find(kind: Kind, from: From, at: number, { world, projectId }: Moment): string {
  if (from === "malformed") return malformed[at % malformed.length]!;
  const isHere = (owner: string | null) => owner === null || owner === projectId;
  const found =
    from === "nothing" ? null : world.pool.pick(kind, at, from === "project" ? isHere : (id) => !isHere(id));
  return found ?? randomUUID();
}

/** Of the path: mostly the project that the run is about, or one that its requests made. */
export const pathProject: fc.Arbitrary<Later> = fc
  .tuple(fc.nat(99), fc.nat(9))
  .map(([chance, at]) => new Later(({ world }) => chooseProject(chance, at, world)));

/** The same for what deletes it: the run's own is seldom lost. */
export const doomedProject: fc.Arbitrary<Later> = fc
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
  const isOfTheWorld = [own, upstream, stranger].map(({ projectId }) => projectId);
  return pool.pick("project", at, (id) => id === null || !isOfTheWorld.includes(id)) ?? randomUUID();
}

export const cursor = fc.nat(5).map((at) => new Later(({ world }) => newest(world.pool.cursors, at) ?? "x"));

/** What a project depends on, with a checkpoint of each, or null for one to be saved. */
export const pins = fc.tuple(fc.nat(4), fc.nat(4)).map(
  ([wrong, at]) =>
    new Later(({ world: { upstream, pool } }) => {
      const checkpoint = pool.pick("checkpoint", at, (owner) => owner === upstream.projectId);
      const project =
        wrong === 0 ? (pool.pick("project", at, () => true) ?? randomUUID()) : upstream.projectId;
      return { [project]: at === 0 ? null : checkpoint };
    }),
);
