import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse, parseAllDocuments } from "yaml";

const root = path.dirname(import.meta.dirname);
export const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

export type Manifest = {
  file: string;
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  // biome-ignore lint/suspicious/noExplicitAny: the schemas say what stands here.
  [field: string]: any;
};

/** Every object of the Kubernetes files. */
export function manifests(): Manifest[] {
  const files = ["deploy/kubernetes", "deploy/keda"].flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)),
  );
  return files
    .filter((file) => !file.endsWith("kustomization.yaml"))
    .flatMap((file) =>
      parseAllDocuments(read(file)).map((document) => {
        if (document.errors[0]) throw document.errors[0];
        return { file, ...(document.toJS() as Omit<Manifest, "file">) } as Manifest;
      }),
    );
}

/** The YAML of a file, its merge keys followed. */
export const yamlOf = (file: string): unknown => parse(read(file), { merge: true });

type Process = {
  name: string;
  command: string;
  environment: Record<string, string>;
  /** Seconds between the request to stop and the kill. */
  graceSeconds: number;
  /** Ports that it is said to listen on, and those of its probes' addresses. */
  ports: number[];
  probes: { port: number; path: string }[];
};

/** The service's processes in the Kubernetes files. */
export function podProcesses(): Process[] {
  const all = manifests();
  const settings = Object.assign(
    {},
    ...all.filter(({ kind }) => kind === "ConfigMap").map(({ data }) => data),
    ...all.filter(({ kind }) => kind === "Secret").map(({ stringData }) => stringData),
  );
  return all
    .filter(({ spec }) => spec?.template !== undefined)
    .map(({ metadata, spec: { template } }) => {
      const [container] = template.spec.containers;
      const own = (container.env ?? []).map((one: { name: string; value: string }) => [one.name, one.value]);
      const portOf = (port: string) =>
        container.ports.find(({ name }: { name: string }) => name === port).containerPort;
      return {
        name: metadata.name,
        command: container.command.join(" "),
        environment: { ...settings, ...Object.fromEntries(own) },
        graceSeconds: template.spec.terminationGracePeriodSeconds ?? 30,
        ports: (container.ports ?? []).map((port: { containerPort: number }) => port.containerPort),
        probes: [container.livenessProbe, container.readinessProbe]
          .filter(Boolean)
          .map(({ httpGet }) => ({ port: portOf(httpGet.port), path: httpGet.path })),
      };
    });
}

type ComposeService = {
  build?: string;
  command?: string[];
  environment: Record<string, string>;
  stop_grace_period?: string;
  healthcheck: { test?: string[] };
};

/** Those of the Compose file; images of others are left out. */
export function composeProcesses(): Process[] {
  const { services } = yamlOf("compose.yaml") as { services: Record<string, ComposeService> };
  return Object.entries(services)
    .filter(([, { build }]) => build !== undefined)
    .map(([name, { command = defaultCommand(), environment, stop_grace_period: grace, healthcheck }]) => {
      const { port, pathname } = new URL(healthcheck.test?.at(-1) ?? "http://none:1/none");
      return {
        name,
        command: command.join(" "),
        environment,
        graceSeconds: Number.parseInt(grace ?? "10s", 10),
        ports: [],
        probes: healthcheck.test ? [{ port: Number(port), path: pathname }] : [],
      };
    });
}

/** What the image runs unless told otherwise. */
export const defaultCommand = (): string[] => JSON.parse(/^CMD (.*)$/m.exec(read("Dockerfile"))![1]!);
