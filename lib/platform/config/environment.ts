import path from "node:path";
import { perProcess } from "#lib/platform/process/per-process";
import { EnvironmentError, type EnvironmentIssue } from "../errors/start-errors.ts";
import { type EnvironmentVariables, environmentVariables, secretVariables } from "./environment-variables.ts";

/** A Pusher Channels service: hosted, self-run, or the embedded server (then `host` is a loopback address). */
export type PusherSettings = {
  appId: string;
  key: string;
  secret: string;
  host: string | null;
  port: number | null;
  useTls: boolean;
  cluster: string | null;
  /** Address for browsers. Default: the address that this service uses. */
  browser?: { host: string; port: number; tls: boolean; path?: string };
};

/** A local directory, or a bucket; `endpoint` null: Amazon's own. */
export type StorageSettings =
  | { kind: "file"; folder: string }
  | { kind: "s3"; bucket: string; prefix: string; endpoint: string | null; region: string };

/** The company's OpenID Connect provider. */
export type OidcSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Name on the button of the sign-in page. */
  name: string;
  /** Whether its e-mail addresses count as verified even if it does not say so. */
  trustsEmail: boolean;
  /** Claim with the groups of the user. */
  groupsClaim: string;
  /** Groups whose members may sign in; null: everybody. */
  groups: readonly string[] | null;
  /** Groups whose members are admins, others are analysts; null: roles stay as admins set them here. */
  adminGroups: readonly string[] | null;
};

/** Mail by SMTP. */
export type MailSettings = {
  /** May contain a user and a password. */
  smtpUrl: string;
  from: { name: string; address: string };
  /** Address of the service in links, without a slash at its end. */
  publicUrl: string;
};

export type Environment = {
  port: number;
  /** Address that the servers listen on; null: every interface. */
  bindAddress: string | null;
  /** Absolute path. */
  dataDir: string;
  /** null: the embedded PostgreSQL. `databaseUrl()` returns the URL in use. */
  databaseUrl: string | null;
  storage: StorageSettings;
  /** Port of the embedded realtime server, if configured. */
  realtimePort: number | null;
  /** Maximum number of realtime clients of one address. */
  connectionsPerAddress: number;
  /** Port of the worker's probes and metrics. null: no port. */
  workerPort: number | null;
  /** Seconds that a stopping process continues its work. null: the default of the process. */
  drainSeconds: number | null;
  /** null: the supervisor starts the embedded realtime server and hands its settings to the others. */
  pusher: PusherSettings | null;
  admin: { email: string; password: string } | null;
  demo: boolean;
  logLevel: EnvironmentVariables["LOG_LEVEL"];
  rateLimit: { perMinute: number; burst: number };
  authFailuresPerMinute: number;
  /** Limits of each project: bytes in store, and number and bytes of uploads that no request has used. */
  quota: { bytes: number; openUploads: number; openUploadBytes: number };
  /** Memory in megabytes of all model processes of a service process. */
  modelMemoryMb: number;
  /** Number of proxies whose `X-Forwarded-For` entries are trusted. 0: none. */
  trustedProxies: number;
  /** null: `authSecret()` generates a secret. */
  authSecret: string | null;
  /** Whether webhooks may address this machine and private networks. */
  webhooksAllowPrivate: boolean;
  /** Whether members may share saved comparisons by links that need no account. */
  comparisonLinks: boolean;
  /** Whether members may sign in by e-mail and password. */
  passwordSignIn: boolean;
  /** null: no sign-in by a company's account. */
  oidc: OidcSettings | null;
  /** Address of the service in links, without a slash at its end; null if it is not set. */
  publicUrl: string | null;
  /** null: the service sends no mail. */
  mail: MailSettings | null;
};

type Source = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment.
 *
 * @throws {EnvironmentError} with each invalid variable, its value and the expected format
 */
