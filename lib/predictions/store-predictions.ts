import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { predictionChunks } from "#db/schema/scenarios";
import { encodeChunks } from "#lib/series/chunks";
import type { StoredSeries } from "./read-predictions.ts";

/** Stores a scenario's predictions in place of whatever an earlier attempt left. One row of the table a chunk. */
export async function storePredictions(
  tx: Transaction,
  scenarioId: string,
  { timestamps, prediction, lower, upper }: StoredSeries,
): Promise<void> {
  await tx.delete(predictionChunks).where(eq(predictionChunks.scenarioId, scenarioId));
  const named = { timestamp: timestamps, prediction, lower, upper } as const;
  for (const series of ["timestamp", "prediction", "lower", "upper"] as const) {
    const values = named[series];
    if (values === null) continue;
    for (const chunk of encodeChunks(values)) {
      await tx.insert(predictionChunks).values({ scenarioId, series, ...chunk });
    }
  }
}
