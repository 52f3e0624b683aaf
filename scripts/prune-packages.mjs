// After every install: removes what packages bring and nothing here reads, half a gigabyte: what is for other machines,
// source maps, example data, and in production what npm keeps though only development asks for it.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
const packages = path.join(root, "node_modules");
const below = (folder) =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder).map((name) => path.join(folder, name))
    : [];
const isNamed = (name) => (file) => path.basename(file) === name;
const isNotNamed = (name) => (file) => path.basename(file) !== name;

const runtimes = below(path.join(packages, "onnxruntime-node", "bin")).flatMap(below);
const nodes = below(path.join(packages, "node", "node_modules"));
remove([
  // ONNX Runtime of five platforms.
  ...runtimes.filter(isNotNamed(process.platform)),
  ...runtimes.filter(isNamed(process.platform)).flatMap(below).filter(isNotNamed(process.arch)),
  // Headers, for who compiles extensions of Node.js.
  ...nodes.flatMap(below).filter(isNamed("include")),
  // Of some seventy sets of data the demo reads one.
  ...below(path.join(packages, "vega-datasets", "data")).filter(isNotNamed("seattle-weather.csv")),
]);
if (isForProduction()) {
  remove(unasked());
  remove(below(path.join(packages, ".bin")).filter((link) => !existsSync(link)));
}
remove(
  readdirSync(packages, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".map"))
    .map(({ parentPath, name }) => path.join(parentPath, name)),
);

/** @param {string[]} files */
function remove(files) {
  for (const file of files) rmSync(file, { recursive: true, force: true });
}

/** Where packages for development are missing: whoever runs `npm prune` and then this has no other way to say so. */
function isForProduction() {
  const { devDependencies = {} } = manifestOf(root);
  return Object.keys(devDependencies).some((name) => folderOf(name, root) === null);
}

/**
 * Packages to which nothing leads from the project's own dependencies. What a package can also do without (optional peers)
 * leads nowhere: npm keeps that where development asks for the same.
 */
function unasked() {
  const asked = new Set([root]);
  for (const folder of asked) {
    const needed = neededBy(manifestOf(folder)).map((name) => folderOf(name, folder));
    for (const found of needed) if (found !== null) asked.add(found);
  }
  return below(packages)
    .flatMap((folder) => (path.basename(folder).startsWith("@") ? below(folder) : [folder]))
    .filter((folder) => existsSync(path.join(folder, "package.json")) && !asked.has(folder));
}

function neededBy({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Where a package finds another one: in its own `node_modules`, or in that of a folder around it. */
function folderOf(name, from) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const found = path.join(folder, "node_modules", name);
    if (existsSync(path.join(found, "package.json"))) return found;
    if (folder === root) return null;
  }
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
}
