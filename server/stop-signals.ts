/**
 * Calls `stop` once: at the first signal, or when the parent that forked this process dies. Ignores further signals,
 * because Ctrl-C arrives both from the terminal and from the parent. Therefore `stop` needs its own time limit.
 */
export function onStop(stop: (reason: string) => void): void {
  let stopping = false;
  const once = (reason: string) => {
    if (stopping) return;
    stopping = true;
    stop(reason);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => once(signal));
  process.on("disconnect", () => once("disconnect"));
  process.channel?.unref();
}
