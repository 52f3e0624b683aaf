import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { installedNode, root } from "./run-script.mjs";

const noteOfNpm = path.join(root, "node_modules", ".package-lock.json");

/**
 * Runs `npm ci` if packages are missing or differ from the lockfile. The build needs development packages, so they are
 * installed even if NODE_ENV is production.
 */
export function installIfNeeded() {
  if (isInstalled()) return;
  console.log("Installing packages (npm ci)");
  // npm sets the path of its program, which may not be on the PATH.
  const npm = process.env.npm_execpath;
  const [program, args] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  const { status, error } = spawnSync(
    program,
    [...args, "ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: "skip" },
      shell: program === "npm" && process.platform === "win32",
    },
  );
  if (status === 0 && existsSync(installedNode)) return;
  console.error(`The packages could not be installed${error ? `: ${error.message}` : ""}.`);
  process.exit(1);
}

/**
 * Exits with a message if a runtime package differs from the lockfile, for example after an update of the sources.
 * Development packages may be missing. Skips the check if npm did not install the packages.
 */
export function requireInstalled() {
  const present = packagesOf(noteOfNpm);
  if (present === null || isInstalled(present, isForService)) return;
  console.error(
    "The packages are not those of package-lock.json: run npm ci first, or npm run up, which does it.",
  );
  process.exit(1);
}

const isForService = ({ dev, devOptional }) => dev !== true && devOptional !== true;

/** Returns whether the packages that npm recorded in node_modules match the lockfile, with none missing. */
function isInstalled(present = packagesOf(noteOfNpm), isNeeded = (_entry) => true) {
  const wanted = packagesOf(path.join(root, "package-lock.json"));
  if (wanted === null || present === null || !existsSync(installedNode)) return false;
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === "" || !isNeeded(entry)) return true;
    const installed = present[place];
    return installed ? installed.version === entry.version : entry.optional === true || entry.peer === true;
  });
}

/** @returns {Record<string, { version?: string, optional?: boolean, peer?: boolean }> | null} */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return null; // Missing or cut short: not installed.
  }
}
