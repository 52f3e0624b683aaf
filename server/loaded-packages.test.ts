import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { nodeOptions } from "./node-options.ts";

const root = path.dirname(import.meta.dirname);

/** Prints the packages of all modules that the module in the first argument loads. */
const listPackages = `
  import module from "node:module";
  const packages = new Set();
  module.registerHooks({
    load(url, context, next) {
      packages.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? "own");
      return next(url, context);
    },
  });
  await import(process.argv[1]);
  console.log(JSON.stringify([...packages]));
  process.exit();
`;

function packagesOf(file: string): string[] {
  const args = [...nodeOptions, "--input-type=module", "--eval", listPackages, path.join(root, file)];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" }));
}

const rare = ["better-auth", "kysely", "nodemailer", "date-holidays", "@aws-sdk/client-s3", "fflate"];

// The sign-in library and its packages have nearly as many modules as a worker without them. One import of a constant beside
// it once made every worker load them, which took a quarter of the processor time of loading, and 25 MB.
it.each([
  { file: "server/worker/main.ts", needed: "pg-boss", unneeded: rare },
  { file: "server/web/answer-directly.ts", needed: "drizzle-orm", unneeded: [...rare, "pusher"] },
  { file: "server/web/prepare-request.ts", needed: "own", unneeded: [...rare, "pusher", "drizzle-orm"] },
])("$file loads no package that only some requests and jobs need", ({ file, needed, unneeded }) => {
  const packages = packagesOf(file);
  expect(packages).toContain(needed);
  expect(packages.filter((name) => unneeded.includes(name))).toEqual([]);
});
