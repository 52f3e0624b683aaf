// After every install: removes what packages bring for other machines and is never read here, 290 MB.
import { readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../node_modules", import.meta.url));
const below = (folder) =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder).map((name) => path.join(folder, name))
    : [];
const isNamed = (name) => (file) => path.basename(file) === name;

const runtimes = below(path.join(packages, "onnxruntime-node", "bin")).flatMap(below);
const nodes = below(path.join(packages, "node", "node_modules"));
const unneeded = [
  // ONNX Runtime of five platforms.
  ...runtimes.filter((platform) => !isNamed(process.platform)(platform)),
  ...runtimes
    .filter(isNamed(process.platform))
    .flatMap(below)
    .filter((processor) => !isNamed(process.arch)(processor)),
  // Headers, for who compiles extensions of Node.js.
  ...nodes.flatMap(below).filter(isNamed("include")),
];
for (const file of unneeded) rmSync(file, { recursive: true, force: true });
