import { previewCsv } from "./preview-csv.ts";
import type { Reading } from "./reading.ts";
import type { PreviewMessage } from "./use-csv-preview.ts";

// Runs in a worker: a file of any size does not block the page, and the worker's memory is freed with it.

/** Maximum number of progress reports. */
const steps = 100;

const report = (message: PreviewMessage) => postMessage(message);

addEventListener("message", ({ data: { file, reading } }: MessageEvent<{ file: File; reading: Reading }>) => {
  let reported = 0;
  const onProgress = (fraction: number) => {
    const step = Math.floor(fraction * steps);
    if (step !== reported) report({ fraction });
    reported = step;
  };
  previewCsv(file, reading, onProgress).then(
    (preview) => report({ preview }),
    (error: unknown) => report({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
