import { inFeatureOrder } from "#lib/domain/models/linked/series-tables";
import { openModel } from "#lib/domain/models/open-model";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import type { LiveModel } from "#lib/engine/what-if/live-model";
import { pack } from "#lib/engine/what-if/pack";
import type { OpenSpan } from "./open-span.ts";

type ToPack = Pick<OpenSpan["source"], "artifactKey" | "inputKey" | "history" | "timestamp"> &
  Pick<LiveModel, "saved" | "bucketing">;

/** Packs a scenario's model and rows for the page; null for a model that only the service can run. */
export async function packLiveModel(scenario: ToPack): Promise<Uint8Array<ArrayBuffer> | null> {
  const { artifactKey, inputKey, history, timestamp, saved, bucketing } = scenario;
  const model = await openModel(artifactKey);
  const plain = model.plain();
  if (plain === null) return null;
  const input = await StoredInput.open(inputKey);
  const table = inFeatureOrder(model.inputFeatures, await input.readAll());
  const { generated } = input;
  return pack({ plain, table, generated, history, timestamp, saved, bucketing } satisfies LiveModel);
}