export function parseEnvironment(source: Source): Environment {
  const variables = Object.fromEntries(
    Object.keys(environmentVariables.shape).flatMap((name) => {
      const value = source[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
  const parsed = environmentVariables.safeParse(variables);
  const issues: EnvironmentIssue[] = (parsed.error?.issues ?? []).map((issue) => {
    const variable = String(issue.path[0]);
    const value = secretVariables.has(variable) ? "(not shown)" : JSON.stringify(variables[variable]);
    return { variable, message: `${variable} is ${value}: expected ${issue.message}.` };
  });
  issues.push(...missingCompanions(variables));
  if (parsed.data?.PASSWORD_SIGN_IN === false && variables.OIDC_ISSUER === undefined) {
    const message = "PASSWORD_SIGN_IN is 0, so no member could sign in: expected OIDC_ISSUER with it.";
    issues.push({ variable: "PASSWORD_SIGN_IN", message });
  }
  if (!parsed.success || issues.length > 0) throw new EnvironmentError(issues);
  return toEnvironment(parsed.data);
}

/** Returns the issues of variables that must be set together. */
function missingCompanions(variables: Source): EnvironmentIssue[] {
  const groups = [
    ["ADMIN_EMAIL", "ADMIN_PASSWORD"],
    ["PUSHER_APP_ID", "PUSHER_KEY", "PUSHER_SECRET"],
    ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
    ["SMTP_URL", "MAIL_FROM"],
  ];
  const issues = groups.flatMap((group) => {
    const present = group.filter((name) => variables[name] !== undefined);
    if (present.length === 0) return [];
    return group
      .filter((name) => variables[name] === undefined)
      .map((variable) => ({
        variable,
        message: `${variable} is not set: expected it together with ${present.join(" and ")}.`,
      }));
  });
  const companions = {
    PUBLIC_URL: ["SMTP_URL", "MAIL_FROM"],
    PUSHER_KEY: ["PUSHER_HOST", "PUSHER_PORT", "PUSHER_USE_TLS", "PUSHER_CLUSTER"],
    OIDC_ISSUER: ["OIDC_NAME", "OIDC_TRUSTS_EMAIL", "OIDC_GROUPS_CLAIM", "OIDC_GROUPS", "OIDC_ADMIN_GROUPS"],
  };
  for (const [variable, others] of Object.entries(companions)) {
    const present = others.find((name) => variables[name] !== undefined);
    if (present === undefined || variables[variable] !== undefined) continue;
    const message = `${variable} is not set: expected it together with ${present}.`;
    if (!issues.some((issue) => issue.variable === variable)) issues.push({ variable, message });
  }
  return issues;
}

function toEnvironment(variables: EnvironmentVariables): Environment {
  return {
    port: variables.PORT,
    bindAddress: variables.BIND_ADDRESS ?? null,
    dataDir: variables.DATA_DIR,
    databaseUrl: variables.DATABASE_URL ?? null,
    storage: toStorageSettings(variables),
    realtimePort: variables.REALTIME_PORT ?? null,
    connectionsPerAddress: variables.REALTIME_CONNECTIONS_PER_ADDRESS,
    workerPort: variables.WORKER_PORT ?? null,
    drainSeconds: variables.DRAIN_SECONDS ?? null,
    pusher: toPusherSettings(variables),
    admin:
      variables.ADMIN_EMAIL !== undefined && variables.ADMIN_PASSWORD !== undefined
        ? { email: variables.ADMIN_EMAIL, password: variables.ADMIN_PASSWORD }
        : null,
    demo: variables.DEMO,
    logLevel: variables.LOG_LEVEL,
    rateLimit: { perMinute: variables.RATE_LIMIT_PER_MINUTE, burst: variables.RATE_LIMIT_BURST },
    authFailuresPerMinute: variables.AUTH_FAILURES_PER_MINUTE,
    quota: {
      bytes: variables.QUOTA_BYTES,
      openUploads: variables.QUOTA_OPEN_UPLOADS,
      openUploadBytes: variables.QUOTA_OPEN_UPLOAD_BYTES,
    },
    modelMemoryMb: variables.MODEL_MEMORY_MB,
    trustedProxies: variables.TRUST_PROXY,
    authSecret: variables.AUTH_SECRET ?? null,
    webhooksAllowPrivate: variables.WEBHOOKS_ALLOW_PRIVATE,
    comparisonLinks: variables.COMPARISON_LINKS,
    passwordSignIn: variables.PASSWORD_SIGN_IN,
    oidc: toOidcSettings(variables),
    publicUrl: toPublicUrl(variables),
    mail: toMailSettings(variables),
  };
}

function toMailSettings(variables: EnvironmentVariables): MailSettings | null {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = variables;
  const publicUrl = toPublicUrl(variables);
  if (smtpUrl === undefined || from === undefined || publicUrl === null) return null;
  return { smtpUrl, from, publicUrl };
}

const toPublicUrl = ({ PUBLIC_URL }: EnvironmentVariables) => PUBLIC_URL?.replace(/\/+$/, "") ?? null;

function toOidcSettings(variables: EnvironmentVariables): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = variables;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return {
    issuer: issuer.replace(/\/$/, ""),
    clientId,
    clientSecret,
    name: variables.OIDC_NAME,
    trustsEmail: variables.OIDC_TRUSTS_EMAIL,
    groupsClaim: variables.OIDC_GROUPS_CLAIM,
    groups: variables.OIDC_GROUPS ?? null,
    adminGroups: variables.OIDC_ADMIN_GROUPS ?? null,
  };
}

function toStorageSettings(variables: EnvironmentVariables): StorageSettings {
  const { DATA_DIR, STORAGE_URL, S3_ENDPOINT, S3_REGION } = variables;
  if (STORAGE_URL === undefined) return { kind: "file", folder: path.join(DATA_DIR, "artifacts") };
  if (STORAGE_URL.kind === "file") return STORAGE_URL;
  return { ...STORAGE_URL, endpoint: S3_ENDPOINT ?? null, region: S3_REGION };
}

function toPusherSettings(variables: EnvironmentVariables): PusherSettings | null {
  const { PUSHER_APP_ID: appId, PUSHER_KEY: key, PUSHER_SECRET: secret } = variables;
  if (appId === undefined || key === undefined || secret === undefined) return null;
  const host = variables.PUSHER_HOST ?? null;
  return {
    appId,
    key,
    secret,
    host,
    port: variables.PUSHER_PORT ?? null,
    useTls: variables.PUSHER_USE_TLS ?? true,
    cluster: host === null ? (variables.PUSHER_CLUSTER ?? "mt1") : null,
    ...(variables.REALTIME_PUBLIC_URL && { browser: variables.REALTIME_PUBLIC_URL }),
  };
}

/** Returns this process's environment, read once. */
export const environment = perProcess("environmentOfProcess", () => parseEnvironment(process.env));
