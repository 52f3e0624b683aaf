import type { JsonSchema } from "./schema-text.tsx";

/** A two-row CSV in base64. */
const csv = "dGVtcCxyYWluCjEyLjUsMAo5LjEsMS4yCg==";
const checkpoint = "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f";

/** Bodies that say more than their required fields would. A test holds each against the route's own schema. */
const examples: Record<string, unknown> = {
  createScenario: {
    title: "Warm February",
    color: "#3498db",
    checkpointId: checkpoint,
    endDate: "2026-02-28",
  },
  validateScenario: { checkpointId: checkpoint, fileData: csv, fileName: "february.csv" },
  updateScenario: { title: "Warm February, revised" },
  predict: {
    input: {
      timestamp: ["2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z"],
      temp: [12.5, 9.1],
      weather: ["sun", "rain"],
    },
    include: ["intervals"],
  },
  createCheckpoint: { label: "Before the new tariff", setAsDefault: true },
  updateCheckpoint: { label: "Winter 2026", setAsDefault: true },
  putDataset: { fileData: csv, fileName: "weather.csv", target: "temp" },
  appendDatasetRows: { fileData: csv, fileName: "yesterday.csv" },
  trainModel: { targetMetric: "mae", features: { lags: [1, 24, 168] }, horizon: 48 },
  importModel: {
    fileData: "CAgSBHRlc3Q=",
    modelName: "Gradient boosting of May",
    target: "rentals",
    targetMetric: "rmse",
    inputs: [{ feature: "temp" }, { feature: "weekday", type: "category" }],
  },
  createApiKey: { name: "Nightly forecast", expiresAt: "2027-01-01T00:00:00Z" },
  rotateApiKey: { overlapSeconds: 86_400 },
  updateProject: { description: "Hourly rentals of the whole city" },
  setDependencies: { dependencies: [{ projectId: checkpoint, featureName: "temperature_forecast" }] },
  createMember: { name: "Ada", email: "ada@example.com", password: "a long enough one", role: "analyst" },
  createFirstAdmin: { name: "Ada", email: "ada@example.com", password: "a long enough one" },
  updateMember: { role: "admin" },
  authorizeChannel: { socket_id: "1.1", channel_name: `private-project-${checkpoint}` },
};

/** A body that the operation takes: a telling one where there is one, else the required fields. */
export function exampleBody(operationId: string, schema: JsonSchema): unknown {
  return examples[operationId] ?? exampleOf(schema);
}

function exampleOf(schema: JsonSchema): unknown {
  if (schema.examples?.length) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return exampleOf(choice);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, exampleOf(schema.properties?.[name] ?? {})]),
      );
    case "array":
      return [exampleOf(schema.items ?? {})];
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    default:
      return "text";
  }
}
