import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../server/postgres/free-port.ts";
import { firstPython } from "./python.ts";

/** A server that only predicts, for comparison. */
export type BenchServer = { name: string; port: number; path: string; stop(): Promise<void> };

const SCRIPT = path.join(import.meta.dirname, "fastapi-server.py");

/**
 * Starts `bare-server.ts`.
 *
 * @param file path of the ONNX model
 */
export async function startBare(file: string): Promise<BenchServer> {
  const child = fork(path.join(import.meta.dirname, "bare-server.ts"), [file]);
  const ended = rejectOnExit(child, "The bare server");
  const [port] = await Promise.race([once(child, "message"), ended]);
  return { name: "bare node:http + ONNX Runtime", port, path: "/", stop: () => stop(child) };
}

/**
 * Starts `fastapi-server.py`.
 *
 * @param folder training data of `writeData`
 * @returns the server, or a hint what to install if packages are missing
 */
export async function startFastApi(
  learner: "sklearn" | "xgboost",
  folder: string,
  { rounds, leaves }: { rounds: number; leaves: number },
): Promise<BenchServer | string> {
  const needed = ["fastapi", "uvicorn", "numpy", learner];
  const found = firstPython<Record<string, boolean>>(SCRIPT, (has) => needed.every((name) => has[name]));
  if (found === null)
    return `install it (Debian: apt-get install python3-fastapi python3-uvicorn python3-${learner}), or set BENCH_PYTHON to a Python that has it`;
  const port = await freePort();
  const child = spawn(found.python, [SCRIPT, learner, folder, ...[rounds, leaves, port].map(String)], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  await Promise.race([waitUntilListening(port), rejectOnExit(child, `FastAPI with ${learner}`)]);
  const name = `FastAPI + ${learner === "sklearn" ? "scikit-learn" : "XGBoost"}`;
  return { name, port, path: "/predict", stop: () => stop(child) };
}

async function waitUntilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isListening = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isListening) return;
    await delay(100);
  }
}

async function rejectOnExit(child: ChildProcess, name: string): Promise<never> {
  await once(child, "exit");
  throw new Error(`${name} ended.`);
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill();
  await ended;
}
