import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** Sources of the built pages and of the client package, which lies in `public`. The environment is not a source: the service reads it at the start. */
const sources = [
  "app",
  "client",
  "components",
  "db",
  "lib",
  "public",
  "next.config.ts",
  "package-lock.json",
  "package.json",
  "postcss.config.mjs",
  "redocly.yaml",
  "tsconfig.json",
];

/** Returns a hash over names and contents of the sources in a folder, without tests. */
export function sourceHash(root: string): string {
  const hash = createHash("sha256");
  for (const file of sourcesIn(root).sort()) {
    const content = createHash("sha256").update(readFileSync(file)).digest("hex");
    hash.update(`${path.relative(root, file)}\0${content}\n`);
  }
  return hash.digest("hex");
}

/** Returns whether a source in a folder was modified after `ms`, epoch milliseconds. */
export function hasSourceSince(root: string, ms: number): boolean {
  return sourcesIn(root).some((file) => statSync(file).mtimeMs > ms);
}

const sourcesIn = (root: string) => sources.flatMap((name) => filesBelow(path.join(root, name)));

function filesBelow(place: string): string[] {
  const status = statSync(place, { throwIfNoEntry: false });
  if (status === undefined) return [];
  if (!status.isDirectory()) return /\.test\.tsx?$/.test(place) ? [] : [place];
  return readdirSync(place).flatMap((name) => filesBelow(path.join(place, name)));
}
