import { chartSvg, svgToPng } from "./chart-svg.ts";
import type { PreparedComparison } from "./prepare-comparison.ts";
import { paintOfNow } from "./use-paint.ts";

export type ImageOptions = Parameters<typeof chartSvg>[1];

/** Returns menu items that save the chart as an image with title and legend, in the current theme. */
export function imageItems(prepared: PreparedComparison, options: ImageOptions) {
  const svg = () => chartSvg(prepared, options, paintOfNow());
  const save = (blob: Blob, ending: string) => saveAs(blob, fileName(options.title, ending));
  return [
    ["PNG image", async () => save(await svgToPng(svg()), "png")],
    ["SVG image", async () => save(new Blob([svg()], { type: "image/svg+xml" }), "svg")],
  ] as const;
}

/** Returns a file name that every system accepts. */
export const fileName = (words: string, ending: string) =>
  `${words.replace(/[^\p{L}\p{N} ,()_.+-]+/gu, "_").slice(0, 120)}.${ending}`;

export function saveAs(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers read the object URL only after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
