"use client";

import { useEffect, useState } from "react";
import type { CsvPreview, Reading } from "./preview-csv.ts";

/** What the reading thread tells. */
export type PreviewMessage = { fraction: number } | { preview: CsvPreview } | { failure: string };

export type PreviewState = {
  /** The part that is read, 0 to 1; null where nothing is being read. */
  fraction: number | null;
  /** While the same file is read in another way, what was found before stays. */
  preview: CsvPreview | null;
  failure: string | null;
};

const nothing: PreviewState = { fraction: null, preview: null, failure: null };

/**
 * What is in the chosen file, read anew in a thread of its own whenever the file or the way to read it changes.
 *
 * @param reading plain data, compared by its content
 */
export function useCsvPreview(file: File | null, reading: Reading): PreviewState {
  const [{ of, ...state }, setState] = useState<PreviewState & { of: File | null }>({ of: null, ...nothing });
  const signature = JSON.stringify(reading);
  useEffect(() => {
    if (!file) return;
    setState(({ of, preview }) => ({
      ...{ of: file, fraction: 0, failure: null },
      preview: of === file ? preview : null,
    }));
    const worker = new Worker(new URL("./preview-worker.ts", import.meta.url));
    worker.onmessage = ({ data }: MessageEvent<PreviewMessage>) => {
      if ("fraction" in data) setState((before) => ({ ...before, ...data }));
      else {
        setState({ of: file, ...nothing, ...data });
        worker.terminate();
      }
    };
    worker.onerror = () =>
      setState({ of: file, ...nothing, failure: "The file could not be read here. Load the page anew." });
    worker.postMessage({ file, reading: JSON.parse(signature) });
    return () => worker.terminate();
  }, [file, signature]);
  // Until the thread has begun with another file, nothing is known of it.
  return of === file ? state : file ? { ...nothing, fraction: 0 } : nothing;
}
