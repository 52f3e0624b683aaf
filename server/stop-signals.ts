/**
 * Calls `stop` once, when this process is asked to end: by a signal, or by the death of the parent that forked it.
 * Ctrl-C reaches a process from the terminal and from its parent, so further signals are ignored; `stop` must end
 * within a bound of its own.
 */
export function onStop(stop: (reason: string) => void): void {
  let asked = false;
  const once = (reason: string) => {
    if (asked) return;
    asked = true;
    stop(reason);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => once(signal));
  process.on("disconnect", () => once("disconnect"));
  process.channel?.unref();
}
