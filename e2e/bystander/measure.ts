import { printTable as printColumns } from "../../bench/table.ts";
import type { World } from "./hostile-world.ts";
import type { Neighbour } from "./neighbour.ts";
import { hostileOperations } from "./operations.ts";
import { cancelJobs, play } from "./play.ts";
import type { Seen } from "./probe.ts";
import type { System } from "./system.ts";
import type { Sent } from "./tenant.ts";

/** The bystander's calls while one hostile request was repeated. */
export type Measured = {
  operation: string;
  title: string;
  /** Number of hostile responses by status. */
  statuses: string;
  seen: Seen[];
  /** By call of the bystander. */
  times: Times;
  /** Peak of the sampled memory of the service, in megabytes. */
  peakMb: number;
  line: string;
};

type Times = Record<string, { p50: number; p99: number; max: number; count: number }>;

/** Hostile callers at the same time. */
const callers = 2;
const limitMs = 100;

/**
 * Repeats a hostile request for a time, and measures the bystander meanwhile. Ends the jobs that the request started.
 *
 * @param call the request; null measures without any
 */
export async function measureCall(
  { world, neighbour, system }: { world: World; neighbour: Neighbour; system: System },
  call: { operation: string; at: number; title: string } | null,
  windowMs: number,
): Promise<Measured> {
  const stop = AbortSignal.timeout(windowMs);
  await neighbour.take();
  const counts = new Map<string, number>();
  let peakMb = 0;
  const sample = setInterval(() => {
    peakMb = Math.max(peakMb, sumOf(system));
  }, 500);
  /** A large body, made once. */
  let large: Sent["body"];
  const repeat = async () => {
    while (!stop.aborted) {
      if (call === null) {
        await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
        return;
      }
      const [wanted] = (await hostileOperations[call.operation]!(world)).slice(call.at);
      if (typeof wanted!.body === "function") large ??= wanted!.body();
      const body = large ?? wanted!.body;
      const { status, text, data } = await play(world, call.operation, { ...wanted!, body });
      const name = status < 300 ? `${status}` : `${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ""}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (status === 202 && data?.jobId !== undefined)
        await Promise.race([ended(stop), jobEnded(world, data.jobId)]);
    }
  };
  await Promise.all(Array.from({ length: callers }, repeat));
  clearInterval(sample);
  const seen = await neighbour.take();
  await tidy(world);
  const { operation, title } = call ?? { operation: "nothing", title: "" };
  const times = timesOf(seen);
  const statuses = [...counts].map(([name, count]) => `${count} × ${name}`).join(", ");
  const figures = Object.entries(times).map(
    ([name, { p50, p99, max }]) => `${name} ${[p50, p99, max].map((ms) => ms.toFixed(0)).join("/")}`,
  );
  const line = `${operation} ${title}: ${statuses}; ${figures.join(", ")} ms; ${peakMb.toFixed(0)} MB`;
  return { operation, title, statuses, seen, times, peakMb, line };
}

const sumOf = (system: System) => system.processes().reduce((sum, { megabytes }) => sum + megabytes, 0);

const ended = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

const jobEnded = ({ tenant }: World, jobId: string) => tenant.ended(jobId).catch(() => {});

/** Removes what requests have made, so that the limits of the project do not reject later ones. */
async function tidy(world: World): Promise<void> {
  const { tenant, projectId, checkpointId, imported, scenarioIds, previewedId, comparisonId } = world;
  await cancelJobs(world);
  const kept = new Set([
    checkpointId,
    comparisonId,
    previewedId,
    ...scenarioIds,
    ...imported.map((one) => one.checkpointId),
  ]);
  for (const kind of ["scenarios", "checkpoints", "comparisons"]) {
    const made = await tenant.ask("GET", `/projects/${projectId}/${kind}?limit=200`);
    for (const { id } of made as unknown as { id: string }[]) {
      if (!kept.has(id))
        await tenant.send({ method: "DELETE", path: `/projects/${projectId}/${kind}/${id}` });
    }
  }
}

function timesOf(seen: readonly Seen[]): Times {
  const byName = Object.groupBy(seen, ({ name }) => name);
  return Object.fromEntries(
    Object.entries(byName).map(([name, calls]) => {
      const sorted = calls!.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
      return [name, { p50: at(0.5), p99: at(0.99), max: sorted.at(-1)!, count: sorted.length }];
    }),
  );
}

/**
 * Returns the kind of an operation, such as `changes of scenarios`. One request is repeated for some seconds, in which the
 * 99th percentile of the bystander's calls is the slowest of them; the requests of a kind together have hundreds of calls.
 */
function kindOf(operation: string): string {
  if (operation === "nothing") return operation;
  const [method, path] = operation.split(" ") as [string, string];
  const names = path.split("/").filter((name) => !/^$|^api$|^v1$|^\{/.test(name));
  const subject = names[0] === "projects" ? (names[1] ?? "projects") : names[0];
  return `${method === "GET" ? "reads" : "changes"} of ${subject}`;
}

/** Returns the bystander's times by kind of hostile request. */
export function timesByKind(
  measured: readonly Measured[],
): { kind: string; requests: number; times: Times }[] {
  const kinds = Object.groupBy(measured, ({ operation }) => kindOf(operation));
  return Object.entries(kinds).map(([kind, requests]) => ({
    kind,
    requests: requests!.length,
    times: timesOf(requests!.flatMap(({ seen }) => seen)),
  }));
}

/** Returns the failed calls of the bystander, and the kinds of hostile requests that delayed it too much. */
export function problemsOf(measured: readonly Measured[]): string[] {
  const late = timesByKind(measured).flatMap(({ kind, times }) =>
    Object.entries(times)
      .filter(([, { p99 }]) => p99 > limitMs)
      .map(([name, { p99, count }]) => `${kind}: p99 of ${count} calls (${name}) is ${p99.toFixed(0)} ms`),
  );
  const failed = measured.flatMap(({ operation, title, seen }) => {
    const failures = seen.filter(({ status }) => status !== 200);
    if (failures.length === 0) return [];
    const { name, status, text } = failures[0]!;
    return `${operation} ${title}: ${failures.length} calls failed, such as ${name}: ${status} ${text}`;
  });
  return [...late, ...failed];
}

const names = ["own model", "imported model", "health"];
const timeTitles = names.map((name) => `${name}, ms`);
const cellsOf = (times: Times) =>
  names.map((name) => {
    const { p50 = 0, p99 = 0, max = 0 } = times[name] ?? {};
    return [p50, p99, max].map((ms) => ms.toFixed(ms < 10 ? 1 : 0)).join(" / ");
  });

/** Prints medians, 99th percentiles and maxima of the bystander's calls, by hostile request and by kind. */
export function printTables(measured: readonly Measured[]): string {
  const rows = measured.map(({ operation, title, statuses, times, peakMb }) => [
    ...[`${operation.replaceAll("/api/v1/projects/{projectId}", "…")} ${title}`, statuses],
    ...cellsOf(times),
    peakMb.toFixed(0),
  ]);
  const kinds = timesByKind(measured).map(({ kind, requests, times }) => [
    kind,
    String(requests),
    ...cellsOf(times),
  ]);
  return [
    ...printColumns(["hostile request", "responses", ...timeTitles, "MB"], new Set([2, 3, 4, 5]), rows),
    "",
    ...printColumns(["kind", "requests", ...timeTitles], new Set([1, 2, 3, 4]), kinds),
  ].join("\n");
}
