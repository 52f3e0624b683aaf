import type { Dataset } from "#lib/contract/datasets";
import type { Model } from "#lib/contract/models";
import type { FeatureFormat } from "#lib/engine/csv/read-for-features";

/** Returns the format of files for a model. Models from older checkpoint files do not state it; their dataset does. */
export function formatOf(
  { inputFeatures, featureEngineering }: Pick<Model, "inputFeatures" | "featureEngineering">,
  dataset: Dataset | null,
): FeatureFormat {
  if (featureEngineering.inputFormat) return featureEngineering.inputFormat;
  const {
    timezone = "UTC",
    dateOrder = null,
    missing = [],
    numberFormats = [],
    reading = null,
  } = dataset ?? {};
  const times = inputFeatures.filter(({ role }) => role === "timestamp").map(({ name }) => name);
  const options = { timezone, dateOrder, missing, numberFormats, reading };
  return { timestampColumns: times.length > 0 ? times : null, ...options };
}
