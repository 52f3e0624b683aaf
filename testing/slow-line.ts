import { Transform } from "node:stream";

export type Line = { latencyMs: number; bytesPerSecond: number };

/** One direction of a line that several connections share. The line limits their bandwidth and delays their bytes. */
export class SlowLine {
  readonly #line: Line;
  #freeMs = 0;

  constructor(line: Line) {
    this.#line = line;
  }

  /** Returns a stream that passes the bytes of one connection through the line. */
  stream(): Transform {
    const inFlight: Buffer[] = [];
    let ending: (() => void) | undefined;
    const stream = new Transform({
      transform: (chunk: Buffer, _, sent) => {
        const nowMs = performance.now();
        this.#freeMs = Math.max(nowMs, this.#freeMs) + (chunk.length / this.#line.bytesPerSecond) * 1_000;
        inFlight.push(chunk);
        setTimeout(sent, this.#freeMs - nowMs);
        // Timers may fire in another order. The oldest chunk always arrives first.
        setTimeout(arrive, this.#freeMs - nowMs + this.#line.latencyMs);
      },
      flush: (ended) => {
        if (inFlight.length === 0) ended();
        else ending = ended;
      },
    });
    const arrive = () => {
      if (stream.destroyed) return;
      stream.push(inFlight.shift());
      if (inFlight.length === 0) ending?.();
    };
    return stream;
  }
}
