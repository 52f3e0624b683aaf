"use client";

import { useEffect, useMemo, useState } from "react";
import type { CsvOptions, CsvResult } from "#lib/csv/options";
import { readCsvFile } from "./read-csv-file.tsx";

export type CsvFileState<R> =
  | { state: "none" }
  | { state: "reading"; fraction: number }
  | { state: "read"; result: R }
  | { state: "unreadable"; message: string };

/** Reads the chosen file from its start. */
export type ReadFile = (options: CsvOptions) => Promise<CsvResult>;

/**
 * The chosen file, read anew whenever the file or the way to read it changes.
 *
 * @param how plain data for `interpret`, compared by its content
 * @param interpret the same function at each call
 */
export function useCsvFile<H, R>(
  file: File | null,
  how: H,
  interpret: (read: ReadFile, how: H) => Promise<R>,
): CsvFileState<R> {
  const [state, setState] = useState<CsvFileState<R>>({ state: "none" });
  const signature = JSON.stringify(how);
  const stable = useMemo(() => JSON.parse(signature) as H, [signature]);
  useEffect(() => {
    if (!file) {
      setState({ state: "none" });
      return;
    }
    const abort = new AbortController();
    setState({ state: "reading", fraction: 0 });
    const onProgress = (fraction: number) =>
      !abort.signal.aborted && setState({ state: "reading", fraction });
    interpret((options) => readCsvFile(file, options, onProgress, abort.signal), stable).then(
      (result) => !abort.signal.aborted && setState({ state: "read", result }),
      (error: unknown) => {
        if (!abort.signal.aborted)
          setState({ state: "unreadable", message: error instanceof Error ? error.message : String(error) });
      },
    );
    return () => abort.abort();
  }, [file, stable, interpret]);
  return state;
}
