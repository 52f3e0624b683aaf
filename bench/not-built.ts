import { existsSync } from "node:fs";
import path from "node:path";

const buildId = path.join(import.meta.dirname, "..", ".next", "BUILD_ID");

/** Returns why the service cannot be started, or null if its web pages are built. */
export const notBuilt = () => (existsSync(buildId) ? null : "the web pages are not built: npm run build");
