import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Account, canEnter } from "./account.ts";
import { makeDataFolder } from "./data-folder.ts";
import { newPublicFolder } from "./public-folder.ts";

/**
 * Returns the folder of a data folder's cluster: `<dataDir>/postgres`. If root runs the service and PostgreSQL's user
 * cannot enter the data folder, it is a new folder under `/var/lib`. The file `<dataDir>/postgres-folder` then contains
 * its path, so that a new data folder at the same path never uses the old cluster.
 *
 * @param dataDir absolute path; created if missing
 */
export function clusterFolder(dataDir: string, account: Account): string {
  makeDataFolder(dataDir);
  const inside = path.join(dataDir, "postgres");
  const pointer = path.join(dataDir, "postgres-folder");
  if (existsSync(pointer)) return readFileSync(pointer, "utf8").trim();
  if (existsSync(inside) || canEnter(account, dataDir)) return inside;
  const outside = path.join(newPublicFolder(account), "postgres");
  writeFileSync(pointer, `${outside}\n`, { flush: true });
  return outside;
}
