// Loaded first by every process of the service (`node --import`).
import { registerHooks } from "node:module";

// Drizzle's ES modules re-export each other in circles, so linking takes Node.js half a second and 180 MB. Its CommonJS
// modules take a tenth of both, and hold the same code in the same folders.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (!/\/node_modules\/drizzle-orm\/.*\.js$/.test(resolved.url)) return resolved;
    return { ...resolved, url: resolved.url.replace(/\.js$/, ".cjs"), format: "commonjs" };
  },
});
