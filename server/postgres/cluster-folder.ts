import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Account, canEnter } from "./account.ts";
import { makeDataFolder } from "./data-folder.ts";
import { newPublicFolder } from "./public-folder.ts";

/**
 * Where the cluster of a data folder lives: in `<dataDir>/postgres`, or, when root runs the service and PostgreSQL's
 * user cannot enter the data folder, in a folder of its own under `/var/lib`, which `<dataDir>/postgres-folder` names.
 * The data folder owns that name, so a new data folder at the same path never finds the old one's cluster.
 *
 * @param dataDir absolute path; made where it does not exist
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
