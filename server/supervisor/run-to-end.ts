import { type ChildOptions, startChild } from "./start-child.ts";

/**
 * Runs a script and waits for its end.
 *
 * @param signal ends the script early
 * @throws {Error} if the exit code is not 0; the reason of `signal`
 */
export async function runToEnd(options: ChildOptions, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const child = startChild(options);
  const stop = () => void child.stop();
  signal.addEventListener("abort", stop);
  const ending = await child.exited;
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  if (ending !== "code 0") throw new Error(`${options.name} ended with ${ending}`);
}
