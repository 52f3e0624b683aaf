// Loaded before anything else by every process of the service (`node --import`).
import { registerHooks } from "node:module";

// Drizzle's ES modules re-export each other in circles: linking them takes Node.js half a second and 180 MB, its
// CommonJS ones a tenth of both. They hold the same, and stand beside each other.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (!/\/node_modules\/drizzle-orm\/.*\.js$/.test(resolved.url)) return resolved;
    return { ...resolved, url: resolved.url.replace(/\.js$/, ".cjs"), format: "commonjs" };
  },
});
