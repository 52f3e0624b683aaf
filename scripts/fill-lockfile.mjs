// npm run lockfile: completes package-lock.json after each `npm install`. npm omits optional packages of other platforms
// that its registry does not have, and `npm ci` then rejects the lockfile on every platform. This script adds them as
// optional entries for another system, which npm skips. It also removes registry addresses. `--check` changes nothing.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {{ version?: string, resolved?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[], optionalDependencies?: Record<string, string> }} Entry */

const systems = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const processors = [
  "arm",
  "arm64",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "wasm32",
  "x64",
];
const libraries = { gnu: "glibc", gnueabihf: "glibc", musl: "musl", musleabihf: "musl" };

const file = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "package-lock.json");
/** @type {{ packages: Record<string, Entry> }} */
const lockfile = JSON.parse(readFileSync(file, "utf8"));
const added = [];

for (const [place, entry] of Object.entries(lockfile.packages)) {
  delete entry.resolved;
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isInstalledAbove(place, name)) continue;
    lockfile.packages[`node_modules/${name}`] = {
      version: range.replace(/^[~^]/, ""),
      optional: true,
      ...platformOf(name),
    };
    added.push(name);
  }
}

lockfile.packages = Object.fromEntries(
  Object.entries(lockfile.packages).sort(([a], [b]) => a.localeCompare(b, "en")),
);
const text = `${JSON.stringify(lockfile, null, 2)}\n`;
if (text === readFileSync(file, "utf8")) {
  console.log("The lockfile is complete.");
} else if (process.argv.includes("--check")) {
  console.error("package-lock.json is not complete: run npm run lockfile.");
  process.exitCode = 1;
} else {
  writeFileSync(file, text);
  console.log(`Completed the lockfile: ${added.join(", ") || "order and addresses only"}`);
}

/** Returns whether Node.js, searching the `node_modules` folders upwards from a package, finds the package `name`. */
function isInstalledAbove(place, name) {
  for (let from = place; from !== ""; from = from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/")))) {
    if (lockfile.packages[`${from}/node_modules/${name}`]) return true;
  }
  return lockfile.packages[`node_modules/${name}`] !== undefined;
}

/** Returns the platform in a package's name (`@next/swc-win32-arm64-msvc`). */
function platformOf(name) {
  const words = name.split(/[-/_]/);
  const os = words.find((word) => systems.includes(word));
  const cpu = words.find((word) => processors.includes(word));
  const libc = words.map((word) => libraries[word]).find((library) => library !== undefined);
  if (cpu === undefined) throw new Error(`The name ${name} contains no processor: add the package by hand.`);
  return { ...(os && { os: [os] }), cpu: [cpu], ...(os === "linux" && libc && { libc: [libc] }) };
}
