import { createDatabase } from "#db/client";
import { PredictRequest } from "#lib/contract/predictions";
import { predict } from "#lib/domain/predict/predict";
import { databaseConnection, provideDatabase } from "#lib/platform/database/process-database";
import { giveWay } from "#lib/platform/process/give-way";
import { parseJsonBody } from "./parse-request.ts";
import type { LongPredicted, LongPrediction } from "./predict-in-thread.ts";

// Runs in the threads of `predictInThread`, with its own database pool.

// The main thread takes precedence, because it serves all other requests.
giveWay(10);

let url: string | undefined;

export const tasks = {
  async predict({ databaseUrl, caller, projectId, json }: LongPrediction): Promise<LongPredicted> {
    if (databaseUrl !== url) provideDatabase(createDatabase(databaseUrl, { max: 2 }));
    url = databaseUrl;
    let inferenceSeconds = 0;
    const ctx = { db: databaseConnection().db, ...caller };
    const body = parseJsonBody(PredictRequest, json, "input");
    const data = await predict(ctx, { projectId, ...body }, (seconds) => {
      inferenceSeconds = seconds;
    });
    return { text: JSON.stringify({ success: true, data }), inferenceSeconds };
  },
};
