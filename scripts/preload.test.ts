import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { nodeOptions } from "../server/node-options.ts";

const run = promisify(execFile);

const program = `
  import module from "node:module";
  const namesOf = async (specifier) =>
    Object.keys(await import(specifier)).filter((name) => name !== "default" && name !== "module.exports");
  const names = await Promise.all(["drizzle-orm", "drizzle-orm/pg-core", "drizzle-orm/postgres-js"].map(namesOf));
  const isCommon = Object.keys(module._cache).some((file) => file.endsWith("drizzle-orm/index.cjs"));
  console.log(JSON.stringify({ names, isCommon }));
`;

test("Drizzle is loaded as CommonJS, and everything that its ES modules hold is there", async () => {
  const load = async (options: string[]) => {
    const { stdout } = await run(process.execPath, [...options, "--input-type=module", "--eval", program]);
    return JSON.parse(stdout) as { names: string[][]; isCommon: boolean };
  };
  const [real, loaded] = await Promise.all([load([]), load(nodeOptions)]);
  expect(real.names.map(({ length }) => length > 1)).toEqual([true, true, true]);
  expect([real.isCommon, loaded]).toEqual([false, { names: real.names, isCommon: true }]);
});
