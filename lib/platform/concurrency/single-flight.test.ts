import { expect, test } from "vitest";
import { SingleFlight } from "./single-flight.ts";

test("callers that arrive during a call share the next call, never an earlier one", async () => {
  const together = new SingleFlight<number>();
  let state = 1;
  const gates: PromiseWithResolvers<void>[] = [];
  const question = async () => {
    const seen = state;
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    await gate.promise;
    return seen;
  };
  const first = together.ask("a", question);
  state = 2;
  const later = [together.ask("a", question), together.ask("a", question)];
  const other = together.ask("b", question);
  expect(gates).toHaveLength(2);
  for (const gate of gates) gate.resolve();
  expect([await first, await other]).toEqual([1, 2]);
  await expect.poll(() => gates.length).toBe(3);
  state = 3;
  const last = together.ask("a", question);
  gates[2]!.resolve();
  expect(await Promise.all(later)).toEqual([2, 2]);
  await expect.poll(() => gates.length).toBe(4);
  gates[3]!.resolve();
  expect(await last).toBe(3);
});

test("a failure reaches all callers of the shared call, and later callers start a new call", async () => {
  const together = new SingleFlight<string>();
  let fails = true;
  const question = async () => {
    if (fails) throw new Error("away");
    return "there";
  };
  const asked = [together.ask("a", question), together.ask("a", question)];
  const settled = await Promise.allSettled(asked);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  fails = false;
  expect(await together.ask("a", question)).toBe("there");
});
