import type { Page } from "@playwright/test";

/** Times in milliseconds from the start of navigation, a unitless layout shift, and compressed bytes. */
export type Vitals = {
  firstPaint: number;
  largestPaint: number;
  blocking: number;
  shift: number;
  scriptBytes: number;
  allBytes: number;
};

type Watched = { largest: number; shift: number; tasks: { start: number; duration: number }[] };

/** Starts to measure a page before it loads. */
export async function watchVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched: Watched = { largest: 0, shift: 0, tasks: [] };
    (window as unknown as { watched: Watched }).watched = watched;
    const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
    watch("largest-contentful-paint", ({ startTime }) => {
      watched.largest = startTime;
    });
    watch("longtask", ({ startTime, duration }) => watched.tasks.push({ start: startTime, duration }));
    watch("layout-shift", (entry) => {
      const { value, hadRecentInput } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      };
      if (!hadRecentInput) watched.shift += value;
    });
  });
}

/** Returns the measurements of a page. */
export function readVitals(page: Page): Promise<Vitals> {
  return page.evaluate(() => {
    const { largest, shift, tasks } = (window as unknown as { watched: Watched }).watched;
    const firstPaint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN;
    const loaded = [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ] as PerformanceResourceTiming[];
    const bytes = (entries: PerformanceResourceTiming[]) =>
      entries.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return {
      firstPaint,
      largestPaint: largest,
      blocking: tasks
        .filter(({ start }) => start >= firstPaint)
        .reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0),
      shift,
      scriptBytes: bytes(loaded.filter(({ name }) => name.endsWith(".js"))),
      allBytes: bytes(loaded),
    };
  });
}

/** Lighthouse 12 desktop: metric values for 0.9 and 0.5 points (`core/audits/metrics/*.js`), and weights. */
const curves = {
  firstPaint: { p10: 934, median: 1_600, weight: 10 },
  speed: { p10: 1_311, median: 2_300, weight: 10 },
  largestPaint: { p10: 1_200, median: 2_400, weight: 25 },
  blocking: { p10: 150, median: 350, weight: 30 },
  shift: { p10: 0.1, median: 0.25, weight: 25 },
};

/**
 * Computes the performance score like Lighthouse, 0 to 100. The speed index needs a video of the page; the largest
 * contentful paint stands in for it, by which time nearly everything is visible.
 */
export function performanceScore(vitals: Vitals): number {
  const values = { ...vitals, speed: vitals.largestPaint };
  const parts = Object.entries(curves).map(
    ([name, curve]) => curve.weight * points(values[name as keyof typeof curves], curve),
  );
  return parts.reduce((sum, part) => sum + part, 0);
}

/** Log-normal curve through 0.9 at `p10` and 0.5 at `median`. */
function points(value: number, { p10, median }: { p10: number; median: number }): number {
  if (value <= 0) return 1;
  const tenthOfNormal = 1.2815515655446004;
  return 1 - normal((Math.log(value / median) / Math.log(median / p10)) * tenthOfNormal);
}

/** Standard normal distribution up to `z`, by Simpson's rule. */
function normal(z: number): number {
  const steps = 200;
  const width = z / steps;
  let sum = 0;
  for (let step = 0; step <= steps; step++) {
    const weight = step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp(-((step * width) ** 2) / 2);
  }
  return 0.5 + (sum * width) / 3 / Math.sqrt(2 * Math.PI);
}
