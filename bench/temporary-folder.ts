import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** Creates a folder that is removed at the end of the block that declares it with `using`. */
export function temporaryFolder(): Disposable & { path: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "forkcast-bench-"));
  chmodSync(folder, 0o755); // PostgreSQL's user needs access. Otherwise its files are stored elsewhere and remain.
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
