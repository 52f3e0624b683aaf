"use client";

import { useEffect, useMemo, useState } from "react";
import type { CsvOptions, CsvResult } from "#lib/csv/options";
import { readCsvFile } from "./read-csv-file.tsx";

export type CsvFileState =
  | { state: "none" }
  | { state: "reading"; fraction: number }
  | { state: "read"; result: CsvResult }
  | { state: "unreadable"; message: string };

/** The chosen file, read anew whenever the file or the way to read it changes. */
export function useCsvFile(file: File | null, options: CsvOptions): CsvFileState {
  const [state, setState] = useState<CsvFileState>({ state: "none" });
  // Options are plain data: compared by content, not by identity.
  const signature = JSON.stringify(options);
  const stable = useMemo(() => JSON.parse(signature) as CsvOptions, [signature]);
  useEffect(() => {
    if (!file) {
      setState({ state: "none" });
      return;
    }
    const abort = new AbortController();
    setState({ state: "reading", fraction: 0 });
    readCsvFile(
      file,
      stable,
      (fraction) => !abort.signal.aborted && setState({ state: "reading", fraction }),
      abort.signal,
    ).then(
      (result) => !abort.signal.aborted && setState({ state: "read", result }),
      (error: unknown) => {
        if (!abort.signal.aborted)
          setState({ state: "unreadable", message: error instanceof Error ? error.message : String(error) });
      },
    );
    return () => abort.abort();
  }, [file, stable]);
  return state;
}
