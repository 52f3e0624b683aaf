import type { Page } from "@playwright/test";

/** What a page tells of its own painting; times in milliseconds. */
export type Watched = {
  /** From navigation until the frame with the chart was painted; 0 before. */
  firstChart: number;
  /** Waits until what the latest press has changed is painted; how long that took from the press. */
  painted(): Promise<number>;
  /** Begins to note frames; what it gives ends that. */
  frames(): () => { intervals: number[]; drawn: number };
};

declare global {
  interface Window {
    watched: Watched;
  }
}

/** Lets the page's next documents watch themselves. @param lines how many the first chart has */
export async function watchPage(page: Page, lines: number): Promise<void> {
  await page.addInitScript((lines) => {
    let draws = 0;
    let pressed = 0;
    let changed: Promise<number> = Promise.resolve(0);
    // A frame's task after it is the first that runs once it was painted.
    const afterPaint = (then: () => void) =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = then;
        channel.port2.postMessage(null);
      });
    const { reset } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.reset = function () {
      draws++;
      reset.call(this);
    };
    const look = () => {
      if (document.querySelector(`canvas[data-lines="${lines}"]`) === null) requestAnimationFrame(look);
      else
        afterPaint(() => {
          window.watched.firstChart = performance.now();
        });
    };
    requestAnimationFrame(look);
    addEventListener(
      "click",
      () => {
        pressed = performance.now();
        const before = draws;
        changed = new Promise((resolve) => {
          const wait = () =>
            afterPaint(() => (draws > before ? resolve(performance.now() - pressed) : wait()));
          wait();
        });
      },
      true,
    );
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
