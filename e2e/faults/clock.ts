// Loaded into the processes of a fault run by `NODE_OPTIONS`. Shifts their clock by the milliseconds in `CLOCK_FILE`, at
// the start and after SIGUSR2. Timers and `performance.now()` go on, as after a step of a machine's clock.
import { readFileSync } from "node:fs";

const systemNow = Date.now;
let shiftMs = 0;

function readShift(): void {
  try {
    shiftMs = Number(readFileSync(process.env.CLOCK_FILE!, "utf8"));
  } catch {} // No step so far.
}

Date.now = () => systemNow() + shiftMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, parts, made) =>
    Reflect.construct(target, parts.length === 0 ? [Date.now()] : parts, made),
});
readShift();
process.on("SIGUSR2", readShift);
