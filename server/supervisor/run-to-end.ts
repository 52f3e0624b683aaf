import { type ChildOptions, startChild } from "./start-child.ts";

/**
 * Runs a script once.
 *
 * @param signal ends the script early
 * @throws {Error} where it ends with anything but code 0
 */
export async function runToEnd(options: ChildOptions, signal: AbortSignal): Promise<void> {
  const child = startChild(options);
  const stop = () => void child.stop();
  signal.addEventListener("abort", stop);
  const ending = await child.exited;
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  if (ending !== "code 0") throw new Error(`${options.name} ended with ${ending}`);
}
