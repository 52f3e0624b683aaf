import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { perProcess } from "#lib/platform/process/per-process";

function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
