import { randomUUID } from "node:crypto";
import { INTERVAL_LEVELS } from "#lib/contract/interval-shape";
import { limits } from "#lib/contract/limits";
import { hostileCsvs, timeOf } from "./hostile-csv.ts";
import { numbersInput, type World } from "./hostile-world.ts";
import { base64, type Sent } from "./tenant.ts";

export type HostileCall = Pick<Sent, "headers"> & {
  title?: string;
  /** Large bodies are made when they are sent. */
  body?: Sent["body"] | (() => Sent["body"]);
  /** Ids in the path in place of those of the world. */
  params?: Record<string, string>;
  query?: string;
};

/** Returns the most expensive accepted requests of an operation. Several have a `title`. */
export type HostileCalls = (world: World) => Promise<HostileCall[]> | HostileCall[];

export const plain: HostileCalls = () => [{}];
export const body =
  (value: object): HostileCalls =>
  () => [{ body: value }];
export const levels = `levels=${INTERVAL_LEVELS.join(",")}`;
export const ids = ({ scenarioIds }: World) => `ids=${scenarioIds.join(",")}`;

/** Calls with each of the expensive files, or with two of them. */
export const withFiles = ({ sizes }: World, others: object): HostileCall[] =>
  sizes.fileBytes.flatMap((bytes) =>
    filesOf(sizes, bytes).map(([title, text]) => ({
      title: `${title}, ${(bytes / 1e6).toFixed(1)} MB`,
      body: () => ({ ...others, fileData: base64(text()) }),
    })),
  );

export const filesOf = ({ isLong }: World["sizes"], bytes: number) => {
  const files = Object.entries(hostileCsvs(bytes));
  return isLong ? files : files.filter(([title]) => briefFiles.has(title));
};
const briefFiles = new Set(["a first row of quotes", "an issue in every row"]);

/** Adjustments of the longest list, each with many conditions. */
export const manyAdjustments = Array.from({ length: limits.adjustmentsMax }, (_, at) => ({
  feature: `f${at % 8}`,
  operation: "add",
  value: at / 100,
  where: Array.from({ length: 20 }, (_, condition) => ({
    feature: `f${condition % 8}`,
    operator: ">",
    value: -100 - condition,
  })),
}));

/** A new project, key, scenario, … for calls that delete. */
export async function newProject({ tenant }: World): Promise<string> {
  return (await tenant.ask("POST", "/projects", { name: "Short-lived" })).id;
}
export async function newKey({ tenant, projectId }: World): Promise<string> {
  return (await tenant.ask("POST", `/projects/${projectId}/api-keys`, { name: "Short-lived" })).id;
}
/** A new webhook with a delivery. A project has at most 20, so the oldest are deleted; another caller may still use the rest. */
export async function newWebhook({ tenant, projectId }: World) {
  const path = `/projects/${projectId}/webhooks`;
  const listed: unknown = await tenant.ask("GET", path);
  const byAge = (listed as { id: string; createdAt: string }[]).toSorted((a, b) =>
    a.createdAt.localeCompare(b.createdAt),
  );
  for (const { id } of byAge.slice(0, -10)) await tenant.send({ method: "DELETE", path: `${path}/${id}` });
  const body = { url: "https://192.88.98.1/hooks", events: ["job-updated"] };
  const { id: webhookId } = await tenant.ask("POST", path, body);
  const { id: deliveryId } = await tenant.ask("POST", `${path}/${webhookId}/test`);
  return { webhookId, deliveryId };
}
export async function newComparison({ tenant, projectId, scenarioIds }: World): Promise<string> {
  const sent = { name: "Short-lived", scenarioIds };
  return (await tenant.ask("POST", `/projects/${projectId}/comparisons`, sent)).id;
}
export async function newOverride({ tenant, projectId, scenarioIds, sizes }: World): Promise<string> {
  const sent = { ...longOverride(sizes), reason: "Short-lived" };
  return (await tenant.ask("POST", `/projects/${projectId}/scenarios/${scenarioIds[0]}/overrides`, sent)).id;
}
/** An override of all rows of a scenario. */
export const longOverride = ({ datasetRows, scenarioRows }: World["sizes"]) => ({
  from: timeOf(datasetRows),
  to: timeOf(datasetRows + scenarioRows - 1),
  operation: "add",
  value: 1,
});
export async function newMember({ tenant }: World): Promise<string> {
  const sent = { name: "Bo", email: `${randomUUID()}@example.com`, password: "battery staple" };
  return (await tenant.ask("POST", "/members", sent)).id;
}
export async function newProjectMember(world: World): Promise<string> {
  const userId = await newMember(world);
  await world.tenant.ask("POST", `/projects/${world.projectId}/members`, { userId, role: "viewer" });
  return userId;
}
/** The version of the dataset that differs most from the newest one. */
export async function oldestVersion({ tenant, projectId }: World): Promise<string> {
  const versions: unknown = await tenant.ask("GET", `/projects/${projectId}/dataset/versions`);
  return (versions as { id: string }[]).at(-1)!.id;
}
export async function newScenario({ tenant, projectId, checkpointId, scenarioIds }: World) {
  const sent = { title: "Long", checkpointId, baseScenarioId: scenarioIds[0], adjustments: manyAdjustments };
  const made = await tenant.ask("POST", `/projects/${projectId}/scenarios`, sent);
  return { scenarioId: made.scenarioId as string, jobId: made.jobId };
}

export function numbersCsv(rows: number, width: number): string {
  const input = numbersInput(rows, width);
  const names = Object.keys(input);
  const lines = Array.from({ length: rows }, (_, row) => names.map((name) => input[name]![row]).join(","));
  return [names.join(","), ...lines].join("\n");
}
