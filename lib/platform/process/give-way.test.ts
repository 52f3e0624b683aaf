import { execFile } from "node:child_process";
import { getPriority } from "node:os";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { nodeOptions } from "#server/node-options";

const program = `
  import { getPriority } from "node:os";
  const { giveWay } = await import("#lib/platform/process/give-way");
  giveWay(7);
  console.log(getPriority());
`;

test.runIf(process.platform === "linux")("lowers a priority and never tries to raise one", async () => {
  const priorityAfter = async (added: number) => {
    const node = [process.execPath, ...nodeOptions, "--input-type=module", "--eval", program];
    const { stdout } = await promisify(execFile)("nice", ["-n", String(added), ...node]);
    return Number(stdout);
  };
  const before = getPriority();
  expect(await priorityAfter(0)).toBe(Math.max(7, before));
  expect(await priorityAfter(8)).toBe(before + 8);
});
