import { Transform } from "node:stream";

export type Line = { latencyMs: number; bytesPerSecond: number };

/** One direction of a line that several connections share: bytes leave it one after the other, and arrive later. */
export class SlowLine {
  readonly #line: Line;
  #freeMs = 0;

  constructor(line: Line) {
    this.#line = line;
  }

  /** The way of one connection through it. */
  way(): Transform {
    const underWay: Buffer[] = [];
    let ending: (() => void) | undefined;
    const way = new Transform({
      transform: (chunk: Buffer, _, sent) => {
        const nowMs = performance.now();
        this.#freeMs = Math.max(nowMs, this.#freeMs) + (chunk.length / this.#line.bytesPerSecond) * 1_000;
        underWay.push(chunk);
        setTimeout(sent, this.#freeMs - nowMs);
        // Whichever timer is first, the first that left arrives.
        setTimeout(arrive, this.#freeMs - nowMs + this.#line.latencyMs);
      },
      flush: (ended) => {
        if (underWay.length === 0) ended();
        else ending = ended;
      },
    });
    const arrive = () => {
      if (way.destroyed) return;
      way.push(underWay.shift());
      if (underWay.length === 0) ending?.();
    };
    return way;
  }
}
