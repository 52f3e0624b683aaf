import { parentPort, workerData } from "node:worker_threads";
import { PooledConnection } from "#db/pool/pooled-connection";
import { bossSchema } from "#lib/platform/jobs/boss-options";
import { logger } from "#lib/platform/log/logger";
import { type Delivery, type ToWatchdog, type WatchdogSettings, watchdogSignal } from "./watchdog.ts";

// The thread of `Watchdog`. It counts its own ticks instead of time: a halted machine or process stops both loops, and
// after it resumes, the main loop must not count as blocked.

const tickMs = 1_000;
const heartbeatMs = 2_000;

const { url, blockedSeconds, endsWithParent } = workerData as WatchdogSettings;
const parent = process.ppid;
let ticksSinceBeat = 0;
let ticksLeft = Number.POSITIVE_INFINITY;
let held: Delivery[] = [];

parentPort!.on("message", (message: ToWatchdog) => {
  if (message.kind === "beat") ticksSinceBeat = 0;
  else if (message.kind === "held") held = message.deliveries;
  else ticksLeft = message.seconds;
});

setInterval(() => {
  if (endsWithParent && process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  ticksSinceBeat += 1;
  ticksLeft -= 1;
  if (ticksSinceBeat >= blockedSeconds) {
    endProcess(`the main loop has been blocked for ${blockedSeconds} s; the process ends`);
  } else if (ticksLeft <= 0) endProcess("the process does not stop in time and ends");
}, tickMs);

function endProcess(reason: string): void {
  logger().fatal({ jobIds: held.map(({ id }) => id) }, reason);
  process.kill(process.pid, watchdogSignal);
}

if (url !== null) void keepAlive(url);

async function keepAlive(address: string): Promise<never> {
  const connect = () => new PooledConnection({ url: address, statementMs: 5_000 });
  let connection = connect();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, heartbeatMs));
    if (held.length === 0) continue;
    if (connection.isLost) connection = connect();
    await refresh(connection, held).catch((err: unknown) =>
      logger().warn({ err }, "heartbeats could not be refreshed and will be retried"),
    );
  }
}

/** Refreshes heartbeats as pg-boss does (`touch`): only those of deliveries that this process still holds. */
async function refresh(connection: PooledConnection, deliveries: readonly Delivery[]): Promise<void> {
  const text = `
    update ${bossSchema}.job delivery set heartbeat_on = ${bossSchema}.job_now()
    from jsonb_to_recordset($1::text::jsonb) as held(queue text, id uuid, "retryCount" int)
    where delivery.name = held.queue and delivery.id = held.id and delivery.state = 'active'
      and delivery.retry_count = held."retryCount"`;
  await connection.query({ text, params: [JSON.stringify(deliveries)] });
}
