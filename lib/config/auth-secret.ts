import { environment } from "./environment.ts";
import { secretFile } from "./secret-file.ts";

/** Signs session cookies: `AUTH_SECRET`, or one that is generated once and kept in the data folder. */
export function authSecret(): string {
  const { authSecret: given, dataDir } = environment();
  return given ?? secretFile(dataDir, "auth");
}
