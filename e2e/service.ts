import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { nodeOptions } from "../server/node-options.ts";
import { ownPort } from "./own-port.ts";

export type TestService = {
  url: string;
  /** Output of the service so far. */
  output: () => string;
  pid: number;
  /** Stops the service and waits for its end. */
  stop(): Promise<void>;
  exited: Promise<unknown>;
};

/** Finds the demo's downstream project, the only one with an upstream project. Other tests may add projects. */
export function findDemo<P extends { dependencies: unknown[] }>(projects: readonly P[]): P {
  // Tests create other projects, which the list has before.
  const project = projects.findLast(({ dependencies }) => dependencies.length > 0);
  if (!project) throw new Error("The demo has no project with an upstream project");
  return project;
}

export const admin = { email: "admin@example.com", password: "correct horse battery" };

/**
 * Signs in over HTTP, and returns the value of the header `Cookie`.
 *
 * @throws {Error} if the service rejects the sign-in
 */
export async function sessionCookie(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify(admin),
  });
  if (!answer.ok) throw new Error(`The sign-in returned status ${answer.status}: ${await answer.text()}`);
  const cookies = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
  return cookies.join("; ");
}

const scripts = path.resolve(import.meta.dirname, "..", "scripts");
const readyTimeoutMs = 300_000;

/**
 * Starts the real service with its supervisor, like `npm start`, on its own ports.
 *
 * @param dataDir data folder; the caller removes it
 * @throws {Error} with the service's output if it does not become ready
 */
export async function startService(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<TestService> {
  return start("start.mjs", "ready on ", {
    PORT: String(await ownPort()),
    REALTIME_PORT: String(await ownPort()),
    DATA_DIR: dataDir,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ...environment,
  });
}

/**
 * Starts another web process of a running service. The shared data folder provides the database URL and the secrets.
 *
 * @throws {Error} with the process's output if it does not become ready
 */
export async function startWeb(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<TestService> {
  return start("web.ts", "listening on ", {
    PORT: String(await ownPort()),
    DATA_DIR: dataDir,
    ...environment,
  });
}

/**
 * Starts one script of the service as a separate process.
 *
 * @param readyText text of the line that reports readiness
 * @throws {Error} with the process's output if it does not become ready
 */
export async function start(
  script: string,
  readyText: string,
  environment: Record<string, string>,
): Promise<TestService> {
  const child = fork(path.join(scripts, script), [], {
    execArgv: nodeOptions,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, NODE_ENV: "production", ...environment },
  });
  const exited = once(child, "exit");
  const lines: string[] = [];
  const ready = Promise.withResolvers<void>();
  const failed = (why: string) => ready.reject(new Error(`${script} ${why}:\n${lines.join("\n")}`));
  const late = setTimeout(() => failed(`is not ready after ${readyTimeoutMs / 1000} s`), readyTimeoutMs);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream! }).on("line", (line) => {
      lines.push(line);
      if (line.includes(readyText)) ready.resolve();
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
  const url = `http://localhost:${environment.PORT}`;
  return { url, output: () => lines.join("\n"), pid: child.pid!, stop, exited };
}
