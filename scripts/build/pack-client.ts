// Writes public/forkcast-client.tgz, the client package that programs install from the service: a client generated from the
// API document, and the helpers of the folder `client`. Runs as a separate process, because it loads all routes.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { openApiDocument } from "#lib/api/openapi/document";
import { TAR_END, tarHeader, tarPadding } from "#lib/domain/checkpoints/tar";
import { documentedRoutes } from "../../app/api/v1/documented-routes.ts";
import packageJson from "../../package.json" with { type: "json" };

const root = path.resolve(import.meta.dirname, "..", "..");
const folder = mkdtempSync(path.join(os.tmpdir(), "client-"));
const inFolder = (name: string) => path.join(folder, name);

/** Runs a program of an installed package in the folder. */
function run(program: string, ...args: string[]): void {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const file = path.join(root, "node_modules", program);
  try {
    execFileSync(process.execPath, [file, ...args], { cwd: folder, env, stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
    throw new Error(`${program} failed:\n${stdout}${stderr}`);
  }
}

/** Returns a file of the package as part of a tar archive. npm expects all files in the folder `package`. */
function entry(name: string): Uint8Array[] {
  const content = readFileSync(inFolder(name));
  return [tarHeader(`package/${name}`, content.length), content, tarPadding(content.length)];
}

try {
  cpSync(path.join(root, "client"), folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(inFolder("package.json"), "utf8"));
  writeFileSync(inFolder("package.json"), JSON.stringify({ ...manifest, version: packageJson.version }));
  writeFileSync(inFolder("openapi.json"), JSON.stringify(await openApiDocument(documentedRoutes)));
  const config = path.join(root, "redocly.yaml");
  run("@redocly/cli/bin/cli.js", "generate-client", "openapi.json", "-o", "api.ts", "--config", config);
  run("typescript/bin/tsc", "-p", ".");
  // The generated client has parts of the generator, whose licence asks for its notice in copies.
  cpSync(path.join(root, "node_modules/@redocly/cli/LICENSE"), inFolder("LICENSE-redocly.txt"));
  const names = ["package.json", "index.js", "index.d.ts", "api.js", "api.d.ts", "LICENSE-redocly.txt"];
  const archive = Buffer.concat([...names.flatMap(entry), TAR_END]);
  writeFileSync(path.join(root, "public", "forkcast-client.tgz"), gzipSync(archive));
} finally {
  rmSync(folder, { recursive: true });
}
