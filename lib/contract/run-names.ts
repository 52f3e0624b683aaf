/**
 * Splits an entry of a comparison's `ids`: the ID of a scenario alone, or followed by `@` and the ID of one of its runs. Without a run,
 * the entry stands for the run that completed last.
 */
export function splitRunName(name: string): { scenarioId: string; run: string | undefined } {
  const at = name.indexOf("@");
  return at === -1
    ? { scenarioId: name, run: undefined }
    : { scenarioId: name.slice(0, at), run: name.slice(at + 1) };
}

export const isRunName = (name: string): boolean => name.includes("@");

/** Returns the entry of `ids` for a run of a scenario. */
export const runName = (scenarioId: string, run: string): string => `${scenarioId}@${run}`;
