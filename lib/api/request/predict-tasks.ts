import { setPriority } from "node:os";
import { createDatabase } from "#db/client";
import { PredictRequest } from "#lib/contract/predictions";
import { predict } from "#lib/domain/predict/predict";
import { databaseConnection, provideDatabase } from "#lib/platform/database/process-database";
import { parseJsonBody } from "./parse-request.ts";
import type { LongPredicted, LongPrediction } from "./predict-in-thread.ts";

// Runs in the threads of `predictInThread`, with its own database pool.

// On a machine with few processors, the main thread takes precedence, because it serves all other requests. Linux sets
// the priority of a thread. Elsewhere the call would change the priority of the process.
if (process.platform === "linux") setPriority(10);

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
