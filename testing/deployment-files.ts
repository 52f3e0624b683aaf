import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse, parseAllDocuments } from "yaml";

const root = path.dirname(import.meta.dirname);
export const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

type NamedPort = { name: string; containerPort: number };
type Probe = { httpGet: { path: string; port: string } };
type Container = {
  command: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: KeyRef; configMapKeyRef?: KeyRef } }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  resources: { requests: Quantities; limits: Quantities };
  ports?: NamedPort[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
};
type KeyRef = { name: string; key: string };
type Quantities = { memory: string; "ephemeral-storage": string };
type Labels = Record<string, string>;

/** A Kubernetes object: the fields that the tests read. */
export type Manifest = {
  file: string;
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec?: {
    template?: {
      metadata: { labels: Labels };
      spec: {
        containers: [Container];
        terminationGracePeriodSeconds?: number;
        volumes?: { emptyDir: { sizeLimit: string } }[];
      };
    };
    selector?: { matchLabels: Labels };
    podSelector?: { matchLabels: Labels };
    scaleTargetRef?: { name: string };
    ports?: { name: string }[];
    rules?: { http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] } }[];
  };
};

/** Returns every object of the Kubernetes files. */
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

/** Parses a YAML file and resolves its merge keys. */
export const yamlOf = (file: string): unknown => parse(read(file), { merge: true });

type Process = {
  name: string;
  command: string;
  environment: Record<string, string>;
  /** Seconds between the request to stop and the kill. */
  graceSeconds: number;
  ports: number[];
  probes: { port: number; path: string }[];
};

/** Returns the service's processes in the Kubernetes files. */
export function podProcesses(): Process[] {
  const all = manifests();
  const config = all.find(({ kind }) => kind === "ConfigMap")!.data!;
  const secrets = all.find(({ kind }) => kind === "Secret")!.stringData!;
  return all.flatMap(({ metadata, spec }): Process[] => {
    if (!spec?.template) return [];
    const { containers, terminationGracePeriodSeconds = 30 } = spec.template.spec;
    const [{ command, env = [], envFrom = [], ports = [], ...probes }] = containers;
    const given = Object.assign({}, ...envFrom.map(({ secretRef }) => (secretRef ? secrets : config)));
    const own = env.map(({ name, value, valueFrom }) => [
      name,
      value ??
        (valueFrom!.secretKeyRef ? secrets : config)[
          (valueFrom!.secretKeyRef ?? valueFrom!.configMapKeyRef)!.key
        ],
    ]);
    const portOf = (name: string) => ports.find((port) => port.name === name)!.containerPort;
    return [
      {
        name: metadata.name,
        command: command.join(" "),
        environment: { ...given, ...Object.fromEntries(own) },
        graceSeconds: terminationGracePeriodSeconds,
        ports: ports.map(({ containerPort }) => containerPort),
        probes: [probes.startupProbe, probes.livenessProbe, probes.readinessProbe]
          .filter((probe) => probe !== undefined)
          .map(({ httpGet }) => ({ port: portOf(httpGet.port), path: httpGet.path })),
      },
    ];
  });
}

type ComposeService = {
  build?: string;
  command?: string[];
  environment: Record<string, string>;
  stop_grace_period?: string;
  healthcheck: { test?: string[] };
};

/** Returns the service's processes in the Compose file, without other images such as PostgreSQL. */
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

/** Returns the default command of the image. */
export const defaultCommand = (): string[] => JSON.parse(/^CMD (.*)$/m.exec(read("Dockerfile"))![1]!);
