import type { ModelChanges } from "#lib/contract/actuals";
import { findModel, findModelBefore, type ModelRow } from "#lib/domain/models/find-model";
import { seriesSources } from "#lib/domain/models/linked/serving-series";
import { readModelState } from "#lib/domain/models/open-model";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import type { Context } from "#lib/platform/context/context";
import type { SameRows } from "./compare-models.ts";
import { metricOf } from "./measure.ts";
import { costOfMeasuring, runMeasuringTask } from "./measuring-tasks.ts";

/** Comparisons of models of many series, which take up to a second for 10,000 series. */
const panels = new LruCache<SameRows>(50);

/**
 * Compares a model with the previous one: rows, errors on the same rows, features, importance, settings.
 *
 * @throws {DomainError} model_not_found
 */
export async function modelChanges(
  ctx: Context,
  { projectId, modelId }: { projectId: string; modelId: string },
): Promise<ModelChanges> {
  const after = await findModel(ctx.db, { projectId, modelId });
  const before = await findModelBefore(ctx.db, after);
  const same =
    before === null
      ? { sameRows: null, reason: "This is the project's first model." }
      : await compare(ctx, before, after);
  const [then, now] = [await facts(before), await facts(after)];
  const side = <K extends keyof typeof now>(name: K) => ({ before: then[name], after: now[name] });
  const names = (one: typeof now) => new Set(one.features);
  return {
    modelId: after.id,
    beforeId: before?.id ?? null,
    modelName: side("modelName"),
    trainingRows: side("trainingRows"),
    knownUntil: side("knownUntil"),
    validation: side("validation"),
    ...same,
    features:
      before === null
        ? { added: [], removed: [] }
        : {
            added: now.features.filter((name) => !names(then).has(name)),
            removed: then.features.filter((name) => !names(now).has(name)),
          },
    importance: before === null ? [] : shifts(then.importance, now.importance),
    settings: before === null ? [] : differing(then.request, now.request),
  };
}

/** Measures the errors of both models on the same rows, in a thread if they have many. */
async function compare({ db }: Context, before: ModelRow, after: ModelRow): Promise<SameRows> {
  const { projectId } = after;
  const folderOf = ({ artifactKey, sha256 }: ModelRow) => ({ artifactKey, sha256 });
  const folders = { before: folderOf(before), after: folderOf(after) };
  const sources = await seriesSources(db, projectId, { checkpointId: null, ...folders.before });
  const bytes = Math.max(...[before, after].map((model) => costOfMeasuring(model, sources)));
  const run = () => runMeasuringTask("compare", { projectId, ...folders, sources }, { bytes });
  if (after.algorithm !== "panel") return run();
  const versions = Array.from(sources.datasets, ([id, dataset]) => [sources.folders.get(id), dataset?.id]);
  return panels.get(JSON.stringify([folders, versions]), run);
}

async function facts(row: ModelRow | null) {
  if (row === null)
    return {
      modelName: null,
      trainingRows: null,
      knownUntil: null,
      validation: null,
      features: [] as string[],
      importance: new Map<string, number>(),
      request: {},
    };
  const { importance, request } = row.details;
  // Opening a model of many series would block this thread.
  const state = await readModelState(row.artifactKey);
  const metrics = row.trainingMetrics.validation;
  return {
    modelName: row.modelName,
    trainingRows: row.trainingRows,
    knownUntil: state.lastTimestamp === null ? null : new Date(state.lastTimestamp).toISOString(),
    validation:
      metrics && Object.fromEntries(Object.keys(metrics).map((name) => [name, metricOf(metrics, name)])),
    features: row.inputFeatures.map(({ name }) => name),
    importance: new Map(importance.map(({ feature, gain }) => [feature, gain])),
    request: request ?? {},
  };
}

/** Returns the importance of each feature before and after, largest shift first. */
function shifts(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((feature) => ({ feature, before: before.get(feature) ?? null, after: after.get(feature) ?? null }))
    .sort((a, b) => shift(b) - shift(a));
}

function shift({ before, after }: { before: number | null; after: number | null }): number {
  return Math.abs((after ?? 0) - (before ?? 0));
}

/** Returns the settings that differ, by their dotted path. */
function differing(before: object, after: object): ModelChanges["settings"] {
  const [then, now] = [flat(before), flat(after)];
  return [...new Set([...then.keys(), ...now.keys()])]
    .map((name) => ({ name, before: then.get(name) ?? null, after: now.get(name) ?? null }))
    .filter((setting) => JSON.stringify(setting.before) !== JSON.stringify(setting.after))
    .sort((a, b) => a.name.localeCompare(b.name));
}

function flat(settings: object, prefix = ""): Map<string, unknown> {
  return new Map(
    Object.entries(settings).flatMap(([name, value]): [string, unknown][] =>
      value !== null && typeof value === "object" && !Array.isArray(value)
        ? [...flat(value, `${prefix}${name}.`)]
        : [[`${prefix}${name}`, value]],
    ),
  );
}
