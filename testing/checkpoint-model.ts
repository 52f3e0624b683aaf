import { limits } from "#lib/contract/limits";

/** Checkpoint in the model. `ready` is false while the checkpoint is reserved: until its job completes. */
export type Entry = { key: string; label: string; ready: boolean; setAsDefault: boolean };

/** A project's checkpoints, oldest first, its default, and its scenarios with the checkpoint that each one uses. */
export type World = {
  entries: readonly Entry[];
  defaultKey: string | null;
  scenarios: readonly { key: string; uses: string | null }[];
};

/**
 * Command on the model. `key` identifies the checkpoint or scenario that the command creates, changes or deletes.
 * `makes` identifies the checkpoint that is created together with a scenario.
 */
export type Deed =
  | { kind: "create"; key: string; label: string; setAsDefault: boolean }
  | { kind: "complete" | "fail" | "delete"; key: string }
  | { kind: "update"; key: string; label: string; setAsDefault: boolean }
  | { kind: "scenario"; key: string; uses: string }
  | { kind: "scenario on a new one"; key: string; label: string; makes: string }
  | { kind: "delete scenario"; key: string };

export const emptyWorld: World = { entries: [], defaultKey: null, scenarios: [] };

/**
 * Performs a command by the API's rules for checkpoints, in their simplest form.
 *
 * @returns the world after the command, and the error code; null for success
 */
export function perform(world: World, deed: Deed): [World, string | null] {
  const { entries, scenarios } = world;
  const entry = entries.find(({ key }) => key === deed.key);
  const exists = entry?.ready === true;
  switch (deed.kind) {
    case "create":
      return reserve(world, deed);
    case "complete":
      return [entry === undefined || exists ? world : complete(world, entry), null];
    case "fail":
      return [exists ? world : drop(world, deed.key), null];
    case "update": {
      if (!exists) return [world, "checkpoint_not_found"];
      if (isTaken(world, deed.label, deed.key)) return [world, "duplicate_label"];
      const renamed = replace(world, { ...entry, label: deed.label });
      return [deed.setAsDefault ? { ...renamed, defaultKey: deed.key } : renamed, null];
    }
    case "delete": {
      if (!exists) return [world, "checkpoint_not_found"];
      if (scenarios.some(({ uses }) => uses === deed.key)) return [world, "checkpoint_in_use"];
      return [withDefault(drop(world, deed.key)), null];
    }
    case "scenario": {
      const used = entries.find(({ key }) => key === deed.uses);
      if (used?.ready !== true) return [world, "checkpoint_not_found"];
      return [{ ...world, scenarios: [...scenarios, { key: deed.key, uses: deed.uses }] }, null];
    }
    case "scenario on a new one": {
      const made = { key: deed.makes, label: deed.label, setAsDefault: false };
      const [after, rejection] = reserve(world, made);
      const added = [...scenarios, { key: deed.key, uses: deed.makes }];
      return rejection === null ? [{ ...after, scenarios: added }, null] : [world, rejection];
    }
    case "delete scenario": {
      const scenario = scenarios.find(({ key }) => key === deed.key);
      if (scenario === undefined) return [world, "scenario_not_found"];
      const reserved = entries.find(({ key, ready }) => key === scenario.uses && !ready);
      const rest = { ...world, scenarios: scenarios.filter((one) => one !== scenario) };
      return [reserved ? drop(rest, reserved.key) : rest, null];
    }
  }
}

/** Returns whether some order of the concurrent commands explains all their results and the final state. */
export function isSomeOrder(
  world: World,
  deeds: readonly { deed: Deed; rejection: string | null }[],
  isEnd: (world: World) => boolean,
): boolean {
  if (deeds.length === 0) return isEnd(world);
  return deeds.some(({ deed, rejection }, index) => {
    const [after, expected] = perform(world, deed);
    return expected === rejection && isSomeOrder(after, deeds.toSpliced(index, 1), isEnd);
  });
}

function reserve(world: World, { key, label, setAsDefault }: Omit<Entry, "ready">): [World, string | null] {
  if (world.entries.length === limits.checkpointsPerProject) return [world, "checkpoint_limit_reached"];
  if (isTaken(world, label)) return [world, "duplicate_label"];
  return [{ ...world, entries: [...world.entries, { key, label, setAsDefault, ready: false }] }, null];
}

/** Completes a checkpoint. The first checkpoint of a project becomes the default even without `setAsDefault`. */
function complete(world: World, entry: Entry): World {
  const ready = replace(world, { ...entry, ready: true });
  const isDefault = entry.setAsDefault || world.defaultKey === null;
  return isDefault ? { ...ready, defaultKey: entry.key } : ready;
}

/** Makes the newest remaining checkpoint the default if the default was deleted. */
function withDefault(world: World): World {
  const ready = world.entries.filter((entry) => entry.ready);
  const present = ready.find(({ key }) => key === world.defaultKey) ?? ready.at(-1);
  return { ...world, defaultKey: present?.key ?? null };
}

function drop(world: World, key: string): World {
  return {
    ...world,
    entries: world.entries.filter((entry) => entry.key !== key),
    scenarios: world.scenarios.map((one) => (one.uses === key ? { ...one, uses: null } : one)),
  };
}

function replace(world: World, changed: Entry): World {
  return { ...world, entries: world.entries.map((entry) => (entry.key === changed.key ? changed : entry)) };
}

function isTaken({ entries }: World, label: string, by?: string): boolean {
  return entries.some((entry) => entry.label === label && entry.key !== by);
}
