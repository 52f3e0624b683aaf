import path from "node:path";
import type { Environment } from "#lib/platform/config/environment";
import { secretFile } from "#lib/platform/config/secrets";

type Embedded = {
  databaseUrl: string;
  /** Port of the embedded realtime server; null if `PUSHER_*` configures another one. */
  realtimePort: number | null;
};

/** Returns the environment of the service's processes: this process's variables and those of the embedded parts. */
export function childEnvironment(
  variables: NodeJS.ProcessEnv,
  settings: Pick<Environment, "dataDir" | "bindAddress">,
  embedded: Embedded,
  dev: boolean,
): NodeJS.ProcessEnv {
  const { dataDir, bindAddress } = settings;
  return {
    ...variables,
    NODE_ENV: dev ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    // Shares the compile cache, so that no process or thread strips types twice.
    NODE_COMPILE_CACHE: variables.NODE_COMPILE_CACHE ?? path.join(dataDir, "compile-cache"),
    DATA_DIR: dataDir,
    DATABASE_URL: embedded.databaseUrl,
    AUTH_SECRET: variables.AUTH_SECRET?.trim() || secretFile(dataDir, "auth"),
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

/** Returns an address under which processes on this machine reach a server that listens on the given address. */
export function reachable(bindAddress: string | null): string {
  if (bindAddress === null || bindAddress === "0.0.0.0" || bindAddress === "::") return "127.0.0.1";
  return bindAddress.includes(":") ? `[${bindAddress}]` : bindAddress;
}
