type Value = string | number | null | undefined;

/**
 * Writes parameters as a query, without those that are not set: null, undefined and empty texts. A list repeats its parameter.
 */
export function queryOf(parameters: Readonly<Record<string, Value | readonly string[]>>): string {
  const all = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((one): [string, Value] => [name, one]),
  );
  const set = all.filter(([, value]) => value !== "" && value != null);
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
}

/** Returns an earlier run as a parameter of the API, beginning with `&`; empty for the run that completed last. */
export const runParam = (run: string | undefined): string => (run === undefined ? "" : `&run=${run}`);

/** Returns restrictions of many series as parameters of the API, beginning with `&`; empty for all series. */
export const whereParams = (where: readonly string[]): string =>
  where.map((text) => `&where=${encodeURIComponent(text)}`).join("");
