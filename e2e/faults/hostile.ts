import { setTimeout as delay } from "node:timers/promises";
import type { SeededRandom } from "#lib/engine/learners/seeded-random";
import { hostileModels } from "../bystander/hostile-models.ts";
import { importBody, numbersInput } from "../bystander/hostile-world.ts";
import type { Client } from "./client.ts";

type Made = { jobId: string; status: string };

/** Imports expensive models into a project of their own until the signal, and predicts with those that are accepted. */
export async function importUntil(
  signal: AbortSignal,
  { client, projectId, random }: { client: Client; projectId: string; random: SeededRandom },
): Promise<void> {
  const project = `/projects/${projectId}`;
  const models = [true, false].flatMap((isLong) => hostileModels(isLong).map(([most]) => most!));
  while (!signal.aborted) {
    const model = models[random.below(models.length)]!;
    const made = await client.insist<Made>("POST", `${project}/models/import`, importBody(model), null);
    const { jobId } = made?.data ?? {};
    if (jobId === undefined) continue;
    let status: string | undefined;
    do {
      await delay(500);
      status = (await client.insist<Made>("GET", `/jobs/${jobId}`, undefined, null))?.data?.status;
    } while (!signal.aborted && (status === "Pending" || status === "Running"));
    for (const rows of status === "Completed" ? [1, 512, 10_000] : []) {
      const body = JSON.stringify({ input: numbersInput(rows, model.width) });
      await client.send("POST", `/api/v1${project}/predict`, body);
    }
  }
}
