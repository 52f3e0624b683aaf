import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { environment } from "#lib/platform/config/environment";
import { buildInfo } from "#lib/platform/health/build-info";
import { diskSpace, foldersWritten } from "#lib/platform/health/disk-space";
import { readRestarts } from "#lib/platform/health/restarts";
import { perProcess } from "#lib/platform/process/per-process";

function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { version, commit } = buildInfo();
  new Gauge({
    name: "build_info",
    help: "Always 1; the labels state the version and the commit of the build",
    labelNames: ["version", "commit"],
    registers: [registry],
  }).set({ version, commit: commit ?? "unknown" }, 1);
  return {
    registry,
    calls: new Counter({
      name: "http_requests_total",
      help: "API calls with a response",
      labelNames: ["operation", "method", "status"],
      registers: [registry],
    }),
    callSeconds: new Histogram({
      name: "http_request_duration_seconds",
      help: "Time from the arrival of a request to its response",
      labelNames: ["operation", "method"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    errors: new Counter({
      name: "http_errors_total",
      help: "API calls with an error response, by its code; rate_limited and session_required are rejections",
      labelNames: ["operation", "code"],
      registers: [registry],
    }),
    unavailable: new Counter({
      name: "http_unavailable_total",
      help: "API calls with status 503, by cause: database, store, disk (full), capacity (too many large requests), realtime or other",
      labelNames: ["cause"],
      registers: [registry],
    }),
    jobs: new Gauge({
      name: "jobs",
      help: "Waiting and running jobs of all processes, by type and status",
      labelNames: ["type", "status"],
      registers: [registry],
    }),
    jobsOpen: new Gauge({
      name: "jobs_open",
      help: "Waiting and running jobs of all processes, by queue; scale workers by this number",
      labelNames: ["queue"],
      registers: [registry],
    }),
    attemptSeconds: new Histogram({
      name: "job_attempt_duration_seconds",
      help: "Duration of job attempts in this process, by outcome",
      labelNames: ["type", "outcome"],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
      registers: [registry],
    }),
    jobsOldestSeconds: new Gauge({
      name: "jobs_oldest_pending_seconds",
      help: "Waiting time of the oldest waiting job; 0 without one",
      labelNames: ["type"],
      registers: [registry],
    }),
    events: new Gauge({
      name: "events_waiting",
      help: "Events not yet sent to the realtime channel",
      registers: [registry],
    }),
    eventsOldestSeconds: new Gauge({
      name: "events_oldest_waiting_seconds",
      help: "Waiting time of the oldest unsent event; 0 without one",
      registers: [registry],
    }),
    artifactsToRemove: new Gauge({
      name: "artifacts_to_remove",
      help: "Orphaned folders of the store that are due for deletion, of all processes",
      registers: [registry],
    }),
    storeBytes: new Gauge({
      name: "store_bytes",
      help: "Bytes that rows record in the store and as predictions, of all projects, by kind",
      labelNames: ["kind"],
      registers: [registry],
    }),
    projectStoreBytes: new Gauge({
      name: "project_store_bytes",
      // The endpoint is open inside the network, so it names no project.
      help: "The same of the ten projects with the most bytes, the largest first",
      labelNames: ["rank"],
      registers: [registry],
    }),
    projectQuotaBytes: new Gauge({
      name: "project_quota_bytes",
      help: "Most bytes that a project may have in store",
      registers: [registry],
      collect() {
        this.set(environment().quota.bytes);
      },
    }),
    diskFree: new Gauge({
      name: "disk_free_bytes",
      help: "Free space on the disk of a folder: data (DATA_DIR) or artifacts (a local store)",
      labelNames: ["folder"],
      registers: [registry],
      collect() {
        for (const [folder, { free }] of disks()) this.set({ folder }, free);
      },
    }),
    diskSize: new Gauge({
      name: "disk_size_bytes",
      help: "Size of the disk of a folder",
      labelNames: ["folder"],
      registers: [registry],
      collect() {
        for (const [folder, { size }] of disks()) this.set({ folder }, size);
      },
    }),
    restarts: new Counter({
      name: "supervisor_restarts_total",
      help: "Unexpected ends of the parts that npm start runs, since its start; absent without it",
      labelNames: ["part"],
      registers: [registry],
      collect() {
        this.reset();
        for (const [part, count] of Object.entries(readRestarts(environment().dataDir)))
          this.inc({ part }, count);
      },
    }),
    pool: new Gauge({
      name: "database_pool_connections",
      help: "Database connections of this process: limit (max), in use (in_use) and waiting callers (waiting)",
      labelNames: ["state"],
      registers: [registry],
    }),
    inferenceSeconds: new Histogram({
      name: "inference_duration_seconds",
      help: "Time to predict the rows of one call, including features",
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    }),
  };
}

/** Returns this process's metrics. */
export const metrics = perProcess("metricsOfProcess", createMetrics);

function disks() {
  return Object.entries(foldersWritten()).flatMap(([name, folder]) => {
    const space = diskSpace(folder);
    return space === null ? [] : [[name, space] as const];
  });
}
