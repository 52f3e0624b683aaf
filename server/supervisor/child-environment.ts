import path from "node:path";
import { secretFile } from "#lib/config/secret-file";
import type { Environment } from "#lib/platform/config/environment";

type Embedded = {
  databaseUrl: string;
  /** null: `PUSHER_*` names the realtime service. */
  realtimePort: number | null;
};

/** What the processes of the service are told: the environment that this one was given, with the embedded parts in it. */
export function childEnvironment(
  given: NodeJS.ProcessEnv,
  settings: Pick<Environment, "dataDir" | "bindAddress">,
  embedded: Embedded,
  dev: boolean,
): NodeJS.ProcessEnv {
  const { dataDir, bindAddress } = settings;
  return {
    ...given,
    NODE_ENV: dev ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    // What is stripped of its types once need not be again, by no process and none of its threads.
    NODE_COMPILE_CACHE: given.NODE_COMPILE_CACHE ?? path.join(dataDir, "compile-cache"),
    DATA_DIR: dataDir,
    DATABASE_URL: embedded.databaseUrl,
    AUTH_SECRET: given.AUTH_SECRET?.trim() || secretFile(dataDir, "auth"),
    ...(embedded.realtimePort === null
      ? {}
      : {
          PUSHER_APP_ID: "service",
          PUSHER_KEY: secretFile(dataDir, "realtime-key", 10),
          PUSHER_SECRET: secretFile(dataDir, "realtime-secret"),
          PUSHER_HOST: reachable(bindAddress),
          PUSHER_PORT: String(embedded.realtimePort),
          PUSHER_USE_TLS: "0",
          REALTIME_PORT: String(embedded.realtimePort),
        }),
  };
}

/** An address by which processes on this machine reach a server that listens on the given one. */
export function reachable(bindAddress: string | null): string {
  if (bindAddress === null || bindAddress === "0.0.0.0" || bindAddress === "::") return "127.0.0.1";
  return bindAddress.includes(":") ? `[${bindAddress}]` : bindAddress;
}
