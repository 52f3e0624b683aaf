import { channelOf } from "#lib/contract/channel";
import { ids } from "./ids.ts";

/** CSV in base64: the header `date,temp` and two days. */
const csv = "ZGF0ZSx0ZW1wCjIwMjYtMDItMDEsMTIuNQoyMDI2LTAyLTAyLDkuMQo=";
/** First bytes of an ONNX file. */
const onnx = "CAgSBHRlc3Q=";

type Examples = Record<string, { summary: string; value: unknown }>;

/** Example bodies by operation ID, simplest first. */
export const bodyExamples: Record<string, Examples> = {
  createProject: {
    project: { summary: "A project", value: { name: "Energy", description: "Daily demand of the city" } },
  },
  updateProject: {
    description: { summary: "New description", value: { description: "Hourly demand" } },
    display: {
      summary: "Unit and decimals of the target",
      value: { display: { demand: { unit: "MWh", decimals: 1 } } },
    },
    runsKept: { summary: "Keep three years of monthly runs", value: { runsKept: 36 } },
  },
  setDependencies: {
    one: {
      summary: "Use the predictions of an upstream project",
      value: { dependencies: [{ projectId: ids.upstreamProject, featureName: "temperature_forecast" }] },
    },
    none: { summary: "Remove all upstream projects", value: { dependencies: [] } },
  },
  putDataset: {
    series: {
      summary: "Time series",
      value: { fileData: csv, fileName: "weather.csv", target: "temp", timestamp: "date" },
    },
    dateAndHour: {
      summary: "Upload with date and hour in two columns",
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
  updateDataset: {
    exclude: {
      summary: "Exclude columns that give the target away",
      value: { exclude: ["casual", "registered"] },
    },
    confirm: { summary: "Keep a suspected column as an input", value: { confirmed: ["instant"] } },
  },
  appendDatasetRows: {
    rows: { summary: "Latest days", value: { fileData: csv, fileName: "yesterday.csv" } },
  },
  correctDatasetRows: {
    rows: {
      summary: "Correct a value and delete a row",
      value: { set: [{ row: 700, values: { demand: 912 } }], delete: [1462] },
    },
  },
  trainModel: {
    defaults: { summary: "Let the service choose", value: {} },
    chosen: {
      summary: "Custom settings",
      value: { targetMetric: "mae", features: { lags: [1, 7, 14] }, horizon: 14, seed: 1 },
    },
  },
  importModel: {
    onnx: {
      summary: "ONNX file",
      value: {
        fileData: onnx,
        modelName: "Gradient boosting, May",
        target: "rentals",
        targetMetric: "rmse",
        inputs: [{ feature: "temp" }, { feature: "weekday", type: "category" }],
      },
    },
    xgboost: {
      summary: "XGBoost JSON upload with labelled rows for metrics",
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
      summary: "Two rows with prediction intervals",
      value: {
        input: {
          date: ["2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z"],
          temperature_forecast: [4.5, 6.1],
        },
        include: ["intervals"],
      },
    },
    checkpoint: {
      summary: "Checkpoint with feature contributions",
      value: {
        input: { date: ["2026-02-01T00:00:00Z"], temperature_forecast: [4.5] },
        checkpointId: ids.checkpoint,
        include: ["contributions"],
      },
    },
  },
  createCheckpoint: {
    labelled: {
      summary: "Label, as the default checkpoint",
      value: { label: "Winter 2026", description: "Before the new tariff", setAsDefault: true },
    },
    generated: { summary: "Generated label", value: {} },
    earlier: {
      summary: "An earlier model, to serve predictions again",
      value: { modelId: ids.model, label: "Before the new tariff", setAsDefault: true },
    },
  },
  importCheckpoint: {
    upload: {
      summary: "Uploaded file",
      value: { uploadId: ids.upload, label: "Winter 2026, from the test service" },
    },
    file: { summary: "File in base64", value: { fileData: "TUFOSUZFU1QuanNvbg==" } },
  },
  updateCheckpoint: {
    label: { summary: "New label", value: { label: "Winter 2026, final" } },
    default: { summary: "Set as default", value: { setAsDefault: true } },
  },
  createScenario: {
    generated: {
      summary: "Generated input up to a date",
      value: { title: "February", endDate: "2026-02-28" },
    },
    existing: {
      summary: "Existing checkpoint",
      value: { title: "February", checkpointId: ids.checkpoint, endDate: "2026-02-28" },
    },
    upload: {
      summary: "CSV with a new checkpoint",
      value: {
        title: "Warm February",
        color: "#3498db",
        checkpointLabel: "For February",
        fileData: csv,
        fileName: "february.csv",
      },
    },
    whatIf: {
      summary: "What-if: two degrees warmer in the first week",
      value: {
        title: "Two degrees warmer",
        baseScenarioId: ids.scenario,
        adjustments: [{ feature: "temp", operation: "add", value: 2, from: "2026-02-01", to: "2026-02-07" }],
      },
    },
    upstream: {
      summary: "Current model of an upstream project, saved in the same request",
      value: { title: "Latest models", dependentProjectCheckpoints: { [ids.upstreamProject]: null } },
    },
  },
  validateScenario: {
    csv: {
      summary: "CSV against a checkpoint",
      value: { checkpointId: ids.checkpoint, fileData: csv, fileName: "february.csv" },
    },
    recipe: {
      summary: "Adjustments to another scenario's input",
      value: {
        checkpointId: ids.checkpoint,
        baseScenarioId: ids.scenario,
        adjustments: [{ feature: "temp", operation: "add", value: 2, from: "2026-02-01", to: "2026-02-07" }],
      },
    },
  },
  previewScenario: {
    price: {
      summary: "Price 10% higher in the first week of February",
      value: {
        adjustments: [
          { feature: "price", operation: "multiply", value: 1.1, from: "2026-02-01", to: "2026-02-07" },
        ],
        maxPoints: 1_000,
        explain: true,
      },
    },
  },
  seekGoal: {
    price: {
      summary: "Price with which the sum of February is 5,750, with at most 240 a day",
      value: {
        levers: [{ feature: "price", operation: "multiply", min: 0.9, max: 1.1, step: 0.01 }],
        goal: { statistic: "sum", relation: "equal", value: 5_750 },
        constraints: [{ statistic: "max", relation: "atMost", value: 240 }],
        from: "2026-02-01",
        to: "2026-02-28",
      },
    },
  },
  updateScenario: {
    title: { summary: "New title and colour", value: { title: "Warm February, revised", color: "#39d" } },
    tags: {
      summary: "Tags and notes",
      value: { tags: ["winter", "for the board"], notes: "Assumes no new tariff before March." },
    },
    archive: { summary: "Archive", value: { archived: true } },
  },
  createScenarioRun: {
    same: { summary: "Same checkpoint, newest rows", value: {} },
    current: { summary: "Current model", value: { checkpointId: "current" } },
  },
  createOverride: {
    set: {
      summary: "Known value of two days",
      value: {
        from: "2026-02-14",
        to: "2026-02-15",
        operation: "set",
        value: 260,
        reason: "Both shops are open late for the fair.",
      },
    },
    percent: {
      summary: "10% more in a week",
      value: {
        from: "2026-02-16",
        to: "2026-02-22",
        operation: "multiply",
        value: 1.1,
        reason: "School holidays, which the model does not know.",
      },
    },
  },
  createComparison: {
    comparison: {
      summary: "Two scenarios",
      value: { name: "February, warm or cold", scenarioIds: [ids.otherScenario, ids.scenario] },
    },
  },
  updateComparison: {
    name: { summary: "New name", value: { name: "February" } },
    decision: {
      summary: "Decision for a scenario",
      value: {
        decision: { scenarioId: ids.scenario, reason: "The forecast of the weather service is warm." },
      },
    },
  },
  createApiKey: {
    expiring: {
      summary: "Key with an expiry date",
      value: { name: "Nightly forecast", expiresAt: "2027-01-01T00:00:00Z" },
    },
    limited: {
      summary: "Key that predicts and changes nothing, from the shop's addresses only",
      value: { name: "Web shop", scopes: ["predict"], allowedAddresses: ["192.0.2.7", "2001:db8::/32"] },
    },
  },
  rotateApiKey: {
    overlap: { summary: "Old key remains valid for a day", value: { overlapSeconds: 86_400 } },
    atOnce: { summary: "Old key ends immediately", value: { overlapSeconds: 0 } },
  },
  createWebhook: {
    scenarios: {
      summary: "Finished scenarios",
      value: { url: "https://example.com/hooks", events: ["scenario-completed", "scenario-failed"] },
    },
  },
  updateWebhook: {
    events: { summary: "Other events", value: { events: ["model-trained", "default-changed"] } },
    enabled: { summary: "Enable again", value: { enabled: true } },
  },
  rotateWebhook: {
    overlap: { summary: "Both secrets sign for a day", value: { overlapSeconds: 86_400 } },
  },
  addProjectMember: {
    viewer: { summary: "Viewer", value: { userId: ids.user, role: "viewer" } },
  },
  updateProjectMember: { role: { summary: "New role", value: { role: "analyst" } } },
  createMember: {
    analyst: {
      summary: "Analyst",
      value: { name: "Ada", email: "ada@example.com", password: "a long enough one", role: "analyst" },
    },
    invited: {
      summary: "Invitation by mail",
      value: { name: "Ada", email: "ada@example.com", password: "TR2q7yHfG1ZkqO4vMvCh9wYw", invite: true },
    },
  },
  updateMember: {
    role: { summary: "Make the member an admin", value: { role: "admin" } },
    disabled: { summary: "Disable the member", value: { disabled: true } },
  },
  changePassword: {
    changed: {
      summary: "New password",
      value: { currentPassword: "correct horse battery", newPassword: "a long enough one" },
    },
  },
  endSessions: {
    others: { summary: "All other sessions", value: {} },
    one: { summary: "One session", value: { sessionId: ids.session } },
  },
  createFirstAdmin: {
    admin: {
      summary: "First admin",
      value: { name: "Ada", email: "ada@example.com", password: "a long enough one" },
    },
  },
  authorizeChannel: {
    channel: {
      summary: "Channel of a project",
      value: { socket_id: "1234.5678", channel_name: channelOf(ids.project) },
    },
  },
  createComparisonLink: { week: { summary: "For a week", value: { expiresInDays: 7 } } },
  openSharedComparison: {
    link: { summary: "Link", value: { token: "GQ2yHfG1ZkqO4vMvCh9wYw4mCcUpXq0t9Jr7eJw1n5A" } },
  },
  setJobMail: { requested: { summary: "Mail at the end", value: { whenEnded: true } } },
  requestPasswordReset: { member: { summary: "Member", value: { email: "ada@example.com" } } },
  resetPassword: {
    chosen: {
      summary: "New password",
      value: { token: "GQ2yHfG1ZkqO4vMvCh9wYw4mCcUpXq0t9Jr7eJw1n5A", newPassword: "a long enough one" },
    },
  },
  signIn: {
    credentials: {
      summary: "Email and password",
      value: { email: "ada@example.com", password: "a long enough one" },
    },
  },
};
