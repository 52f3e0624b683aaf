import { previewCsv, type Reading } from "./preview-csv.ts";
import type { PreviewMessage } from "./use-csv-preview.ts";

// A thread of its own: a file of any size leaves the page alone, and its memory goes with the thread.

/** So often, at most, is the progress told. */
const steps = 100;

const tell = (message: PreviewMessage) => postMessage(message);

addEventListener("message", ({ data: { file, reading } }: MessageEvent<{ file: File; reading: Reading }>) => {
  let told = 0;
  const onProgress = (fraction: number) => {
    const step = Math.floor(fraction * steps);
    if (step !== told) tell({ fraction });
    told = step;
  };
  previewCsv(file, reading, onProgress).then(
    (preview) => tell({ preview }),
    (error: unknown) => tell({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
