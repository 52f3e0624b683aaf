import type { Table } from "#lib/contract/table";
import { float32Values } from "#lib/engine/runtime/bindings";
import { openSession } from "#lib/engine/runtime/session";
import type { FeatureContributions } from "./contributions.ts";
import type { ModelRunner, ModelUse, ModelWork, ResultOf } from "./model-runner.ts";
import { once } from "./once.ts";
import { ownTrees } from "./own-trees.ts";

/** Returns a runner in the current process, which must be one that may end (`testing/import-rules.ts`). */
export function localRunner(read: () => Promise<Uint8Array>): ModelRunner {
  let open: ReturnType<typeof once<OpenedModel>> | undefined;
  return async ({ use }, work) => {
    open ??= once(async () => openHere(await read(), use));
    return (await open()).run(work);
  };
}

export type OpenedModel = { run<W extends ModelWork>(work: W): Promise<ResultOf<W>> };

/**
 * Opens a model in the current process. Trees that this service can evaluate need no session.
 *
 * @throws ModelInvalid if the runtime rejects the model
 */
export async function openHere(bytes: Uint8Array, use: ModelUse): Promise<OpenedModel> {
  const own = ownTrees(bytes, use);
  const predict = own?.predict ?? (await predictWithRuntime(bytes, use));
  const run = async (work: ModelWork): Promise<Float64Array | FeatureContributions | null> =>
    work.kind === "predict"
      ? predict(work.table, work.rowsBefore)
      : (own?.explain?.(work.table, work.predictions) ?? null);
  return { run: run as OpenedModel["run"] };
}

async function predictWithRuntime(bytes: Uint8Array, { bindings, choice }: ModelUse) {
  const session = await openSession(bytes);
  return async (table: Table, rowsBefore: number) =>
    bindings === null
      ? session.predict(table.columns.map(float32Values), table.rowCount)
      : session.predictNamed(table, bindings, choice, rowsBefore);
}
