/** Layers of the code, lowest first. A file may import its own layer and the layers that its entry lists. */
export const layers: Record<string, readonly string[]> = {
  "lib/contract": [],
  "lib/engine": ["lib/contract"],
  db: ["lib/contract"],
  "lib/platform": ["lib/contract", "db"],
  "lib/domain": ["lib/contract", "lib/engine", "db", "lib/platform"],
  "lib/api": ["lib/contract", "lib/engine", "db", "lib/platform", "lib/domain"],
  components: ["lib/contract", "lib/engine"],
  app: ["components", "lib/contract", "lib/engine", "db", "lib/platform", "lib/domain", "lib/api"],
  server: ["app", "lib/contract", "lib/engine", "db", "lib/platform", "lib/domain", "lib/api"],
  demo: ["lib/contract", "lib/engine", "db", "lib/platform", "lib/domain"],
  scripts: [
    "server",
    "demo",
    "app",
    "lib/contract",
    "lib/engine",
    "db",
    "lib/platform",
    "lib/domain",
    "lib/api",
  ],
};

/** Rule that forbids imports. `from`, `forbidden` and `except` match repository paths and package names. */
type ImportRule = { name: string; from: RegExp; forbidden: RegExp; except?: RegExp; reason: string };

export const importRules: ImportRule[] = [
  {
    name: "the contract imports only zod",
    from: /^lib\/contract\//,
    forbidden: /^node:|^(?!zod$)[^/.#]/,
    except: /^lib\/contract\/|^zod$/,
    reason: "the schemas of the wire format run in the browser, in the service and in the API document",
  },
  {
    name: "errors import only the error codes",
    from: /^lib\/platform\/errors\//,
    forbidden: /^(lib|db|components|app)\//,
    except: /^lib\/(platform\/errors|contract\/error-codes)/,
    reason: "every module throws errors, so errors depend on no other module",
  },
  {
    name: "CSV, workbooks, Parquet, times and series run in the browser",
    from: /^lib\/engine\/((csv|names|parquet|series|statistics|time|workbooks)\/|table\/rows\.)/,
    forbidden: /^node:|^lib\/engine\/(?!csv|names|parquet|series|statistics|time|workbooks)/,
    except: /^lib\/engine\/(features\/(frequency|grid|resample)|table\/rows)$/,
    reason: "the browser's preview uses the same modules, and these calendars and rows",
  },
  {
    name: "the domain imports no HTTP and no pages",
    from: /^lib\/domain\//,
    forbidden: /^next(\/|$)/,
    reason: "routes, jobs and commands call the same operations",
  },
  {
    name: "routes call operations",
    from: /^app\/api\/v1\//,
    forbidden: /^(db|drizzle-orm|postgres)(\/|$)/,
    reason: "a route declares; an operation of the domain does the work",
  },
  {
    name: "components use the wire format, CSV, workbooks, series, grids, resampling, adjustments and live models",
    from: /^components\//,
    forbidden: /^lib\/engine\/|^(drizzle-orm|postgres|node:)/,
    except:
      /^lib\/engine\/(csv|names|series|time|workbooks)\/|^lib\/engine\/(features\/(frequency|grid|resample)|inference\/adjust(ments)?|panel\/(panel-order|propose-series|series-index)|what-if\/(live-model|pack))$/,
    reason: "the dashboard uses /api/v1, as every external program does",
  },
  {
    name: "reads show effective values, except those that explain what a model calculated",
    from: /^lib\/domain\/(?!what-if\/|scenarios\/(chunks\/|panel\/effective-series)|comparison\/(get-extrapolation|read-totals))/,
    forbidden: /^lib\/domain\/scenarios\/chunks\/(series-cache|bounds-at)$/,
    reason: "`lib/domain/scenarios/panel/effective-series` applies overrides to the same reads",
  },
  {
    name: "UI components import no business subject",
    from: /^components\/ui\//,
    forbidden: /^(components|lib)\//,
    except: /^components\/ui\//,
    reason: "a button is the same in every project",
  },
];
