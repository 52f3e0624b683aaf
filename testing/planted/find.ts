// `node testing/planted/find.ts [--repeat N] [name…]`: applies each patch of this folder, which breaks one guarantee, to a
// copy of the repository, and runs its finder with the seeds 1, 2, … until a run fails. Prints the seed and the time of each
// discovery. With `--repeat`, then runs that seed N times and prints how many runs find the bug.
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const root = path.resolve(import.meta.dirname, "..", "..");
/** Time after which no further seed is tried, and the bug counts as not found. */
const searchMs = 10 * 60_000;

type Found = {
  name: string;
  breaks: string;
  finder: string;
  seed: number | null;
  seconds: number;
  /** Number of repeated runs with this seed that find the bug. */
  repeated: number;
};

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { repeat: { type: "string", default: "0" } },
});
const repeats = Number(values.repeat);
const patches = globSync("*.patch", { cwd: import.meta.dirname })
  .map((file) => file.replace(/\.patch$/, ""))
  .filter((name) => names.length === 0 || names.includes(name));
const found: Found[] = [];
for (const name of patches.sort()) {
  found.push(find(name));
  console.log(lineOf(found.at(-1)!));
}
const share = repeats > 0 ? [" repeated |", " --- |"] : ["", ""];
console.log(`\n| guarantee | found by | seed | time |${share[0]}\n| --- | --- | --- | --- |${share[1]}`);
for (const one of found) console.log(lineOf(one));
process.exitCode = found.some(({ seed }) => seed === null) ? 1 : 0;

function find(name: string): Found {
  const file = path.join(import.meta.dirname, `${name}.patch`);
  const [, breaks, finder] = /^Breaks: (.+)\nFind: (.+)\n/.exec(readFileSync(file, "utf8"))! as unknown as [
    string,
    string,
    string,
  ];
  const copy = mkdtempSync(path.join(os.tmpdir(), "planted-"));
  try {
    execFileSync("git", ["clone", "--quiet", root, copy]);
    execFileSync("cp", ["-al", path.join(root, "node_modules"), path.join(copy, "node_modules")]);
    execFileSync("git", ["apply", file], { cwd: copy });
    const run = (seed: number) => {
      const env = { ...process.env, SEED: String(seed) };
      const { status, stdout, stderr } = spawnSync("sh", ["-c", finder], {
        cwd: copy,
        env,
        encoding: "utf8",
      });
      if (status !== 0) console.error(`${stdout}${stderr}`.split("\n").slice(-40).join("\n"));
      return status === 0;
    };
    const startedMs = performance.now();
    const isSeeded = finder.includes("$SEED");
    for (let seed = 1; seed === 1 || (isSeeded && performance.now() - startedMs < searchMs); seed++) {
      if (run(seed)) continue;
      const seconds = Math.round((performance.now() - startedMs) / 1_000);
      // The finder finds the bug only if it passes without it.
      execFileSync("git", ["apply", "--reverse", file], { cwd: copy });
      if (!run(seed)) throw new Error(`${finder} fails with seed ${seed} without the patch ${name}, too.`);
      execFileSync("git", ["apply", file], { cwd: copy });
      const repeated = Array.from({ length: repeats }, () => !run(seed)).filter(Boolean).length;
      return { name, breaks, finder, seed, seconds, repeated };
    }
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    return { name, breaks, finder, seed: null, seconds, repeated: 0 };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function lineOf({ breaks, finder, seed, seconds, repeated }: Found): string {
  const isSeeded = finder.includes("$SEED");
  const discovery = seed === null ? "not found" : isSeeded ? seed : "–";
  const share = repeats > 0 ? ` ${repeated} of ${repeats} |` : "";
  return `| ${breaks} | \`${finder}\` | ${discovery} | ${seconds} s |${share}`;
}
