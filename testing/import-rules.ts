/** Who may import what. `from` and `to` match repository paths; a rule without exceptions is an error with its reason. */
export type ImportRule = { name: string; from: RegExp; forbidden: RegExp; except?: RegExp; reason: string };

const subjects = "projects|datasets|models|checkpoints|scenarios|predictions|actuals|api-keys|users|audit";

export const importRules: ImportRule[] = [
  {
    name: "contract knows zod alone",
    from: /^lib\/contract\//,
    forbidden: /^(lib|db|components|app|scripts|testing)\/|^node:|^(?!zod$)[^/.#]/,
    except: /^lib\/contract\/|^zod$/,
    reason: "the wire's schemas run in the browser, the service and the document alike",
  },
  {
    name: "errors know the codes alone",
    from: /^lib\/platform\/errors\//,
    forbidden: /^(lib|db|components|app)\//,
    except: /^lib\/(platform\/errors|contract\/error-codes)/,
    reason: "an error can be thrown from anywhere, so it may depend on nothing",
  },
  {
    name: "the schema knows the contract's types alone",
    from: /^db\/schema\//,
    forbidden: /^(lib|components|app)\//,
    except: /^lib\/contract\//,
    reason: "tables are below every subject",
  },
  {
    name: "numeric code, CSV and series are pure",
    from: /^lib\/(engine|ml|csv)\//,
    forbidden: /^(lib|db|components|app)\//,
    except: /^lib\/(engine|ml|csv|contract)\//,
    reason: "no database and no HTTP where numbers are made: they must be testable and run anywhere",
  },
  {
    name: "CSV and series run in the browser",
    from: /^lib\/(engine\/(csv|series)|csv)\//,
    forbidden: /^node:|^lib\/(ml|engine\/(?!csv|series))/,
    reason: "the browser's preview uses the same modules",
  },
  {
    name: "subjects know no HTTP",
    from: new RegExp(
      `^((lib|server)/((domain|platform)/)?(${subjects}|comparison|job-handlers|jobs|storage|realtime|worker))/`,
    ),
    forbidden: /^(lib\/(api|http)|components|app|next)(\/|$)/,
    reason: "operations are called by routes, jobs and commands alike",
  },
  {
    name: "routes go through operations",
    from: /^app\/api\/v1\//,
    forbidden: /^(db|drizzle-orm|postgres)(\/|$)/,
    reason: "a route declares; what it does stands in an operation",
  },
  {
    name: "components see the wire, not the service",
    from: /^components\//,
    forbidden: /^(lib|db|app)\/|^(drizzle-orm|postgres|node:)/,
    // A file is told to be hourly before it is sent by what tells it afterwards.
    except: /^lib\/(contract|csv|engine\/(csv|series))\/|^lib\/engine\/features\/frequency$/,
    reason: "the dashboard does everything through /api/v1, as every external program",
  },
  {
    name: "ui and form know nothing of the domain",
    from: /^components\/ui\//,
    forbidden: /^(components|lib)\//,
    except: /^components\/ui\//,
    reason: "a button is a button in every project",
  },
];
