"use client";

import { useEffect, useState } from "react";
import type { CsvPreview } from "./preview-csv.ts";
import type { Reading } from "./reading.ts";

/** Message of the preview worker. */
export type PreviewMessage = { fraction: number } | { preview: CsvPreview } | { failure: string };

type PreviewState = {
  /** Fraction read, 0 to 1; null if nothing is being read. */
  fraction: number | null;
  /** Previous result, kept while the same file is read with other settings. */
  preview: CsvPreview | null;
  failure: string | null;
};

const nothing: PreviewState = { fraction: null, preview: null, failure: null };

/**
 * Returns a preview of the chosen file. A worker reads the file again when the file or `reading` changes.
 *
 * @param reading plain data, compared by content
 */
export function useCsvPreview(file: File | null, reading: Reading): PreviewState {
  const [{ of, as, ...state }, setState] = useState<PreviewState & { of: File | null; as: string }>({
    of: null,
    as: "",
    ...nothing,
  });
  const signature = JSON.stringify(reading);
  useEffect(() => {
    if (!file) return;
    setState(({ of, preview }) => ({
      of: file,
      as: signature,
      fraction: 0,
      failure: null,
      preview: of === file ? preview : null,
    }));
    const worker = new Worker(new URL("./preview-worker.ts", import.meta.url));
    worker.onmessage = ({ data }: MessageEvent<PreviewMessage>) => {
      if ("fraction" in data) setState((before) => ({ ...before, ...data }));
      else {
        setState({ of: file, as: signature, ...nothing, ...data });
        worker.terminate();
      }
    };
    worker.onerror = () =>
      setState({
        of: file,
        as: signature,
        ...nothing,
        failure: "The file could not be read in the browser. Reload the page.",
      });
    worker.postMessage({ file, reading: JSON.parse(signature) });
    return () => worker.terminate();
  }, [file, signature]);
  if (!file) return nothing;
  // Until the worker starts, a result of another file or reading must not pass for this one's.
  if (of !== file) return { ...nothing, fraction: 0 };
  return as === signature ? state : { ...nothing, preview: state.preview, fraction: 0 };
}
