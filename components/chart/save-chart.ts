import { chartSvg, svgToPng } from "./chart-svg.ts";
import type { PreparedComparison } from "./prepare-comparison.ts";
import { paintOfNow } from "./use-paint.ts";

export type ImageFormat = "png" | "svg";
export type ImageOptions = Parameters<typeof chartSvg>[1];

export const imageFormats: readonly [ImageFormat, string][] = [
  ["png", "PNG image"],
  ["svg", "SVG image"],
];

/**
 * Saves the chart as an image with title and legend, in the current theme.
 *
 * @throws {Error} if the browser cannot create the image
 */
export async function saveChart(
  format: ImageFormat,
  prepared: PreparedComparison,
  options: ImageOptions,
): Promise<void> {
  const svg = chartSvg(prepared, options, paintOfNow());
  const blob = format === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await svgToPng(svg);
  saveAs(blob, fileName(options.title, format));
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
