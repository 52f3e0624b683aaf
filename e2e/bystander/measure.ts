import { printTable as printColumns } from "../../bench/table.ts";
import type { World } from "./hostile-world.ts";
import type { Neighbour } from "./neighbour.ts";
import { hostileOperations } from "./operations.ts";
import { cancelJobs, play } from "./play.ts";
import type { Seen } from "./probe.ts";
import type { System } from "./system.ts";
import type { Sent } from "./tenant.ts";

/** Times of the bystander's calls while one hostile request was repeated. */
export type Measured = {
  operation: string;
  title: string;
  /** Number of hostile responses by status. */
  statuses: string;
  /** By call of the bystander. */
  times: Record<string, { p50: number; p99: number; max: number; count: number }>;
  /** Peak of the sampled memory of the service, in megabytes. */
  peakMb: number;
  failed: Seen[];
  line: string;
};

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
  const failed = seen.filter(({ status }) => status !== 200);
  const figures = Object.entries(times).map(
    ([name, { p50, p99, max }]) => `${name} ${[p50, p99, max].map((ms) => ms.toFixed(0)).join("/")}`,
  );
  const line = `${operation} ${title}: ${statuses}; ${figures.join(", ")} ms; ${peakMb.toFixed(0)} MB`;
  return { operation, title, statuses, times, peakMb, failed, line };
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

function timesOf(seen: readonly Seen[]): Measured["times"] {
  const byName = Object.groupBy(seen, ({ name }) => name);
  return Object.fromEntries(
    Object.entries(byName).map(([name, calls]) => {
      const sorted = calls!.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
      return [name, { p50: at(0.5), p99: at(0.99), max: sorted.at(-1)!, count: sorted.length }];
    }),
  );
}

/** Returns the failed calls of the bystander, and the hostile requests that delayed it too much. */
export function problemsOf(measured: readonly Measured[]): string[] {
  return measured.flatMap(({ operation, title, times, failed }) => {
    const late = Object.entries(times)
      .filter(([, { p99 }]) => p99 > limitMs)
      .map(([name, { p99 }]) => `${operation} ${title}: p99 of ${name} is ${p99.toFixed(0)} ms`);
    const [first] = failed;
    if (first === undefined) return late;
    const { name, status, text } = first;
    return [
      ...late,
      `${operation} ${title}: ${failed.length} calls failed, such as ${name}: ${status} ${text}`,
    ];
  });
}

export function printTable(measured: readonly Measured[]): string {
  const names = ["own model", "imported model", "health"];
  const rows = measured.map(({ operation, title, statuses, times, peakMb }) => [
    ...[`${operation.replaceAll("/api/v1/projects/{projectId}", "…")} ${title}`, statuses],
    ...names.map((name) => {
      const { p50 = 0, p99 = 0, max = 0 } = times[name] ?? {};
      return [p50, p99, max].map((ms) => ms.toFixed(ms < 10 ? 1 : 0)).join(" / ");
    }),
    peakMb.toFixed(0),
  ]);
  const titles = ["hostile request", "responses", ...names.map((name) => `${name}, ms`), "MB"];
  return printColumns(titles, new Set([2, 3, 4, 5]), rows).join("\n");
}
