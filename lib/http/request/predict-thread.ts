import { setPriority } from "node:os";
import { createDatabase, databaseConnection, provideDatabase } from "#db/client";
import { parseJsonBody } from "#lib/api/request/parse-request";
import { PredictRequest } from "#lib/contract/predictions";
import { predict } from "#lib/domain/predictions/predict";
import type { LongPredicted, LongPrediction } from "#lib/predictions/predict-in-thread";
import { answerQuestions } from "#lib/threads/answer-questions";

// One of the threads of `predictInThread`. It asks the database itself, over a connection or two of its own.

// Where there are few processors, the thread that answers all others goes first. Elsewhere it is the priority of the process.
if (process.platform === "linux") setPriority(10);

let url: string | undefined;

answerQuestions(async ({ databaseUrl, caller, projectId, json }: LongPrediction): Promise<LongPredicted> => {
  if (databaseUrl !== url) provideDatabase(createDatabase(databaseUrl, { max: 2 }));
  url = databaseUrl;
  let inferenceSeconds = 0;
  const ctx = { db: databaseConnection().db, ...caller };
  const body = parseJsonBody(PredictRequest, json, "input");
  const data = await predict(ctx, { projectId, ...body }, (seconds) => {
    inferenceSeconds = seconds;
  });
  return { text: JSON.stringify({ success: true, data }), inferenceSeconds };
});
