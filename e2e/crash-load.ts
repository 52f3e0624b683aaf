import { createHash } from "node:crypto";
import type { SeededRandom } from "#lib/engine/learners/seeded-random";
import { sessionCookie } from "./service.ts";

/** Requests acknowledged by the service, with each response read completely: IDs and related data. */
export type Acknowledged = {
  projects: string[];
  /** Upload ID → SHA-256 of the sent bytes. */
  uploads: Map<string, string>;
  checkpoints: string[];
  scenarios: string[];
  jobs: string[];
};

export const acknowledged = (): Acknowledged => ({
  projects: [],
  uploads: new Map(),
  checkpoints: [],
  scenarios: [],
  jobs: [],
});

type Call = (method: string, path: string, body?: object | string) => Promise<Record<string, string>>;

const base64 = (text: string) => Buffer.from(text).toString("base64");
const csvOf = (rows: number, from: number, target: boolean) =>
  [
    target ? "x,y" : "x",
    ...Array.from({ length: rows }, (_, i) => (target ? `${from + i},${2 * (from + i) + 1}` : `${from + i}`)),
  ].join("\n");

/**
 * Sends requests with an admin's session.
 *
 * @throws {Error} for a response that is not a success, and for no response
 */
export async function signedIn(url: string): Promise<Call> {
  const cookie = await sessionCookie(url);
  return async (method, path, body) => {
    const isText = typeof body === "string";
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        origin: url,
        cookie,
        "content-type": isText ? "text/csv" : "application/json",
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (JSON.parse(text) as { data: Record<string, string> }).data;
  };
}

/** Creates a project with a model and a checkpoint, and waits until its jobs have ended. */
export async function createTrained(call: Call, noted: Acknowledged): Promise<string> {
  const { id } = await call("POST", "/projects", { name: `Round ${noted.projects.length + 1}` });
  noted.projects.push(id!);
  await call("PUT", `/projects/${id}/dataset`, { fileData: base64(csvOf(40, 0, true)), target: "y" });
  const ended = async ({ jobId }: Record<string, string>) => {
    noted.jobs.push(jobId!);
    while ((await call("GET", `/jobs/${jobId}`)).finishedAt === null);
  };
  await ended(await call("POST", `/projects/${id}/models/train`, { algorithm: "ridge" }));
  const checkpoint = await call("POST", `/projects/${id}/checkpoints`, {});
  noted.checkpoints.push(checkpoint.checkpointId!);
  await ended(checkpoint);
  return id!;
}

/** Runs several clients that create rows, files and jobs and record each acknowledgement, until the service is gone. */
export async function createUntilGone(
  call: Call,
  projectId: string,
  random: SeededRandom,
  noted: Acknowledged,
): Promise<void> {
  const project = `/projects/${projectId}`;
  const deeds = [
    async () => {
      const csv = csvOf(1 + random.below(20_000), random.below(100), false);
      const { uploadId } = await call("POST", `${project}/uploads`, csv);
      noted.uploads.set(uploadId!, createHash("sha256").update(csv).digest("hex"));
    },
    async () => {
      const fileData = base64(csvOf(1 + random.below(2_000), 0, false));
      const { scenarioId, jobId } = await call("POST", `${project}/scenarios`, { title: "Load", fileData });
      noted.scenarios.push(scenarioId!);
      noted.jobs.push(jobId!);
    },
    async () => {
      const scenarioId = noted.scenarios[random.below(noted.scenarios.length)] ?? "";
      noted.jobs.push((await call("POST", `${project}/scenarios/${scenarioId}/runs`, {})).jobId!);
    },
    async () => {
      const { checkpointId, jobId } = await call("POST", `${project}/checkpoints`, {});
      noted.checkpoints.push(checkpointId!);
      noted.jobs.push(jobId!);
    },
    async () => {
      const { jobId } = await call("POST", `${project}/models/train`, { algorithm: "ridge" });
      noted.jobs.push(jobId!);
    },
  ];
  // Mostly uploads, scenarios and their runs: a project accepts twenty checkpoints and one training at a time.
  const often = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4];
  let isGone = false;
  const write = async () => {
    while (!isGone) {
      try {
        await deeds[often[random.below(often.length)]!]!();
      } catch (error) {
        // An error response acknowledges nothing, and a stopped service sends none.
        if (!(error instanceof Error && /: 4\d\d /.test(error.message))) isGone = true;
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, write));
}
