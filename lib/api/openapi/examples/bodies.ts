import { channelOf } from "#lib/contract/channel";
import { ids } from "./ids.ts";

/** A CSV of two rows in base64: `date,temp` and two days. */
const csv = "ZGF0ZSx0ZW1wCjIwMjYtMDItMDEsMTIuNQoyMDI2LTAyLTAyLDkuMQo=";
/** The first bytes of an ONNX file. */
const onnx = "CAgSBHRlc3Q=";

type Examples = Record<string, { summary: string; value: unknown }>;

/** Bodies that each operation takes, the plainest first. By its id. */
export const bodyExamples: Record<string, Examples> = {
  createProject: {
    project: { summary: "A project", value: { name: "Energy", description: "Daily demand of the city" } },
  },
  updateProject: { description: { summary: "Another description", value: { description: "Hourly demand" } } },
  setDependencies: {
    one: {
      summary: "Use another project's predictions",
      value: { dependencies: [{ projectId: ids.upstreamProject, featureName: "temperature_forecast" }] },
    },
    none: { summary: "Use none any more", value: { dependencies: [] } },
  },
  putDataset: {
    series: {
      summary: "Data with a time",
      value: { fileData: csv, fileName: "weather.csv", target: "temp", timestamp: "date" },
    },
    dateAndHour: {
      summary: "Date and hour in two columns, uploaded before",
      value: {
        uploadId: ids.upload,
        target: "count",
        timestamp: ["dteday", "hr"],
        timezone: "Europe/Berlin",
        exclude: ["instant"],
        categories: ["season"],
      },
    },
  },
  appendDatasetRows: {
    rows: { summary: "The latest days", value: { fileData: csv, fileName: "yesterday.csv" } },
  },
  trainModel: {
    defaults: { summary: "Let the service choose", value: {} },
    chosen: {
      summary: "Chosen settings",
      value: { targetMetric: "mae", features: { lags: [1, 7, 14] }, horizon: 14, seed: 1 },
    },
  },
  importModel: {
    onnx: {
      summary: "An ONNX file",
      value: {
        fileData: onnx,
        modelName: "Gradient boosting of May",
        target: "rentals",
        targetMetric: "rmse",
        inputs: [{ feature: "temp" }, { feature: "weekday", type: "category" }],
      },
    },
    xgboost: {
      summary: "XGBoost's own JSON, uploaded before, with rows to judge it by",
      value: {
        uploadId: ids.upload,
        format: "xgboost-json",
        modelName: "Boosted",
        target: "temp",
        targetMetric: "mae",
        labelledRows: csv,
      },
    },
  },
  predict: {
    rows: {
      summary: "Two rows, with their intervals",
      value: {
        input: {
          date: ["2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z"],
          temperature_forecast: [4.5, 6.1],
        },
        include: ["intervals"],
      },
    },
    checkpoint: {
      summary: "By a checkpoint, with what each feature adds",
      value: {
        input: { date: ["2026-02-01T00:00:00Z"], temperature_forecast: [4.5] },
        checkpointId: ids.checkpoint,
        include: ["contributions"],
      },
    },
  },
  createCheckpoint: {
    labelled: {
      summary: "With a label, as the default",
      value: { label: "Winter 2026", description: "Before the new tariff", setAsDefault: true },
    },
    generated: { summary: "With a generated label", value: {} },
  },
  importCheckpoint: {
    upload: {
      summary: "A file that was uploaded before",
      value: { uploadId: ids.upload, label: "Winter 2026, from the test service" },
    },
    file: { summary: "The file itself", value: { fileData: "TUFOSUZFU1QuanNvbg==" } },
  },
  updateCheckpoint: {
    label: { summary: "Another label", value: { label: "Winter 2026, final" } },
    default: { summary: "Make it the default", value: { setAsDefault: true } },
  },
  createScenario: {
    generated: {
      summary: "Generated input up to a date",
      value: { title: "February", endDate: "2026-02-28" },
    },
    existing: {
      summary: "On a checkpoint that is there",
      value: { title: "February", checkpointId: ids.checkpoint, endDate: "2026-02-28" },
    },
    upload: {
      summary: "From a CSV, on a new checkpoint",
      value: {
        title: "Warm February",
        color: "#3498db",
        checkpointLabel: "For February",
        fileData: csv,
        fileName: "february.csv",
      },
    },
    whatIf: {
      summary: "What if it were two degrees warmer in the first week",
      value: {
        title: "Two degrees warmer",
        baseScenarioId: ids.scenario,
        adjustments: [{ feature: "temp", operation: "add", value: 2, from: "2026-02-01", to: "2026-02-07" }],
      },
    },
    dependent: {
      summary: "With another project's current model, saved in the same request",
      value: { title: "Newest models", dependentProjectCheckpoints: { [ids.upstreamProject]: null } },
    },
  },
  validateScenario: {
    csv: {
      summary: "A CSV against a checkpoint",
      value: { checkpointId: ids.checkpoint, fileData: csv, fileName: "february.csv" },
    },
    recipe: {
      summary: "What a recipe would change in another scenario's input",
      value: {
        checkpointId: ids.checkpoint,
        baseScenarioId: ids.scenario,
        adjustments: [{ feature: "temp", operation: "add", value: 2, from: "2026-02-01", to: "2026-02-07" }],
      },
    },
  },
  updateScenario: {
    title: { summary: "Another title and colour", value: { title: "Warm February, revised", color: "#39d" } },
  },
  createApiKey: {
    expiring: {
      summary: "A key that expires",
      value: { name: "Nightly forecast", expiresAt: "2027-01-01T00:00:00Z" },
    },
  },
  rotateApiKey: {
    overlap: { summary: "The old key lives on for a day", value: { overlapSeconds: 86_400 } },
    atOnce: { summary: "The old key ends at once", value: { overlapSeconds: 0 } },
  },
  createMember: {
    analyst: {
      summary: "An analyst",
      value: { name: "Ada", email: "ada@example.com", password: "a long enough one", role: "analyst" },
    },
  },
  updateMember: {
    role: { summary: "Make an admin", value: { role: "admin" } },
    disabled: { summary: "Lock out", value: { disabled: true } },
  },
  createFirstAdmin: {
    admin: {
      summary: "The first admin",
      value: { name: "Ada", email: "ada@example.com", password: "a long enough one" },
    },
  },
  authorizeChannel: {
    channel: {
      summary: "A project's channel",
      value: { socket_id: "1234.5678", channel_name: channelOf(ids.project) },
    },
  },
  signIn: {
    credentials: {
      summary: "E-mail and password",
      value: { email: "ada@example.com", password: "a long enough one" },
    },
  },
};
