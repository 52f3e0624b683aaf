import { fork } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import module from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const scripts = path.dirname(fileURLToPath(import.meta.url));
export const root = path.dirname(scripts);

/** Path of the Node.js that npm installed. The scripts are TypeScript, which the system's Node.js may not run. */
export const installedNode = path.join(
  root,
  "node_modules",
  "node",
  "bin",
  process.platform === "win32" ? "node.exe" : "node",
);

/**
 * Runs a TypeScript script of this folder. Uses this process if it is the installed Node.js (npm puts that first on the
 * path). Otherwise starts a child process and exits with it.
 *
 * @param {string} name
 * @param {string[]} args
 */
export async function runScript(name, args) {
  if (!existsSync(installedNode)) {
    console.error("The packages are not installed: run npm ci first, or npm run up, which does it.");
    process.exit(1);
  }
  endWithNpm();
  const script = path.join(scripts, name);
  const preload = pathToFileURL(path.join(scripts, "preload.mjs")).href;
  const compiled = compiledFolder();
  if (realpathSync(process.execPath) === realpathSync(installedNode)) {
    if (compiled !== undefined) module.enableCompileCache(compiled);
    await import(preload);
    await import(pathToFileURL(script).href);
    return;
  }
  // The IPC channel notifies the script if this process dies.
  const child = fork(script, args, {
    cwd: root,
    execPath: installedNode,
    execArgv: ["--import", preload],
    stdio: "inherit",
    env: { ...process.env, ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }) },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Exits when npm dies. A killed npm sends no signal, but the parent process id of its children changes. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const look = () => process.ppid === npm || process.kill(process.pid, "SIGTERM");
  setInterval(look, 500).unref();
}

/**
 * Returns the compile cache, so that types are stripped only once: doing so takes half a second and 150 MB. At the
 * first start no data folder exists. The code that creates it sets its permissions.
 */
function compiledFolder() {
  const dataDir = path.resolve(root, process.env.DATA_DIR?.trim() || ".data");
  return (
    process.env.NODE_COMPILE_CACHE ?? (existsSync(dataDir) ? path.join(dataDir, "compile-cache") : undefined)
  );
}
