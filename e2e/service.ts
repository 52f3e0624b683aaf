import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../db/embedded/free-port.ts";

export type TestService = {
  url: string;
  /** Everything that the service printed so far. */
  output: () => string;
  pid: number;
  /** Asks the service to end, and waits until it has. */
  stop(): Promise<void>;
  exited: Promise<unknown>;
};

export const admin = { email: "admin@example.com", password: "correct horse battery" };

const supervisor = path.resolve(import.meta.dirname, "..", "scripts", "start.mjs");
const readyTimeoutMs = 300_000;

/**
 * Starts the real service, supervisor and all, as `npm start` does, on free ports.
 *
 * @param dataDir where it keeps everything; the caller removes it
 * @throws {Error} with all that it printed where it does not become ready
 */
export async function startService(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<TestService> {
  const port = environment.PORT ?? String(await freePort());
  const child = fork(supervisor, [], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: port,
      REALTIME_PORT: String(await freePort()),
      DATA_DIR: dataDir,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      ...environment,
    },
  });
  const exited = once(child, "exit");
  const lines: string[] = [];
  const ready = Promise.withResolvers<void>();
  const failed = (why: string) => ready.reject(new Error(`The service ${why}:\n${lines.join("\n")}`));
  const late = setTimeout(() => failed(`is not ready after ${readyTimeoutMs / 1000} s`), readyTimeoutMs);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream! }).on("line", (line) => {
      lines.push(line);
      if (line.startsWith("ready on ")) ready.resolve();
    });
  }
  exited.then(() => failed("ended"));
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  try {
    await ready.promise;
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(late);
  }
  return { url: `http://localhost:${port}`, output: () => lines.join("\n"), pid: child.pid!, stop, exited };
}
