import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readIfPresent } from "#lib/platform/config/secrets";
import { StartError } from "#lib/platform/errors/start-errors";
import { compressFiles } from "./compress-files.ts";
import { recordCommit } from "./record-commit.ts";
import { hasSourceSince, sourceHash } from "./source-hash.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const stamp = path.join(root, ".next", "source-hash");

/** Builds the client package and the web pages, and records the hash of the sources. */
export async function build(): Promise<void> {
  await run("The client package", "--import", "./scripts/preload.mjs", "scripts/build/pack-client.ts");
  const hash = sourceHash(root);
  await run("The web pages", "node_modules/next/dist/bin/next", "build");
  await compressFiles(path.join(root, ".next", "static"));
  recordCommit(root);
  writeFileSync(stamp, hash);
}

/** @throws {StartError} with the name of the result if the program fails */
async function run(result: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new StartError(`${result} could not be built.`);
}

/** Returns whether a build exists that is older than the sources. Hashes the sources only if one has changed since. */
export function isBuildStale(): boolean {
  const built = statSync(stamp, { throwIfNoEntry: false });
  return built !== undefined && hasSourceSince(root, built.mtimeMs) && !isBuilt();
}

const isBuilt = () => readIfPresent(stamp) === sourceHash(root);

/** Builds the web pages unless the last build used the current sources. */
export async function buildIfNeeded(): Promise<void> {
  if (isBuilt()) return recordCommit(root);
  console.log("Building the web pages (next build)");
  await build();
}
