import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** A folder that is removed at the end of the block that `using` it. */
export function temporaryFolder(): Disposable & { path: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "prediction-service-bench-"));
  chmodSync(folder, 0o755); // PostgreSQL's user must pass, or its files would lie elsewhere and stay.
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
