import type { Page } from "@playwright/test";

/** Paint times that the page records itself, in milliseconds. */
type Watched = {
  /** Time from navigation until the first chart is painted; 0 before. */
  firstChart: number;
  /** Waits until the effect of the latest click or input is painted. Returns the time since then. */
  painted(): Promise<number>;
  /**
   * Starts to record frames. The returned function ends the recording. It returns the intervals between frames and the
   * number of frames in which a canvas was drawn.
   */
  frames(): () => { intervals: number[]; drawn: number };
};

declare global {
  interface Window {
    watched: Watched;
  }
}

/**
 * Adds `window.watched` to the page's next documents.
 *
 * @param lines number of lines in the first chart
 */
export async function watchPage(page: Page, lines: number): Promise<void> {
  await page.addInitScript((lines) => {
    let draws = 0;
    let clickedAt = 0;
    let changed: Promise<number> = Promise.resolve(0);
    // A message that is posted before a frame is painted arrives after it.
    const afterPaint = (run: () => void) =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = run;
        channel.port2.postMessage(null);
      });
    const { reset } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.reset = function () {
      draws++;
      reset.call(this);
    };
    const findChart = () => {
      if (document.querySelector(`canvas[data-lines="${lines}"]`) === null) requestAnimationFrame(findChart);
      else
        afterPaint(() => {
          window.watched.firstChart = performance.now();
        });
    };
    requestAnimationFrame(findChart);
    const begin = () => {
      clickedAt = performance.now();
      const before = draws;
      changed = new Promise((resolve) => {
        const wait = () =>
          afterPaint(() => (draws > before ? resolve(performance.now() - clickedAt) : wait()));
        wait();
      });
    };
    addEventListener("click", begin, true);
    addEventListener("input", begin, true);
    window.watched = {
      firstChart: 0,
      painted: () => changed,
      frames() {
        const times: number[] = [];
        let drawn = 0;
        let before = draws;
        let id = 0;
        const tick = (time: number) => {
          times.push(time);
          if (draws > before) drawn++;
          before = draws;
          id = requestAnimationFrame(tick);
        };
        id = requestAnimationFrame(tick);
        return () => {
          cancelAnimationFrame(id);
          return { intervals: times.slice(1).map((time, at) => time - times[at]!), drawn };
        };
      },
    };
  }, lines);
}
