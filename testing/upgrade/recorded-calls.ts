import { withKey } from "../api.ts";
import { callService, signIn } from "./call-service.ts";
import type { ServiceData } from "./create-service-data.ts";

type Call = { as: "admin" | "member" | "key"; call: string; body?: unknown };

/** A call with `data` of its answer. */
export type RecordedCall = Call & { data: unknown };

const price = [5, 6.5, 7];
const date = ["2023-05-03", "2023-05-04", "2023-05-05"];

/** Returns calls that read the stored data and predict. */
export function callsOf(data: ServiceData): Call[] {
  const { weather, demand, imported, checkpointId, scenarioIds } = data;
  const [planned, dearer] = scenarioIds;
  const ofProject = ["", "/models", "/models/current", "/checkpoints", "/scenarios", "/api-keys", "/audit"];
  const ofDemand = [
    ...["/dataset", "/dataset/target", "/comparisons", `/comparisons/${data.comparisonId}`],
    ...[`/checkpoints/${checkpointId}`, `/checkpoints/${checkpointId}/record`],
    ...scenarioIds.flatMap((id) => ["", "/predictions", "/rows"].map((path) => `/scenarios/${id}${path}`)),
    `/scenarios/compare?ids=${planned},${dearer}`,
  ];
  const read = [
    ...["/projects", "/members", `/jobs/${data.waitingJobId}`],
    ...[weather, demand, imported].flatMap((id) => [
      `/jobs/project/${id}`,
      ...ofProject.map((path) => `/projects/${id}${path}`),
    ]),
    ...ofDemand.map((path) => `/projects/${demand}${path}`),
  ];
  const predict = { as: "member", call: `POST /projects/${demand}/predict` } as const;
  return [
    ...read.map((path): Call => ({ as: "admin", call: `GET ${path}` })),
    { as: "member", call: `POST /projects/${weather}/predict`, body: { input: { day: date } } },
    { ...predict, body: { input: { date, price } } },
    { ...predict, body: { input: { date, price }, checkpointId } },
    { ...predict, as: "key", body: { input: { date, price } } },
    { ...predict, call: `POST /projects/${imported}/predict`, body: { input: { x: [0, 1.5], z: [2, 0.1] } } },
    {
      ...predict,
      call: `POST /projects/${demand}/scenarios/${planned}/preview`,
      body: { adjustments: [{ feature: "price", operation: "add", value: 1 }] },
    },
  ];
}

/** Performs calls in order. The admin and the member sign in with their passwords. */
export async function perform(
  { admin, member, key }: ServiceData,
  calls: readonly Call[],
): Promise<RecordedCall[]> {
  const callers = { admin: await signIn(admin), member: await signIn(member), key: withKey(key) };
  const performed: RecordedCall[] = [];
  for (const { as, call, body } of calls) {
    const [target, query = ""] = call.split("?") as [string, string?];
    const parts = { query: Object.fromEntries(new URLSearchParams(query)), body };
    const { data } = await callService(callers[as], target, parts);
    performed.push({ as, call, ...(body === undefined ? {} : { body }), data });
  }
  return performed;
}
