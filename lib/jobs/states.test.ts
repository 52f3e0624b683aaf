import { describe, expect, it } from "vitest";
import { JobStatus } from "#lib/contract/jobs";
import { canMove, isRetryableState, isTerminal, terminalStates } from "./states.ts";

describe("states of a job", () => {
  const all = JobStatus.options;

  it('goes "Pending → Running → Completed | Failed | Cancelled; Pending → Cancelled" and nowhere else', () => {
    const moves = all.flatMap((from) => all.filter((to) => canMove(from, to)).map((to) => `${from} ${to}`));
    expect(moves).toEqual([
      "Pending Running",
      "Pending Cancelled",
      "Running Running",
      "Running Completed",
      "Running Failed",
      "Running Cancelled",
    ]);
  });

  it('"A terminal state never changes"', () => {
    expect(all.filter(isTerminal)).toEqual([...terminalStates]);
    for (const from of terminalStates) for (const to of all) expect(canMove(from, to)).toBe(false);
  });

  it("offers a retry for what failed or was cancelled", () => {
    expect(all.filter(isRetryableState)).toEqual(["Failed", "Cancelled"]);
  });
});
