import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";

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
  const preload = path.join(root, "scripts", "preload.mjs");
  const args = ["--import", preload, "--input-type=module", "--eval", listPackages, path.join(root, file)];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" }));
}

// The sign-in library has half as many modules as the rest of the service together. One import of a constant beside it once
// made every worker load it: a third of the processor time of its start, and 25 MB.
it.each(["server/worker/main.ts", "server/web/answer-directly.ts", "server/web/prepare-request.ts"])(
  "%s loads no package that only some requests and jobs need",
  (file) => {
    const packages = packagesOf(file);
    expect(packages).toContain("own");
    const rare = ["better-auth", "kysely", "nodemailer", "date-holidays", "@aws-sdk/client-s3", "fflate"];
    expect(packages.filter((name) => rare.includes(name))).toEqual([]);
  },
);
