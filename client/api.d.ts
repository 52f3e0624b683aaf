// Written by lib/api/openapi/client-package.test.ts: run it with -u after a change of the API.

/** Addresses of POST requests that support `Idempotency-Key`. */
export declare const repeatable: ReadonlySet<string>;

/** Requests and responses by address and method. */
export interface Paths {
  "/audit": {
    /** List audit entries of all projects */
    get: {
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
        /** Returns only entries about entities of this type. Can be repeated. */
        entityType?: ("project" | "dataset" | "upload" | "model" | "checkpoint" | "scenario" | "comparison" | "job" | "api-key" | "webhook" | "member")[];
        /** Returns only actions of this user. */
        actorId?: string;
      };
      response: (AuditEntry)[];
    };
  };
  "/jobs/{jobId}/cancel": {
    /** Cancel a job */
    post: {
      path: {
        /** ID of the job. */
        jobId: string;
      };
      response: Job;
    };
  };
  "/jobs/{jobId}/mail": {
    /** Get whether the end of a job is mailed */
    get: {
      path: {
        /** ID of the job. */
        jobId: string;
      };
      response: JobMail;
    };
    /** Request a mail at the end of a job */
    post: {
      path: {
        /** ID of the job. */
        jobId: string;
      };
      body: {
        /** `true` to get one mail when the job has ended. */
        whenEnded: boolean;
      };
      response: JobMail;
    };
  };
  "/jobs/{jobId}/retry": {
    /** Retry a failed or cancelled job */
    post: {
      path: {
        /** ID of the job. */
        jobId: string;
      };
      response: JobAccepted;
    };
  };
  "/jobs/{jobId}": {
    /** Get a job */
    get: {
      path: {
        /** ID of the job. */
        jobId: string;
      };
      response: Job;
    };
  };
  "/jobs/project/{projectId}": {
    /** List a project's jobs */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
        /** Returns only jobs with this status. Can be repeated. */
        status?: ("Pending" | "Running" | "Completed" | "Failed" | "Cancelled")[];
        /** Returns only jobs of this type. Can be repeated. */
        type?: ("CreateScenario" | "CreateCheckpoint" | "DeleteCheckpoint" | "TrainModel" | "ImportModel" | "DeleteScenario" | "DeleteProject")[];
      };
      response: (Job)[];
    };
  };
  "/me/password": {
    /** Change the own password */
    post: {
      body: {
        /** Current password of the caller. */
        currentPassword: string;
        /** New password of at least 10 characters. */
        newPassword: string;
      };
      response: EndedSessions;
    };
  };
  "/me": {
    /** Get the caller */
    get: {
      response: Me;
    };
  };
  "/me/sessions/end": {
    /** End own sessions */
    post: {
      body: {
        /** Session to end. By default, all sessions of the caller except the current one. */
        sessionId?: string | null;
      };
      response: EndedSessions;
    };
  };
  "/me/sessions": {
    /** List the own sessions */
    get: {
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (OwnSession)[];
    };
  };
  "/members/{userId}": {
    /** Get a member */
    get: {
      path: {
        /** ID of the user. */
        userId: string;
      };
      response: Member;
    };
    /** Update a member */
    patch: {
      path: {
        /** ID of the user. */
        userId: string;
      };
      body: {
        name?: string | null;
        /** New role of the member. */
        role?: "admin" | "analyst" | null;
        /** New password of another member. Ends the member's sessions and known devices. */
        password?: string | null;
        /** `true` ends the member's sessions and rejects further sign-ins. */
        disabled?: boolean | null;
      };
      response: Member;
    };
    /** Remove a member */
    delete: {
      path: {
        /** ID of the user. */
        userId: string;
      };
      query?: {
        /** `true` also revokes the member's API keys in all projects. Defaults to `false`. */
        revokeApiKeys?: "true" | "false" | null;
      };
      response: Member;
    };
  };
  "/members": {
    /** List members */
    get: {
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (ListedMember)[];
    };
    /** Create a member */
    post: {
      body: {
        /** Name of the member. */
        name: string;
        /** Email address with which the member signs in. */
        email: string;
        /** Password of at least 10 characters. */
        password: string;
        /** Role of the member. Defaults to `analyst`. */
        role?: "admin" | "analyst" | null;
        /** `true` mails the member a link to choose another password, valid for 7 days. So `password` may be random and unknown to everyone. Needs a service that sends mail. Defaults to `false`. */
        invite?: boolean | null;
      };
      response: Member;
    };
  };
  "/openapi.json": {
    /** Get the OpenAPI document */
    get: {
      response: unknown;
    };
  };
  "/projects/{projectId}/api-keys/{keyId}/rotate": {
    /** Rotate an API key */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the API key. */
        keyId: string;
      };
      body: {
        /** Time in seconds for which the old key remains valid. */
        overlapSeconds: number;
      };
      response: CreatedApiKey;
    };
  };
  "/projects/{projectId}/api-keys/{keyId}": {
    /** Get an API key */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the API key. */
        keyId: string;
      };
      response: ApiKey;
    };
    /** Revoke an API key */
    delete: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the API key. */
        keyId: string;
      };
      response: ApiKey;
    };
  };
  "/projects/{projectId}/api-keys": {
    /** List a project's API keys */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (ListedApiKey)[];
    };
    /** Create an API key */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        /** Name of the program that will use the key. */
        name: string;
        /** Time at which the key expires. If omitted, the key does not expire. */
        expiresAt?: string | null;
        /** Calls that the key permits. `read` permits GET requests, `predict` permits calls that compute and store nothing, such as `POST …/predict`, and `write` permits all other calls. Defaults to all. */
        scopes?: ("read" | "predict" | "write")[] | null;
        /** Addresses and networks from which the key may be used, such as `192.0.2.7` and `10.0.0.0/8`. If omitted, the key may be used from everywhere. */
        allowedAddresses?: (string)[] | null;
      };
      response: CreatedApiKey;
    };
  };
  "/projects/{projectId}/audit": {
    /** List a project's audit entries */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
        /** Returns only entries about entities of this type. Can be repeated. */
        entityType?: ("project" | "dataset" | "upload" | "model" | "checkpoint" | "scenario" | "comparison" | "job" | "api-key" | "webhook" | "member")[];
        /** Returns only actions of this user. */
        actorId?: string;
      };
      response: (AuditEntry)[];
    };
  };
  "/projects/{projectId}/checkpoints/{checkpointId}/export": {
    /** Export a checkpoint */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the checkpoint. */
        checkpointId: string;
      };
      response: unknown;
    };
  };
  "/projects/{projectId}/checkpoints/{checkpointId}/record": {
    /** Get a checkpoint's forecast accuracy */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the checkpoint. */
        checkpointId: string;
      };
      query?: {
        /** Maximum number of points of a chart. Downsampling keeps the extremes. */
        maxPoints?: number;
      };
      response: CheckpointRecord;
    };
  };
  "/projects/{projectId}/checkpoints/{checkpointId}": {
    /** Get a checkpoint */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the checkpoint. */
        checkpointId: string;
      };
      response: CheckpointDetail;
    };
    /** Update a checkpoint */
    put: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the checkpoint. */
        checkpointId: string;
      };
      body: {
        /** Read-only. Accepted and ignored. */
        id?: unknown;
        /** Read-only. Accepted and ignored. */
        projectId?: unknown;
        /** Read-only. Accepted and ignored. */
        createdAt?: unknown;
        /** Read-only. Accepted and ignored. */
        createdBy?: unknown;
        /** Read-only. Accepted and ignored. */
        isDefault?: unknown;
        /** Read-only. Accepted and ignored. */
        linkedCheckpointId?: unknown;
        /** Read-only. Accepted and ignored. */
        modelId?: unknown;
        /** Read-only. Accepted and ignored. */
        modelName?: unknown;
        /** Read-only. Accepted and ignored. */
        primaryMetricValue?: unknown;
        /** Read-only. Accepted and ignored. */
        targetMetric?: unknown;
        /** Read-only. Accepted and ignored. */
        usedByScenarios?: unknown;
        /** Read-only. Accepted and ignored. */
        trainingMetrics?: unknown;
        /** Read-only. Accepted and ignored. */
        inputFeatures?: unknown;
        /** Read-only. Accepted and ignored. */
        featureEngineering?: unknown;
        /** Read-only. Accepted and ignored. */
        modelFormat?: unknown;
        /** Read-only. Accepted and ignored. */
        artifactBytes?: unknown;
        /** Read-only. Accepted and ignored. */
        sha256?: unknown;
        /** Read-only. Accepted and ignored. */
        trainedAt?: unknown;
        /** Read-only. Accepted and ignored. */
        trainingRows?: unknown;
        /** Read-only. Accepted and ignored. */
        folderName?: unknown;
        /** Read-only. Accepted and ignored. */
        dependentProjectCheckpoints?: unknown;
        label?: string | null;
        /** Free text. `null` clears the description. */
        description?: string | null;
        /** `true` makes this the default checkpoint. `false` on the default checkpoint changes nothing. */
        setAsDefault?: boolean | null;
      };
      response: CheckpointDetail;
    };
    /** Delete a checkpoint */
    delete: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the checkpoint. */
        checkpointId: string;
      };
      response: CheckpointAccepted;
    };
  };
  "/projects/{projectId}/checkpoints/import": {
    /** Import a checkpoint */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        fileData?: string | null;
        uploadId?: string | null;
        /** Label of the checkpoint: 2-100 characters, unique within the project. Defaults to the exported label. If that label is taken, it gets a suffix `_02`, `_03`, …. */
        label?: string | null;
        /** Free text. Defaults to the exported description. */
        description?: string | null;
        /** Whether to make this the default checkpoint. The first checkpoint of a project is always the default. */
        setAsDefault?: boolean | null;
      };
      response: CheckpointAccepted;
    };
  };
  "/projects/{projectId}/checkpoints": {
    /** List a project's checkpoints */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
        /** Additional fields to return: `usage` adds `usedByScenarios`. */
        include?: "usage";
      };
      response: (Checkpoint)[];
    };
    /** Create a checkpoint */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        /** ID of an earlier model of the project to save. Defaults to the current model. */
        modelId?: string | null;
        /** Label of the checkpoint: 2-100 characters, unique within the project. Defaults to `<ProjectName>_<YYYYMMDD>`. */
        label?: string | null;
        /** Free text. */
        description?: string | null;
        /** Whether to make this the default checkpoint. The first checkpoint of a project is always the default. */
        setAsDefault?: boolean | null;
      };
      response: CheckpointAccepted;
    };
  };
  "/projects/{projectId}/comparisons/{comparisonId}/link/end": {
    /** Stop sharing a saved comparison */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the saved comparison. */
        comparisonId: string;
      };
      response: ComparisonLink;
    };
  };
  "/projects/{projectId}/comparisons/{comparisonId}/link": {
    /** Get the link of a saved comparison */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the saved comparison. */
        comparisonId: string;
      };
      response: ComparisonLink;
    };
    /** Share a saved comparison */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the saved comparison. */
        comparisonId: string;
      };
      body: {
        /** Number of days after which the link expires. Defaults to 30. */
        expiresInDays?: number | null;
      };
      response: NewComparisonLink;
    };
  };
  "/projects/{projectId}/comparisons/{comparisonId}": {
    /** Get a saved comparison */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the saved comparison. */
        comparisonId: string;
      };
      response: SavedComparison;
    };
    /** Update a saved comparison */
    patch: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the saved comparison. */
        comparisonId: string;
      };
      body: {
        name?: string | null;
        scenarioIds?: (string)[] | null;
        /** Decision to record. Replaces a former one. `null` removes it. */
        decision?: {
          /** ID of the chosen scenario, one of the comparison. */
          scenarioId: string;
          /** Reason for the decision. */
          reason: string;
        } | null;
      };
      response: SavedComparison;
    };
    /** Delete a saved comparison */
    delete: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the saved comparison. */
        comparisonId: string;
      };
      response: SavedComparison;
    };
  };
  "/projects/{projectId}/comparisons": {
    /** List a project's saved comparisons */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (SavedComparison)[];
    };
    /** Save a comparison */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        /** Name of the comparison. */
        name: string;
        /** IDs of the scenarios to compare, in order. The first is the baseline scenario. */
        scenarioIds: (string)[];
      };
      response: SavedComparison;
    };
  };
  "/projects/{projectId}/dataset": {
    /** Get a project's dataset */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      response: Dataset;
    };
    /** Set a project's dataset */
    put: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        fileData?: string | null;
        uploadId?: string | null;
        fileName?: string | null;
        /** Name of the column that models predict. Its values must be numbers, or two classes: booleans or two texts. */
        target: string;
        /** Name of the timestamp column, or names of up to four columns to join, in any order: date and hour; or year and quarter, month or week; or year, month, day and hour. They are stored in the order named here. `null` keeps the order of the rows. */
        timestamp?: string | (string)[] | null;
        series?: (string)[] | null;
        /** Format of the times. Defaults to the only format that fits every row. If several fit, the request is rejected with each of them. */
        timestampFormat?: "iso" | "month-day-year" | "day-month-year" | "YY-MM-DD" | "month-year" | "week-year" | "month-name" | "fiscal-year" | "year" | "decimal-year" | "YYYYMM" | "YYYYWW" | "YYYYWW-US" | "YYYYQ" | "YYYYDDD" | "YYYYMMDD" | "DDMMYYYY" | "MMDDYYYY" | "YYYYMMDDHH" | "YYYYMMDDHHMI" | "YYYYMMDDHHMISS" | "YYMM" | "YYWW" | "YYMMDD" | "DDMMYY" | "MMDDYY" | "epoch-seconds" | "epoch-milliseconds" | "spreadsheet-days" | "year+month" | "year+quarter" | "year+week" | "year+week-US" | "year+day-of-year" | "year+month+day" | "year+month+day+hour" | null;
        /** Formats of other columns by name, where several fit. Times take the names of `timestampFormat`. */
        columnFormats?: Record<string, "decimal-point" | "decimal-comma" | "grouped-point" | "grouped-comma" | "magnitudes" | "duration" | "indian-grouping" | "text" | "iso" | "month-day-year" | "day-month-year" | "YY-MM-DD" | "month-year" | "week-year" | "month-name" | "fiscal-year" | "year" | "decimal-year" | "YYYYMM" | "YYYYWW" | "YYYYWW-US" | "YYYYQ" | "YYYYDDD" | "YYYYMMDD" | "DDMMYYYY" | "MMDDYYYY" | "YYYYMMDDHH" | "YYYYMMDDHHMI" | "YYYYMMDDHHMISS" | "YYMM" | "YYWW" | "YYMMDD" | "DDMMYY" | "MMDDYY" | "epoch-seconds" | "epoch-milliseconds" | "spreadsheet-days" | "year+month" | "year+quarter" | "year+week" | "year+week-US" | "year+day-of-year" | "year+month+day" | "year+month+day+hour"> | null;
        exclude?: (string)[] | null;
        confirmed?: (string)[] | null;
        /** Names of columns to read as categories. */
        categories?: (string)[] | null;
        /** Name of the sheet of an Excel workbook. Defaults to the first one that is not hidden. */
        sheet?: string | null;
        shape?: ShapeRequest | null;
        /** Line of the header. 1 is the first line, and the default. Lines above it are ignored. */
        headerRow?: number | null;
        /** Encoding of the file, such as `windows-1252` or `shift_jis`. Defaults to the one that the first mebibyte shows. A byte order mark decides. */
        encoding?: string | null;
        /** Rows to leave out, such as a total or notes: numbers of rows after the header, starting at 1. */
        skipRows?: (number)[] | null;
        /** IANA time zone of times without a zone. Defaults to UTC. */
        timezone?: string | null;
        /** Cell texts that mean a missing value, in addition to the empty cell. Exact, without surrounding white space. In columns of numbers, a number is compared by its value. */
        missing?: (string)[] | null;
        /** Formats of columns whose numbers have a currency, a percent sign, a unit, digit grouping or their own decimal mark. Parentheses mean a negative number. Scenarios and predictions of the project's checkpoints are read the same way. */
        numberFormats?: (PutNumberFormat)[] | null;
        /** Order in which dates such as 3/4/2024 are read. Defaults to the order that the rows show. */
        dateOrder?: "month-first" | "day-first" | null;
        /** Days of daily rows: `business` for Monday to Friday, `all-days` for every day. Defaults to the days that the rows show. */
        calendar?: "business" | "all-days" | null;
        /** Joins the rows of each step into one row, for irregular or repeated times. Appended rows are joined the same way. */
        resample?: Resample | null;
      };
      response: Dataset;
    };
    /** Change a dataset's settings */
    patch: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        /** Name of the column that models predict. The previous target becomes an input. */
        target?: string | null;
        series?: (string)[] | null;
        /** Names of all columns that models do not use. The list replaces the previous one. */
        exclude?: (string)[] | null;
        /** Names of all input columns that are known before the target, although a warning suspects them. The list replaces the previous one. */
        confirmed?: (string)[] | null;
      };
      response: Dataset;
    };
  };
  "/projects/{projectId}/dataset/rows": {
    /** Get rows of a dataset */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of rows to return. Defaults to 50. */
        limit?: number;
        /** Number of rows to skip. Defaults to 0. */
        offset?: number;
      };
      response: DatasetRows;
    };
    /** Append actuals to a dataset */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        fileData?: string | null;
        uploadId?: string | null;
        fileName?: string | null;
      };
      response: Dataset;
    };
    /** Correct or delete rows of a dataset */
    patch: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        /** Rows to correct. */
        set?: ({
          /** Row number, starting at 1. */
          row: number;
          /** Column → new value. Texts are read as in appended rows; numbers are taken as they are. `null` means missing. Other columns stay. */
          values: Record<string, number | string | boolean | null>;
        })[] | null;
        /** Numbers of rows to delete. */
        delete?: (number)[] | null;
        /** Version whose rows have these numbers: `versionId` of the rows that were read. Nothing is corrected if another version is current by now. */
        versionId?: string | null;
      };
      response: Dataset;
    };
  };
  "/projects/{projectId}/dataset/target": {
    /** Get the target over time */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of points of a chart. Downsampling keeps the extremes. */
        maxPoints?: number;
        /** First time to include. Needs a timestamp. */
        from?: string;
        /** Last time to include. Needs a timestamp. */
        to?: string;
        /** Calendar unit by which rows are aggregated, in the dataset's time zone. `from` and `to` extend to whole buckets. Needs a timestamp. */
        bucket?: "hour" | "day" | "week" | "month" | "quarter" | "year";
        /** Statistic of the rows of a bucket. Defaults to the statistic by which the dataset was resampled, or to `mean`. */
        aggregate?: "sum" | "mean" | "last";
        /** IDs of the series to return beside their total, at most 24. Only for a dataset of many series. */
        series?: (string)[];
      };
      response: TargetSeries;
    };
  };
  "/projects/{projectId}/dataset/versions/{versionId}/changes": {
    /** Compare versions of a dataset */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the version of the dataset. */
        versionId: string;
      };
      query?: {
        /** ID of the version to compare with. Defaults to the version before. */
        sinceId?: string;
      };
      response: DatasetChanges;
    };
  };
  "/projects/{projectId}/dataset/versions/{versionId}/restore": {
    /** Restore a version of a dataset */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the version of the dataset. */
        versionId: string;
      };
      response: Dataset;
    };
  };
  "/projects/{projectId}/dataset/versions/{versionId}": {
    /** Delete a version of a dataset */
    delete: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the version of the dataset. */
        versionId: string;
      };
      response: DatasetVersion;
    };
  };
  "/projects/{projectId}/dataset/versions": {
    /** List a dataset's versions */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (DatasetVersion)[];
    };
  };
  "/projects/{projectId}/decisions": {
    /** List a project's decisions */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      response: (DecisionOutcome)[];
    };
  };
  "/projects/{projectId}/dependencies": {
    /** Set a project's dependencies */
    put: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        /** All upstream projects. The list replaces the previous one. */
        dependencies: ({
          /** ID of the upstream project whose predictions this project uses. */
          projectId: string;
          /** Name of the input feature that holds the predictions. */
          featureName: string;
        })[];
      };
      response: Project;
    };
  };
  "/projects/{projectId}/members/{userId}": {
    /** Get a member of a project */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the user. */
        userId: string;
      };
      response: ProjectMember;
    };
    /** Change the role of a project's member */
    patch: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the user. */
        userId: string;
      };
      body: {
        /** Role in the project. `viewer` reads, compares, predicts and downloads. `analyst` also changes data, models, checkpoints and scenarios. `admin` also manages keys, members and settings. */
        role: "viewer" | "analyst" | "admin";
      };
      response: ProjectMember;
    };
    /** Remove a member from a project */
    delete: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the user. */
        userId: string;
      };
      response: ProjectMember;
    };
  };
  "/projects/{projectId}/members": {
    /** List a project's members */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (ProjectMember)[];
    };
    /** Add a member to a project */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        /** ID of the user. */
        userId: string;
        /** Role in the project. `viewer` reads, compares, predicts and downloads. `analyst` also changes data, models, checkpoints and scenarios. `admin` also manages keys, members and settings. */
        role: "viewer" | "analyst" | "admin";
      };
      response: ProjectMember;
    };
  };
  "/projects/{projectId}/models/{modelId}/changes": {
    /** Compare a model with the previous one */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the model. */
        modelId: string;
      };
      response: ModelChanges;
    };
  };
  "/projects/{projectId}/models/{modelId}": {
    /** Get a model */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the model. */
        modelId: string;
      };
      response: Model;
    };
  };
  "/projects/{projectId}/models/current": {
    /** Get a project's current model */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      response: Model;
    };
  };
  "/projects/{projectId}/models/import": {
    /** Import a model */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        fileData?: string | null;
        uploadId?: string | null;
        /** Format of the file. Defaults to `onnx`. */
        format?: "onnx" | "xgboost-json" | null;
        /** Rounds of an XGBoost model that was trained with early stopping: those up to the best iteration (the default, as scikit-learn's wrapper predicts), or all. */
        rounds?: "best" | "all" | null;
        /** Name of the model. */
        modelName: string;
        /** Name of the value that the model predicts. */
        target: string;
        /** Metric by which the model is judged. */
        targetMetric: "rmse" | "mae" | "mape" | "r2";
        /** Features, in the order of the model's inputs. Defaults to the names in the model. */
        inputs?: ({
          /** Name of the feature in requests. */
          feature: string;
          /** Name of the model's input tensor. */
          input?: string | null;
          /** Position in the input tensor, starting at 0. */
          index?: number | null;
          /** Type of the values. Defaults to `number`. */
          type?: "number" | "category" | "boolean" | "timestamp" | null;
        })[] | null;
        /** Name of the output. Defaults to the only floating-point output (a classifier's probabilities), else to the only integer output (its labels). The output of a ZipMap is also allowed and gives its probabilities. If several outputs remain, the job fails and lists them in `outputOptions`. */
        output?: string | null;
        /** Column of the output, starting at 0. For a classifier: the class whose probability is the prediction. Defaults to the second of two classes. Required for more than two classes and for several values that are not probabilities. */
        outputColumn?: number | null;
        /** CSV in base64 that includes the target. Used for metrics and prediction intervals. */
        labelledRows?: string | null;
      };
      response: JobAccepted;
    };
  };
  "/projects/{projectId}/models": {
    /** List a project's models */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (Model)[];
    };
  };
  "/projects/{projectId}/models/train": {
    /** Train a model */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        /** Algorithm to train. `auto`, the default, trains `combination` for a series without inputs, and otherwise keeps the algorithm with the best back-test result. `seasonal_naive` repeats the last season or the last value. `drift` extends the last value at half of its mean growth. `ets`, `theta`, `arima` and `stl_ets` are exponential smoothing, Theta, seasonal ARIMA, and exponential smoothing after STL; `tsb` is for demand with many zeros. `combination` is the median of their forecasts; without inputs, of the series without its seasons. All of these require a regular timestamp. With inputs, `ets` to `combination` forecast the target minus a regression on the inputs. `blend` is the weighted mean of models that use the inputs; `auto` trains it for a target of numbers with inputs. `mean` predicts the mean. */
        algorithm?: "auto" | "gradient_boosting" | "ridge" | "elastic_net" | "blend" | "seasonal_naive" | "drift" | "ets" | "theta" | "arima" | "stl_ets" | "tsb" | "combination" | "mean" | null;
        /** Task of the model. Defaults to `classification` for a target of booleans or of two texts, otherwise to `regression`. Send `classification` for a target of the numbers 0 and 1. */
        task?: "regression" | "classification" | null;
        /** Metric that decides which model is kept. For a target of numbers: `rmse`, the default, `mae`, `mape` or `r2`. With `mae` and `mape`, models of logarithms predict medians, otherwise means. For two classes: `logLoss`, the default, `brier`, `auc` or `accuracy`. */
        targetMetric?: "rmse" | "mae" | "mape" | "r2" | "logLoss" | "brier" | "auc" | "accuracy" | null;
        /** Features that the model may use in addition to the columns. */
        features?: {
          /** Lags of the target, in steps. For data with a timestamp. */
          lags?: (number)[] | null;
          /** Statistics of the target over a moving window. */
          rolling?: ({
            /** Number of steps in the window. */
            window: number;
            /** Number of steps before the predicted row at which the window ends. */
            shift: number;
            /** Statistic over the window. */
            statistic: "mean" | "min" | "max" | "std";
          })[] | null;
          /** Whether to use calendar features such as hour, weekday and month. Defaults to `true`. */
          calendar?: boolean | null;
          /** Whether the model uses the input columns. `true` excludes series methods that ignore them, so scenarios always respond to inputs. `false` forecasts from the calendar and the past of the target. By default the back-tests decide. */
          inputs?: boolean | null;
          /** Earlier values of each numeric input that `ets` to `combination` read beside the row's own, because an effect may come later or last. `{ "steps": 0 }` reads none. By default the back-tests decide. */
          inputLags?: {
            /** Number of earlier rows, one step apart each. */
            steps: number;
            /** Factor by which the weight falls with each step back, for a mean of all values up to the row. */
            decay?: number | null;
          } | null;
          /** Differences of the target over a number of steps. */
          differences?: ({
            /** Number of steps back at which the difference ends. */
            shift: number;
            /** Number of steps over which the difference is taken. */
            span: number;
          })[] | null;
          /** Ratios and differences of two inputs. */
          combinations?: ({
            /** Operation on the two columns. A ratio with a divisor of 0 is missing. */
            operation: "ratio" | "difference";
            /** Name of a numeric input column. */
            feature: string;
            /** Name of the second column: the divisor or the subtrahend. */
            other: string;
          })[] | null;
          /** Public holidays, and the days until and since a holiday. For data with a timestamp. */
          holidays?: {
            /** ISO 3166 code of the country, such as `US`. */
            country: "AD" | "AE" | "AG" | "AI" | "AL" | "AM" | "AO" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GT" | "GU" | "GW" | "GY" | "HK" | "HN" | "HR" | "HT" | "HU" | "IC" | "ID" | "IE" | "IL" | "IM" | "IN" | "IR" | "IS" | "IT" | "JE" | "JM" | "JP" | "KE" | "KM" | "KN" | "KR" | "KY" | "KZ" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MK" | "ML" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NZ" | "PA" | "PE" | "PF" | "PH" | "PK" | "PL" | "PM" | "PR" | "PT" | "PY" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SZ" | "TC" | "TD" | "TG" | "TH" | "TN" | "TO" | "TR" | "TT" | "TW" | "TZ" | "UA" | "UG" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "XK" | "YT" | "ZA" | "ZM" | "ZW";
            /** Code of a state or province, such as `WA`. Defaults to the holidays of the whole country. */
            region?: string | null;
          } | null;
          /** Replacement of missing numbers. By default, trees handle missing values themselves and linear models use the median. */
          impute?: "mean" | "median" | null;
        } | null;
        /** Validation rows, which measure the training procedure. With a timestamp, the latest rows. The model is then fitted on all rows. */
        validation?: {
          /** Share of the rows used for validation. Defaults to 0.2. */
          fraction?: number | null;
          /** Split of rows without a timestamp. `time`: the last rows of the file are validation rows. `random`: validation rows are drawn with the seed. Defaults to `time` if neighbouring rows are similar. */
          order?: "time" | "random" | null;
        } | null;
        /** Treatment of values that contradict all others of a series, and with inputs what these explain, such as a typing error or six months of closure. `ignore`, the default, treats them as missing, and the model has the warning `ignored_values`, which names them. `keep` learns from them. */
        outliers?: "ignore" | "keep" | null;
        /** Number of steps ahead to forecast. The model is chosen, validated and calibrated over this horizon. Defaults to a day of minutes, a week of hours, 28 days, 13 weeks, 12 months, 8 quarters or 4 years, limited to the validation rows. */
        horizon?: number | null;
        /** Sign of the effect that you expect, by numeric input column: a higher price lowers sales. Linear models and trees keep it, so that no scenario contradicts it. A column with a sign cannot be in `features.combinations`. */
        expectedEffects?: Record<string, "increasing" | "decreasing"> | null;
        /** Settings of the algorithms. Each setting has a default. */
        hyperparameters?: {
          /** Maximum number of trees. */
          rounds?: number | null;
          /** Maximum number of leaves per tree. */
          maxLeaves?: number | null;
          /** Learning rate: the weight of each tree. */
          learningRate?: number | null;
          /** Minimum number of rows per leaf. */
          minLeaf?: number | null;
          /** L2 penalty on the values of leaves. */
          l2?: number | null;
          /** Share of the rows that each tree is fitted on. */
          subsample?: number | null;
          /** Share of the features that each tree is fitted on. */
          colsample?: number | null;
          /** Whether to stop adding trees once they no longer help. */
          earlyStopping?: boolean | null;
          /** Loss that gradient boosting minimises. `squared`, the default, predicts the mean; `absolute` the median; `quantile` a quantile. `poisson` is the Poisson deviance, for counts and rates that are never negative. With a loss other than `squared`, `auto` trains gradient boosting only. */
          loss?: "squared" | "absolute" | "quantile" | "poisson" | null;
          /** For the loss `quantile`: share of the rows that lie below the prediction. */
          quantile?: number | null;
          /** L1 penalty: leaves with a small sum of residuals have no effect. */
          l1?: number | null;
          /** Direction of the effect, by numeric input column. With `increasing`, a larger value never lowers the prediction. With `decreasing`, a larger value never raises it. A column with a direction cannot be in `features.combinations`. If set, `auto` trains gradient boosting only. */
          monotone?: Record<string, "increasing" | "decreasing"> | null;
          /** Quantity that gradient boosting learns. `none`: the target. `difference`: the target minus the mean of the last season within its lags, which follows a trend. It requires a window with the statistic `mean` in `features.rolling`, or neither `features.lags` nor `features.rolling`. With `difference`, `auto` trains gradient boosting only. Back-tests choose by default. */
          targetTransform?: "none" | "difference" | null;
          /** Penalty of ridge and elastic net, for columns of variance 1, on the scale that scikit-learn uses. Cross-validated by default. */
          alpha?: number | null;
          /** L1 share of the elastic net penalty. Cross-validated by default. */
          l1Ratio?: number | null;
        } | null;
        /** Seed of the random numbers. The same seed on the same data gives the same model. */
        seed?: number | null;
      };
      response: JobAccepted;
    };
  };
  "/projects/{projectId}/predict": {
    /** Predict rows */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        /** Feature name → values, one per row. */
        input: Record<string, (number | string | boolean | null)[]>;
        /** ID of the checkpoint to use. Defaults to the default checkpoint, else to the current model. */
        checkpointId?: string | null;
        /** Additional data to return with the predictions. */
        include?: ("intervals" | "contributions")[] | null;
        /** Levels of additional prediction intervals: `intervals.levels`. Requires `intervals` in `include`. */
        levels?: (0.5 | 0.8 | 0.9 | 0.95)[] | null;
      };
      response: Prediction;
    };
  };
  "/projects/{projectId}": {
    /** Get a project */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      response: Project;
    };
    /** Update a project */
    patch: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        name?: string | null;
        /** Free text. `null` clears the description. */
        description?: string | null;
        /** Display names, units and decimals of columns, by column name. The object replaces the previous one. */
        display?: Record<string, PutColumnDisplay> | null;
        /** Number of completed runs that each scenario keeps. A lower number deletes runs of a scenario when its next run completes. */
        runsKept?: number | null;
        /** Access of users. Only admins of the project change it, not API keys. */
        access?: "open" | "restricted" | null;
      };
      response: Project;
    };
    /** Delete a project */
    delete: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      response: Accepted;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/actuals": {
    /** Compare a scenario with actuals */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      query?: {
        /** Maximum number of points of a chart. Downsampling keeps the extremes. */
        maxPoints?: number;
        /** First time to include. A row number, starting at 1, if the series has no times. */
        from?: string;
        /** Last time to include. A row number if the series has no times. */
        to?: string;
        /** Levels of additional prediction intervals, separated by commas, among 0.5, 0.8, 0.9, 0.95. */
        levels?: string;
        /** IDs of the series to include. Defaults to all. Only for scenarios with many series. */
        series?: (string)[];
        /** Series to include, as `column:value` of a series or level column. Values of one column are alternatives; columns restrict each other. */
        where?: (string)[];
        /** Series or level columns by which to group. Adds `groups` to a chart or a comparison; `limit` and `cursor` page through them. */
        by?: (string)[];
        /** With `by`: maximum number of groups to return, at most 200. Defaults to 50. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
        /** ID of the run to read. Defaults to the run that completed last. */
        run?: string;
        /** Reads the run that had completed last at this time. A date means its start in UTC. Not with `run`. */
        asOf?: string;
      };
      response: ScenarioActuals;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/difference": {
    /** Explain the difference between two scenarios */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      query: {
        /** Maximum number of points of a chart. Downsampling keeps the extremes. */
        maxPoints?: number;
        /** First time to include. A row number, starting at 1, if the series has no times. */
        from?: string;
        /** Last time to include. A row number if the series has no times. */
        to?: string;
        /** ID of the baseline scenario, or `<scenario ID>@<run ID>` for one of its runs, even of the same scenario. */
        baselineId: string;
        /** ID of the run to read. Defaults to the run that completed last. */
        run?: string;
        /** IDs of the series to include. Defaults to all. Only for scenarios with many series. */
        series?: (string)[];
        /** Series to include, as `column:value` of a series or level column. Values of one column are alternatives; columns restrict each other. */
        where?: (string)[];
        /** Series or level columns by which to group. Adds `groups` to a chart or a comparison; `limit` and `cursor` page through them. */
        by?: (string)[];
        /** With `by`: maximum number of groups to return, at most 1,000. Defaults to 50. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: Difference;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/extrapolation": {
    /** Get a scenario's extrapolation */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      response: Extrapolation;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/generated-inputs": {
    /** Get a scenario's generated inputs */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      response: GeneratedInputs;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/goal-seek": {
    /** Seek a goal of a scenario */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      body: {
        /** Levers, at most 6. */
        levers: (Lever)[];
        /** Condition to reach, or to come closest to. */
        goal: GoalCondition;
        /** Conditions that the result must meet, at most 5. */
        constraints?: (GoalCondition)[] | null;
        /** First time of the span. Only for scenarios with times. */
        from?: string | null;
        /** Last time of the span, inclusive. */
        to?: string | null;
        /** IDs of the series to include, at most 200. Defaults to all. Only for scenarios with many series. */
        series?: (string)[] | null;
        /** Series to include, as `column:value` of a series or level column. Values of one column are alternatives; columns restrict each other. */
        where?: (string)[] | null;
      };
      response: GoalSeekResult;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/live-model": {
    /** Get the live model of a scenario */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      response: LiveModel;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/outlook": {
    /** Add up actuals to date and the forecast of the rest */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      query?: {
        /** First time to include. A row number, starting at 1, if the series has no times. */
        from?: string;
        /** Last time to include. A row number if the series has no times. */
        to?: string;
        /** IDs of the series to include. Defaults to all. Only for scenarios with many series. */
        series?: (string)[];
        /** Series to include, as `column:value` of a series or level column. Values of one column are alternatives; columns restrict each other. */
        where?: (string)[];
        /** ID of the run to read. Defaults to the run that completed last. */
        run?: string;
        /** Reads the run that had completed last at this time. A date means its start in UTC. Not with `run`. */
        asOf?: string;
        /** Calendar unit to add up, in the dataset's time zone. `from` and `to` extend to whole periods, and default to the span of the scenario. */
        period?: "month" | "quarter" | "year";
      };
      response: (OutlookPeriod)[];
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/overrides/{overrideId}": {
    /** Get an override */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
        /** ID of the override. */
        overrideId: string;
      };
      response: ScenarioOverride;
    };
    /** End an override */
    delete: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
        /** ID of the override. */
        overrideId: string;
      };
      response: ScenarioOverride;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/overrides": {
    /** List a scenario's overrides */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (ScenarioOverride)[];
    };
    /** Override predictions */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      body: {
        /** First time of the span. */
        from: string;
        /** Last time of the span, inclusive. */
        to: string;
        /** `set` replaces the predictions of the span, which then have no interval. `add` and `multiply` move the predictions and their intervals. */
        operation: "set" | "add" | "multiply";
        /** The new value, the number to add, or the factor, which must not be negative. */
        value: number;
        /** Reason for the override. */
        reason: string;
        /** Conditions on series and level columns that a row must all meet, with the operators `=` and `!=`. Only for scenarios of many series. */
        where?: ({
          /** Name of the input feature to compare. */
          feature: string;
          /** Comparison operator. */
          operator: "=" | "!=" | "<" | "<=" | ">" | ">=";
          /** Value to compare with. */
          value: number | string | boolean;
        })[] | null;
      };
      response: ScenarioOverride;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/predictions/contributions": {
    /** Get feature contributions */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      query: {
        /** Row numbers, starting at 1 and separated by commas. At most 100. */
        rows: string;
        /** ID of the run to read. Defaults to the run that completed last. */
        run?: string;
        /** Reads the run that had completed last at this time. A date means its start in UTC. Not with `run`. */
        asOf?: string;
      };
      response: Contributions;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/predictions": {
    /** Get a scenario's predictions */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      query?: {
        /** Maximum number of rows to return. With `by`: of groups, at most 1,000. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
        /** Maximum number of points of a chart. Downsampling keeps the extremes. */
        maxPoints?: number;
        /** First time to include. A row number, starting at 1, if the series has no times. */
        from?: string;
        /** Last time to include. A row number if the series has no times. */
        to?: string;
        /** Levels of additional prediction intervals, separated by commas, among 0.5, 0.8, 0.9, 0.95. */
        levels?: string;
        /** Calendar unit by which rows are aggregated, in the dataset's time zone. Weeks begin on Monday. `auto`: no aggregation for at most half of `maxPoints` (default 1,000) rows, otherwise the shortest unit with at most that many buckets. `from` and `to` extend to whole buckets. */
        bucket?: "auto" | "hour" | "day" | "week" | "month" | "quarter" | "year";
        /** Statistic of the rows of a bucket. Defaults to the statistic by which the dataset was resampled, or to `mean`. */
        aggregate?: "sum" | "mean" | "last";
        /** IDs of the series to include. Defaults to all. Only for scenarios with many series. */
        series?: (string)[];
        /** Series to include, as `column:value` of a series or level column. Values of one column are alternatives; columns restrict each other. */
        where?: (string)[];
        /** Series or level columns by which to group. Adds `groups` to a chart or a comparison; `limit` and `cursor` page through them. */
        by?: (string)[];
        /** How the chosen series, and those of each group, are combined at each time. Defaults to `sum`. Lists and downloads of rows stay as they are. Only for scenarios with many series. */
        combine?: "sum" | "mean";
        /** Numeric input column by which `combine=mean` weighs series. Rows without a weight above zero do not count. Defaults to equal weights. */
        weight?: string;
        /** ID of the run to read. Defaults to the run that completed last. */
        run?: string;
        /** Reads the run that had completed last at this time. A date means its start in UTC. Not with `run`. */
        asOf?: string;
      };
      response: (PredictionRow)[] | PredictionChart;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/preview": {
    /** Preview a scenario with adjustments */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      body: {
        /** Changes to the scenario's input, in order. Can be empty. */
        adjustments: (Adjustment)[];
        /** Maximum number of points. Downsampling keeps the extremes. */
        maxPoints?: number | null;
        /** Levels of additional prediction intervals. */
        levels?: (0.5 | 0.8 | 0.9 | 0.95)[] | null;
        /** Calendar unit by which rows are aggregated, as in the chart of the predictions. */
        bucket?: "auto" | "hour" | "day" | "week" | "month" | "quarter" | "year" | null;
        /** Statistic of the rows of a bucket. */
        aggregate?: "sum" | "mean" | "last" | null;
        /** Whether to return `explanation`. Several changed inputs take longer. Defaults to `false`. */
        explain?: boolean | null;
        /** IDs of the series to include, at most 200. Defaults to all. Only for scenarios with many series. */
        series?: (string)[] | null;
        /** Series to include, as `column:value` of a series or level column. Values of one column are alternatives; columns restrict each other. */
        where?: (string)[] | null;
      };
      response: ScenarioPreview;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}": {
    /** Get a scenario */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      query?: {
        /** ID of the run to read. Defaults to the run that completed last. */
        run?: string;
        /** Reads the run that had completed last at this time. A date means its start in UTC. Not with `run`. */
        asOf?: string;
      };
      response: Scenario;
    };
    /** Update a scenario */
    patch: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      body: {
        title?: string | null;
        /** Free text. `null` clears the description. */
        description?: string | null;
        /** Notes. `null` clears the notes. */
        notes?: string | null;
        /** Tags, in place of the existing tags. An empty list removes all tags. */
        tags?: (string)[] | null;
        color?: string | null;
        /** `true` archives the scenario, `false` restores it. */
        archived?: boolean | null;
      };
      response: Scenario;
    };
    /** Delete a scenario */
    delete: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      response: Accepted;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/rows": {
    /** Get a scenario's rows */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      query?: {
        /** Maximum number of rows to return. Defaults to 50. */
        limit?: number;
        /** Number of rows to skip. Defaults to 0. */
        offset?: number;
        /** Levels of additional prediction intervals, separated by commas, among 0.5, 0.8, 0.9, 0.95. */
        levels?: string;
        /** ID of the run to read. Defaults to the run that completed last. */
        run?: string;
        /** Reads the run that had completed last at this time. A date means its start in UTC. Not with `run`. */
        asOf?: string;
        /** IDs of the series to include. Defaults to all. Only for scenarios with many series. */
        series?: (string)[];
        /** Series to include, as `column:value` of a series or level column. Values of one column are alternatives; columns restrict each other. */
        where?: (string)[];
      };
      response: ScenarioRows;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/runs": {
    /** List a scenario's runs */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (ScenarioRun)[];
    };
    /** Run a scenario again */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      body: {
        /** ID of the checkpoint to use, or `current` for the current model: its newest checkpoint, or a new one. Defaults to the checkpoint of the newest run. */
        checkpointId?: string | "current" | null;
        /** Upstream project ID → ID of its checkpoint, or `null` to save its current model as a new checkpoint. Defaults to the checkpoints of the newest run. */
        dependentProjectCheckpoints?: Record<string, string | null> | null;
      };
      response: RunAccepted;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/sensitivity": {
    /** Get the sensitivity of a scenario */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      query?: {
        /** Change of each numeric input. `percent`: 10% less and 10% more. `deviation`: one standard deviation of the training data less and more. `range`: its minimum and its maximum in the training data. Booleans, categories, and numbers that are only 0 and 1 are set to each known value. */
        change?: "percent" | "deviation" | "range";
        /** Input features to change. Can be repeated. Defaults to the first 100 inputs. */
        feature?: (string)[];
        /** Whether to return response curves and densities of the features. */
        curves?: "true" | "false";
        /** First time of the span. Only for scenarios with times. */
        from?: string;
        /** Last time of the span, inclusive. */
        to?: string;
        /** IDs of the series to include. Defaults to all. Only for scenarios with many series. */
        series?: (string)[];
        /** Series to include, as `column:value` of a series or level column. Values of one column are alternatives; columns restrict each other. */
        where?: (string)[];
      };
      response: Sensitivity;
    };
  };
  "/projects/{projectId}/scenarios/{scenarioId}/stability": {
    /** Get the stability of a scenario's forecast */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the scenario. */
        scenarioId: string;
      };
      response: Stability;
    };
  };
  "/projects/{projectId}/scenarios/compare": {
    /** Compare scenarios */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query: {
        /** 2 to 20 scenarios, separated by commas: the ID of a scenario, or `<scenario ID>@<run ID>` for one of its runs. Several runs of a scenario can be compared. */
        ids: string;
        /** Baseline scenario, one of `ids` as written there. Defaults to the first. */
        baselineId?: string;
        /** Maximum number of points of a chart. Downsampling keeps the extremes. */
        maxPoints?: number;
        /** First time to include. A row number, starting at 1, if the series has no times. */
        from?: string;
        /** Last time to include. A row number if the series has no times. */
        to?: string;
        /** Levels of additional prediction intervals, separated by commas, among 0.5, 0.8, 0.9, 0.95. */
        levels?: string;
        /** Calendar unit by which rows are aggregated, in the dataset's time zone. Weeks begin on Monday. `auto`: no aggregation for at most half of `maxPoints` (default 1,000) rows, otherwise the shortest unit with at most that many buckets. `from` and `to` extend to whole buckets. */
        bucket?: "auto" | "hour" | "day" | "week" | "month" | "quarter" | "year";
        /** Statistic of the rows of a bucket. Defaults to the statistic by which the dataset was resampled, or to `mean`. */
        aggregate?: "sum" | "mean" | "last";
        /** Number of consecutive points per page, for a table. Replaces downsampling. With `by`: maximum number of groups. */
        limit?: number;
        /** Number of points to skip, with `limit`. Defaults to 0. Has no effect with `by`. */
        offset?: number;
        /** Cursor of the next page of groups, from the `Link` header of the previous page. */
        cursor?: string;
        /** IDs of the series to include. Defaults to all. Only for scenarios with many series. */
        series?: (string)[];
        /** Series to include, as `column:value` of a series or level column. Values of one column are alternatives; columns restrict each other. */
        where?: (string)[];
        /** Series or level columns by which to group. Adds `groups` to a chart or a comparison; `limit` and `cursor` page through them. */
        by?: (string)[];
        /** How the chosen series, and those of each group, are combined at each time. Defaults to `sum`. Lists and downloads of rows stay as they are. Only for scenarios with many series. */
        combine?: "sum" | "mean";
        /** Numeric input column by which `combine=mean` weighs series. Rows without a weight above zero do not count. Defaults to equal weights. */
        weight?: string;
        /** ID of a run of one of the scenarios, which is compared instead of the run that completed last. */
        run?: string;
        /** Compares the runs that had completed last at this time. A date means its start in UTC. Not with `run`. */
        asOf?: string;
      };
      response: Comparison;
    };
  };
  "/projects/{projectId}/scenarios/extrapolation": {
    /** Get the extrapolation of several scenarios */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query: {
        /** IDs of the scenarios, separated by commas. At most 20. */
        ids: string;
      };
      response: Extrapolations;
    };
  };
  "/projects/{projectId}/scenarios/filters": {
    /** Get the filters of a project's scenarios */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      response: ScenarioFilters;
    };
  };
  "/projects/{projectId}/scenarios": {
    /** List a project's scenarios */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
        /** Returns only scenarios that contain every word of this text, in any case, in the title, description, notes, tags or file name. */
        search?: string;
        /** Returns only scenarios with this status. Can be repeated. */
        status?: ("Pending" | "Running" | "Completed" | "Failed" | "Cancelled")[];
        /** Returns only scenarios with this source of input. Can be repeated. */
        source?: ("Upload" | "Generated" | "Clone")[];
        /** Returns only scenarios that this checkpoint predicts, not those that use it as an upstream checkpoint. Can be repeated. */
        checkpointId?: (string)[];
        /** Returns only scenarios with this tag. If repeated, with all of these tags. */
        tag?: (string)[];
        /** Returns only scenarios that this user created. Can be repeated. */
        createdBy?: (string)[];
        /** `true` returns only archived scenarios, `false` only others. By default, returns both. */
        archived?: "true" | "false";
        /** Value to sort by: time of creation (default), title, number of rows, or mean prediction. Scenarios without the value come last. */
        sort?: "createdAt" | "title" | "rowCount" | "mean";
        /** Ascending or descending order. Defaults to `asc` for titles, else to `desc`. */
        order?: "asc" | "desc";
      };
      response: (Scenario)[];
    };
    /** Create a scenario */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        /** Title of the scenario. */
        title: string;
        /** Free text. */
        description?: string | null;
        /** Notes, on any number of lines. */
        notes?: string | null;
        tags?: (string)[] | null;
        /** Hex colour, `#rgb` or `#rrggbb`. Defaults to `#3498db`. */
        color?: string | null;
        /** ID of the checkpoint to use. If omitted, the current model is saved as a new checkpoint. */
        checkpointId?: string | null;
        /** Label of the new checkpoint. Defaults to `<ProjectName>_<YYYYMMDD>`. Used only if `checkpointId` is omitted. */
        checkpointLabel?: string | null;
        /** Input as a CSV file in base64. */
        fileData?: string | null;
        /** ID of an upload, in place of `fileData`. */
        uploadId?: string | null;
        fileName?: string | null;
        /** Last time of generated input, inclusive. A date without a time means that day's row, or the start of the day in UTC for hourly and finer data. Defaults to the horizon that the model was validated on. Used only for generated input. */
        endDate?: string | null;
        /** ID of the scenario whose input to start from. */
        baseScenarioId?: string | null;
        /** Changes to the base scenario's input, in order. */
        adjustments?: (Adjustment)[] | null;
        /** Upstream project ID → ID of its checkpoint, or `null` to save its current model as a new checkpoint. */
        dependentProjectCheckpoints?: Record<string, string | null> | null;
      };
      response: ScenarioAccepted;
    };
  };
  "/projects/{projectId}/scenarios/template": {
    /** Download a template */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** ID of the checkpoint that the scenario will use. Defaults to the current model. */
        checkpointId?: string;
      };
      response: unknown;
    };
  };
  "/projects/{projectId}/scenarios/validate": {
    /** Validate a scenario's input */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        title?: string | null;
        /** Free text. */
        description?: string | null;
        /** Notes, on any number of lines. */
        notes?: string | null;
        tags?: (string)[] | null;
        /** Hex colour, `#rgb` or `#rrggbb`. Defaults to `#3498db`. */
        color?: string | null;
        /** ID of the checkpoint to validate against. Defaults to the current model. */
        checkpointId?: string | null;
        /** Label of the new checkpoint. Defaults to `<ProjectName>_<YYYYMMDD>`. Used only if `checkpointId` is omitted. */
        checkpointLabel?: string | null;
        /** Input as a CSV file in base64. */
        fileData?: string | null;
        /** ID of an upload, in place of `fileData`. */
        uploadId?: string | null;
        fileName?: string | null;
        /** Last time of generated input, inclusive. A date without a time means that day's row, or the start of the day in UTC for hourly and finer data. Defaults to the horizon that the model was validated on. Used only for generated input. */
        endDate?: string | null;
        /** ID of the scenario whose input to start from. */
        baseScenarioId?: string | null;
        /** Changes to the base scenario's input, in order. */
        adjustments?: (Adjustment)[] | null;
        /** Upstream project ID → ID of its checkpoint, or `null` for its current model. Defaults to the serving models of the upstream projects. */
        dependentProjectCheckpoints?: Record<string, string | null> | null;
      };
      response: ScenarioValidation;
    };
  };
  "/projects/{projectId}/series": {
    /** List a dataset's series */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
        /** Returns only series whose values contain every word of this text, in any case. */
        search?: string;
        /** Value to sort by: name (default), number of rows, first or last time, number of gaps, or one of `metrics`. Names that are numbers are sorted by size. Series without the metric come last. */
        sort?: "name" | "rowCount" | "firstTimestamp" | "lastTimestamp" | "gaps" | "actual" | "mase" | "wape" | "bias";
        /** Ascending or descending order. Defaults to `asc` for names and first times, else to `desc`. */
        order?: "asc" | "desc";
      };
      response: (ListedSeries)[];
    };
  };
  "/projects/{projectId}/space": {
    /** Get a project's space */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      response: ProjectSpace;
    };
  };
  "/projects/{projectId}/track-record": {
    /** Get a project's track record */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of points of a chart. Downsampling keeps the extremes. */
        maxPoints?: number;
        /** ID of a scenario: only its runs are compared. Defaults to all scenarios of the project. */
        scenarioId?: string;
      };
      response: TrackRecord;
    };
  };
  "/projects/{projectId}/uploads/{uploadId}": {
    /** Delete an upload */
    delete: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the upload. */
        uploadId: string;
      };
      response: ListedUpload;
    };
  };
  "/projects/{projectId}/uploads": {
    /** List open uploads */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (ListedUpload)[];
    };
    /** Upload a file */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: Blob | Uint8Array<ArrayBuffer> | string;
      response: Upload;
    };
  };
  "/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/resend": {
    /** Send a delivery again */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the webhook. */
        webhookId: string;
        /** ID of the delivery. */
        deliveryId: string;
      };
      response: Delivery;
    };
  };
  "/projects/{projectId}/webhooks/{webhookId}/deliveries": {
    /** List a webhook's deliveries */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the webhook. */
        webhookId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (Delivery)[];
    };
  };
  "/projects/{projectId}/webhooks/{webhookId}/rotate": {
    /** Rotate the secret of a webhook */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the webhook. */
        webhookId: string;
      };
      body: {
        /** Time in seconds for which deliveries carry signatures by both secrets. */
        overlapSeconds: number;
      };
      response: WebhookWithSecret;
    };
  };
  "/projects/{projectId}/webhooks/{webhookId}": {
    /** Get a webhook */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the webhook. */
        webhookId: string;
      };
      response: Webhook;
    };
    /** Update a webhook */
    patch: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the webhook. */
        webhookId: string;
      };
      body: {
        url?: string | null;
        events?: ("checkpoint-created" | "checkpoint-failed" | "checkpoint-deleted" | "job-updated" | "scenario-completed" | "scenario-failed" | "model-trained" | "default-changed" | "checkpoint-updated" | "scenario-updated" | "scenario-deleted" | "project-updated" | "dataset-changed")[] | null;
        format?: "standard" | "slack" | "teams" | null;
        /** Whether events are sent. */
        enabled?: boolean | null;
      };
      response: Webhook;
    };
    /** Delete a webhook */
    delete: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the webhook. */
        webhookId: string;
      };
      response: Webhook;
    };
  };
  "/projects/{projectId}/webhooks/{webhookId}/test": {
    /** Send a test event */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
        /** ID of the webhook. */
        webhookId: string;
      };
      response: Delivery;
    };
  };
  "/projects/{projectId}/webhooks": {
    /** List a project's webhooks */
    get: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (Webhook)[];
    };
    /** Create a webhook */
    post: {
      path: {
        /** ID of the project. */
        projectId: string;
      };
      body: {
        /** Address that receives the events, over http or https, in a public network. */
        url: string;
        /** Names of the events to send. `job-updated` is sent when a job's status changes, not its progress. */
        events: ("checkpoint-created" | "checkpoint-failed" | "checkpoint-deleted" | "job-updated" | "scenario-completed" | "scenario-failed" | "model-trained" | "default-changed" | "checkpoint-updated" | "scenario-updated" | "scenario-deleted" | "project-updated" | "dataset-changed")[];
        /** Format of the body. `standard`: the event as JSON, by Standard Webhooks. `slack` and `teams`: a short message for an incoming webhook of Slack, or of a workflow of Microsoft Teams. Default: `standard`. */
        format?: "standard" | "slack" | "teams" | null;
      };
      response: WebhookWithSecret;
    };
  };
  "/projects": {
    /** List projects */
    get: {
      query?: {
        /** Maximum number of items to return. */
        limit?: number;
        /** Cursor of the next page, from the `Link` header of the previous page. */
        cursor?: string;
      };
      response: (ProjectOverview)[];
    };
    /** Create a project */
    post: {
      body: {
        /** Name of the project. Names need not be unique. */
        name: string;
        /** Free text. */
        description?: string | null;
      };
      response: Project;
    };
  };
  "/realtime/auth": {
    /** Authorise a channel subscription */
    post: {
      body: {
        /** Socket ID of the connection, as the channel server sent it. */
        socket_id: string;
        /** Name of the project's channel. */
        channel_name: string;
      };
      response: unknown;
    };
  };
  "/realtime": {
    /** Get the real-time connection */
    get: {
      query?: {
        /** ID of the project. Required for a session. A key uses its own project. */
        projectId?: string;
      };
      response: RealtimeConnection;
    };
  };
  "/setup": {
    /** Create the first admin */
    post: {
      body: {
        /** Name of the member. */
        name: string;
        /** Email address with which the admin signs in. */
        email: string;
        /** Password of at least 10 characters. */
        password: string;
      };
      response: Member;
    };
  };
  "/shared-comparison": {
    /** Open a shared comparison */
    post: {
      body: {
        /** Part of the link after `#`. */
        token: string;
      };
      response: SharedComparison;
    };
  };
}

export type ShapeRequest = {
  /** Times as columns, which are turned into rows. */
  kind: "wide";
  /** Names of the columns that are times. Files that are read later may have other ones. */
  times: (string)[];
  /** Name of the column that the values become. Default `value`. */
  valueName?: string | null;
};

export type PutNumberFormat = {
  /** Name of the column. */
  column: string;
  /** Currency, percent sign or unit before or after the numbers, which is removed: `5%` is read as 5. Cells without it are read too. */
  unit?: string | null;
  /** Decimal mark. Defaults to `.`, or to `,` if `groupMark` is `.`. */
  decimalMark?: "." | "," | null;
  /** Mark between groups of three digits. A blank stands for every kind of space. */
  groupMark?: "." | "," | " " | "'" | null;
};

export type Resample = {
  /** Interval between the resulting rows, as an ISO 8601 duration. */
  frequency: string;
  /** Statistic of the target's values in each step. Other numbers take the mean, or with `last` the last value. Categories, booleans and dates take the last value. */
  statistic: "sum" | "mean" | "last";
};

export type PutColumnDisplay = {
  /** Name that the dashboard shows in place of the column's name. */
  displayName?: string | null;
  /** Unit of the values. An empty text shows none, even if the dashboard proposes one. */
  unit?: string | null;
  /** Number of decimals that the dashboard shows. Values stay unrounded. */
  decimals?: number | null;
};

export type Lever = {
  /** Name of the numeric input to change. */
  feature: string;
  /** Operation on the feature's values. */
  operation: "add" | "multiply" | "set";
  /** Smallest operand. */
  min: number;
  /** Largest operand. */
  max: number;
  /** Distance between operands: `min`, `min + step`, … up to `max`. */
  step: number;
};

export type GoalCondition = {
  /** Statistic over the span. `max` with `atMost` limits every row. */
  statistic: "sum" | "mean" | "min" | "max";
  /** Prediction, or a bound of its 90% prediction interval. Defaults to `prediction`. */
  of?: "prediction" | "lower" | "upper" | null;
  /** Relation to `value`. */
  relation: "equal" | "atMost" | "atLeast";
  /** Value to reach. */
  value: number;
};

export type Adjustment = {
  /** Name of the input feature to change. */
  feature: string;
  /** Operation on the feature's values. */
  operation: "add" | "multiply" | "set";
  /** Operand: the number to add, the factor, or the new value. */
  value: number | string | boolean;
  /** First time to change. */
  from?: string | null;
  /** Last time to change, inclusive. */
  to?: string | null;
  /** Conditions that a row must all meet to be changed. */
  where?: ({
    /** Name of the input feature to compare. */
    feature: string;
    /** Comparison operator. */
    operator: "=" | "!=" | "<" | "<=" | ">" | ">=";
    /** Value to compare with. */
    value: number | string | boolean;
  })[] | null;
};

export type EventPayload = {
  /** Unique identifier of the event. A duplicate has the same ID. */
  eventId: string;
  /** ID of the project whose channel carries the event. */
  projectId: string;
  /** ID of the checkpoint, scenario, model, dataset version, project or job that the event is about. */
  entityId: string;
  /** ID of the job that caused the event. `null` if a request caused it. */
  jobId: string | null;
  /** Status of that job. `null` without a job. */
  status: string | null;
  /** Label of the entity. For a job, its type. */
  label: string | null;
  /** Time of the event. */
  occurredAt: string;
};

export type ErrorDetail = {
  /** Path of the field in the body or the query, with dots: `adjustments.0.value`. */
  field?: string;
  /** Row number, starting at 1 and excluding the header. */
  row?: number | null;
  /** Column of the CSV or of the prediction input. */
  column?: string | null;
  /** Invalid value, shortened. */
  value?: string | null;
  /** Expected value or type. */
  expected?: string;
  /** Nearest existing name, for an unknown name. */
  nearest?: string;
  /** ID of the project, checkpoint, scenario or job that the issue is about. */
  id?: string;
  /** ID of the project that `id` belongs to, if it may be another project. */
  projectId?: string;
  /** Machine-readable code of this issue, more specific than the error's code. */
  code?: string;
  /** Human-readable message. */
  message: string;
  /** Ways to read the file that remove the issue. */
  choices?: (Choice)[];
};

export type Choice = {
  /** The choice in a few words, such as `Day first`. */
  label: string;
  /** Options of the request that choose this reading. Lists and records are added to those that the request already has. */
  options: Record<string, unknown>;
  /** Cells of the file, as this choice reads them. */
  cells: ({
    /** Row of the cell, starting at 1. */
    row: number | null;
    /** Cell as written, shortened. */
    text: string;
    /** Value that this choice reads. */
    reading: string;
  })[];
};

export type AuditEntry = {
  /** Unique identifier of the audit entry. */
  id: string;
  /** Time of the action. */
  at: string;
  /** ID of the project. `null` for actions on members. */
  projectId: string | null;
  /** Name of the project. `null` for actions on members and for deleted projects. */
  projectName: string | null;
  /** ID of the user who performed the action. */
  actorId: string;
  /** Name of the user who performed the action. `null` for a former member. */
  actorName: string | null;
  /** ID of the API key that was used. `null` for a session. */
  apiKeyId: string | null;
  /** Action that was performed. */
  action: string;
  /** Type of the entity that the action affected. */
  entityType: "project" | "dataset" | "upload" | "model" | "checkpoint" | "scenario" | "comparison" | "job" | "api-key" | "webhook" | "member";
  /** ID of the entity that the action affected. */
  entityId: string;
  /** Label of the entity at the time of the action. */
  label: string | null;
  /** `X-Request-Id` of the request that performed or started the action. */
  requestId: string | null;
  /** Changed fields, at most 50. `null` for actions that change no fields, and for entries of earlier versions. */
  changes: (AuditChange)[] | null;
};

export type AuditChange = {
  /** Name of the changed field. Fields within it follow after dots, such as `display.demand.unit`. */
  field: string;
  /** Value before the change. `null` if there was none, and for secrets. Lists are joined by commas. Long texts are shortened to the part that differs. */
  from: string | number | boolean | null;
  /** Value after the change, in the same form. */
  to: string | number | boolean | null;
};

export type Job = {
  /** Unique identifier of the job. */
  id: string;
  /** ID of the owning project. */
  projectId: string;
  /** Type of the job. */
  type: "CreateScenario" | "CreateCheckpoint" | "DeleteCheckpoint" | "TrainModel" | "ImportModel" | "DeleteScenario" | "DeleteProject";
  /** Status of the job. `Completed`, `Failed` and `Cancelled` are terminal states and never change. */
  status: "Pending" | "Running" | "Completed" | "Failed" | "Cancelled";
  /** Progress in percent. */
  progress: number;
  /** Current stage, in a word or two. */
  stage: string | null;
  /** Human-readable description of the current stage. */
  message: string | null;
  /** Row counts. `null` if the job does not process rows. */
  rows: {
    /** Total number of rows. */
    total: number;
    /** Number of rows processed. */
    processed: number;
  } | null;
  /** ID of the scenario that the job is about. */
  scenarioId: string | null;
  /** ID of the checkpoint that the job is about. */
  checkpointId: string | null;
  /** ID of the model that the job created. */
  modelId: string | null;
  /** Error that ended the job. `null` unless `status` is `Failed`. */
  error: {
    /** Error code of the API, or a code that only jobs have, such as `model_invalid`. */
    code: string;
    /** Human-readable message. */
    message: string;
  } | null;
  /** Outputs of an imported model that can be the prediction. Present if the import failed because several remain, or if it predicts labels of a classifier that also has probabilities. */
  outputOptions: ({
    /** Name of the output, for `output` of the import. */
    output: string;
    /** Column, for `outputColumn` of the import. `null` if the output has one column. */
    outputColumn: number | null;
    /** Class whose probability the column holds. `null` if unknown. */
    label: string | null;
    /** Type of the output's values, such as `float32`. */
    elementType: string;
    /** Sizes of the output. The first is the number of rows; open sizes have a name or `?`. */
    shape: (number | string)[];
  })[] | null;
  /** Number of attempts. Greater than 1 if an earlier attempt failed or was interrupted. */
  attempt: number;
  /** ID of the job that this job retries. */
  retryOf: string | null;
  /** User identifier of the creator. */
  createdBy: string;
  /** Time at which the job was enqueued. */
  createdAt: string;
  /** Time at which the first attempt started. */
  startedAt: string | null;
  /** Time at which the job reached its terminal state. */
  finishedAt: string | null;
};

export type JobMail = {
  /** Whether the caller gets a mail when the job has ended. */
  whenEnded: boolean;
};

export type JobAccepted = {
  /** ID of the background job. */
  jobId: string;
  /** Status of the job: `Pending` at creation. */
  status: "Pending" | "Running" | "Completed" | "Failed" | "Cancelled";
};

export type EndedSessions = {
  /** Number of sessions that ended. */
  endedSessions: number;
};

export type Me = {
  /** Kind of credentials that the caller used. */
  kind: "session" | "api-key";
  /** ID of the user. For an API key: the user who created the key. */
  userId: string;
  /** Name of the user. `null` for an API key. */
  name: string | null;
  /** Email address of the user. `null` for an API key. */
  email: string | null;
  /** Role of the user. `null` for an API key. */
  role: "admin" | "analyst" | null;
  /** ID of the API key. `null` for a session. */
  apiKeyId: string | null;
  /** ID of the key's project. `null` for a session. */
  projectId: string | null;
};

export type OwnSession = {
  /** Unique identifier of the session. */
  id: string;
  /** Whether this session sent the request. */
  isCurrent: boolean;
  /** Header `User-Agent` of the sign-in. `null` if it had none. */
  userAgent: string | null;
  /** Network address of the last recorded use. `null` if it is unknown. */
  address: string | null;
  /** Time of the sign-in. */
  createdAt: string;
  /** Time of the last use, recorded every five minutes. */
  lastUsedAt: string;
  /** Time at which the session expires. */
  expiresAt: string;
};

export type Member = {
  /** User identifier. */
  id: string;
  /** Name of the member. */
  name: string;
  /** Email address with which the member signs in. `null` for callers who are not admins. */
  email: string | null;
  /** Role of the member. `admin` permits everything. `analyst` permits data, models, checkpoints, scenarios and jobs. */
  role: "admin" | "analyst";
  /** Time at which the member was disabled. `null` if the member can sign in. */
  disabledAt: string | null;
  /** Time of creation. */
  createdAt: string;
};

export type ListedMember = {
  /** User identifier. */
  id: string;
  /** Name of the member. */
  name: string;
  /** Email address with which the member signs in. `null` for callers who are not admins. */
  email: string | null;
  /** Role of the member. `admin` permits everything. `analyst` permits data, models, checkpoints, scenarios and jobs. */
  role: "admin" | "analyst";
  /** Time at which the member was disabled. `null` if the member can sign in. */
  disabledAt: string | null;
  /** Time of creation. */
  createdAt: string;
  /** Number of valid API keys that the member created, over all projects. `null` for callers who are not admins. */
  activeApiKeys: number | null;
};

export type CreatedApiKey = {
  /** Unique identifier of the API key. */
  id: string;
  /** Name of the program that uses the key. */
  name: string;
  /** First 8 characters of the key. */
  prefix: string;
  /** Time of creation. */
  createdAt: string;
  /** ID of the user who created the key. Requests with the key act on behalf of this user. */
  createdBy: string;
  /** Time of the last request with the key, to the minute. `null` if the key was never used. */
  lastUsedAt: string | null;
  /** Time at which the key expires. `null` if the key does not expire. */
  expiresAt: string | null;
  /** Calls that the key permits. `read` permits GET requests, `predict` permits calls that compute and store nothing, such as `POST …/predict`, and `write` permits all other calls. */
  scopes: ("read" | "predict" | "write")[];
  /** Addresses and networks from which the key may be used. `null` if all are permitted. */
  allowedAddresses: (string)[] | null;
  /** Time at which the key was revoked. `null` if the key is not revoked. */
  revokedAt: string | null;
  /** The API key itself. The service returns it only once. */
  key: string;
};

export type ApiKey = {
  /** Unique identifier of the API key. */
  id: string;
  /** Name of the program that uses the key. */
  name: string;
  /** First 8 characters of the key. */
  prefix: string;
  /** Time of creation. */
  createdAt: string;
  /** ID of the user who created the key. Requests with the key act on behalf of this user. */
  createdBy: string;
  /** Time of the last request with the key, to the minute. `null` if the key was never used. */
  lastUsedAt: string | null;
  /** Time at which the key expires. `null` if the key does not expire. */
  expiresAt: string | null;
  /** Calls that the key permits. `read` permits GET requests, `predict` permits calls that compute and store nothing, such as `POST …/predict`, and `write` permits all other calls. */
  scopes: ("read" | "predict" | "write")[];
  /** Addresses and networks from which the key may be used. `null` if all are permitted. */
  allowedAddresses: (string)[] | null;
  /** Time at which the key was revoked. `null` if the key is not revoked. */
  revokedAt: string | null;
};

export type ListedApiKey = {
  /** Unique identifier of the API key. */
  id: string;
  /** Name of the program that uses the key. */
  name: string;
  /** First 8 characters of the key. */
  prefix: string;
  /** Time of creation. */
  createdAt: string;
  /** ID of the user who created the key. Requests with the key act on behalf of this user. */
  createdBy: string;
  /** Time of the last request with the key, to the minute. `null` if the key was never used. */
  lastUsedAt: string | null;
  /** Time at which the key expires. `null` if the key does not expire. */
  expiresAt: string | null;
  /** Calls that the key permits. `read` permits GET requests, `predict` permits calls that compute and store nothing, such as `POST …/predict`, and `write` permits all other calls. */
  scopes: ("read" | "predict" | "write")[];
  /** Addresses and networks from which the key may be used. `null` if all are permitted. */
  allowedAddresses: (string)[] | null;
  /** Time at which the key was revoked. `null` if the key is not revoked. */
  revokedAt: string | null;
  /** Whether the user who created the key is no longer a member. The key stays valid until revoked. */
  createdByRemoved: boolean;
  /** Requests per day over the last 14 days, today last. New requests are included within 30 seconds. */
  requests: ({
    /** Day, in UTC. */
    day: string;
    /** Number of requests with the key. */
    count: number;
  })[];
};

export type CheckpointRecord = {
  /** ID of the checkpoint. */
  checkpointId: string;
  /** Name of the predicted column. */
  target: string;
  /** Time of the last row in the model's training data. */
  madeUntil: string | null;
  /** Time of the project's last actual value. */
  knownUntil: string | null;
  /** Number of steps predicted from one origin to the next, as at training. */
  horizon: number | null;
  /** Human-readable reason why nothing can be compared. `null` if there is something to compare. */
  reason: string | null;
  /** Name of the naive forecast that training used, such as `seasonal naive, 7 steps`. */
  baselineName: string | null;
  /** Errors over all rows that arrived after the model's data ended. */
  errors: ForecastErrors | null;
  /** Errors on the validation rows, at training. */
  validation: {
    /** Root mean squared error, in the target's unit. */
    rmse: number | null;
    /** Mean absolute error, in the target's unit. */
    mae: number | null;
    /** Mean of predicted minus actual values. Positive if predictions are too high. */
    bias: number | null;
    /** Share of the actual values inside the 90% prediction interval. `null` if the model has no intervals. */
    coverage: number | null;
    /** Mean negative logarithm of the probability of the actual class. */
    logLoss?: number | null;
    /** Mean squared difference between the probability and the class as 0 or 1. */
    brier?: number | null;
    /** Area under the ROC curve. `null` if only one class occurs. */
    auc?: number | null;
    /** Share of rows whose predicted class, at the threshold 0.5, is the actual one. */
    accuracy?: number | null;
    /** Errors of the naive forecast of the same rows. For classes: of the base rate. */
    baseline: {
      /** Root mean squared error of the naive forecast. */
      rmse: number | null;
      /** Mean absolute error of the naive forecast. */
      mae: number | null;
      /** Mean negative logarithm of the probability of the actual class. */
      logLoss?: number | null;
      /** Mean squared difference between the probability and the class as 0 or 1. */
      brier?: number | null;
      /** Area under the ROC curve. `null` if only one class occurs. */
      auc?: number | null;
      /** Share of rows whose predicted class, at the threshold 0.5, is the actual one. */
      accuracy?: number | null;
    };
  };
  /** Period by which `periods` groups the rows. */
  period: "day" | "week" | "month";
  /** IANA time zone in which each period begins. */
  timezone: string;
  /** Errors by period, in order of time. Periods without rows are omitted. */
  periods: (RecordPeriod)[];
  /** Time of each point. */
  timestamps: (string)[];
  /** Actual value at each point. `null` if it is not known. */
  actual: (number | null)[];
  /** Prediction at each point. */
  predicted: (number | null)[];
  /** Lower bounds of the 90% prediction intervals. */
  lower: (number | null)[];
  /** Upper bounds of the 90% prediction intervals. */
  upper: (number | null)[];
  /** Naive forecast at each point. */
  baseline: (number | null)[];
};

export type ForecastErrors = {
  /** Number of rows whose actual value is known. */
  rows: number;
  /** Root mean squared error, in the target's unit. */
  rmse: number | null;
  /** Mean absolute error, in the target's unit. */
  mae: number | null;
  /** Mean of predicted minus actual values. Positive if predictions are too high. */
  bias: number | null;
  /** Share of the actual values inside the 90% prediction interval. `null` if the model has no intervals. */
  coverage: number | null;
  /** Mean negative logarithm of the probability of the actual class. */
  logLoss?: number | null;
  /** Mean squared difference between the probability and the class as 0 or 1. */
  brier?: number | null;
  /** Area under the ROC curve. `null` if only one class occurs. */
  auc?: number | null;
  /** Share of rows whose predicted class, at the threshold 0.5, is the actual one. */
  accuracy?: number | null;
  /** Errors of the naive forecast of the same rows. For classes: of the base rate. */
  baseline: {
    /** Root mean squared error of the naive forecast. */
    rmse: number | null;
    /** Mean absolute error of the naive forecast. */
    mae: number | null;
    /** Mean negative logarithm of the probability of the actual class. */
    logLoss?: number | null;
    /** Mean squared difference between the probability and the class as 0 or 1. */
    brier?: number | null;
    /** Area under the ROC curve. `null` if only one class occurs. */
    auc?: number | null;
    /** Share of rows whose predicted class, at the threshold 0.5, is the actual one. */
    accuracy?: number | null;
  };
};

export type RecordPeriod = {
  /** Number of rows whose actual value is known. */
  rows: number;
  /** Root mean squared error, in the target's unit. */
  rmse: number | null;
  /** Mean absolute error, in the target's unit. */
  mae: number | null;
  /** Mean of predicted minus actual values. Positive if predictions are too high. */
  bias: number | null;
  /** Share of the actual values inside the 90% prediction interval. `null` if the model has no intervals. */
  coverage: number | null;
  /** Mean negative logarithm of the probability of the actual class. */
  logLoss?: number | null;
  /** Mean squared difference between the probability and the class as 0 or 1. */
  brier?: number | null;
  /** Area under the ROC curve. `null` if only one class occurs. */
  auc?: number | null;
  /** Share of rows whose predicted class, at the threshold 0.5, is the actual one. */
  accuracy?: number | null;
  /** Errors of the naive forecast of the same rows. For classes: of the base rate. */
  baseline: {
    /** Root mean squared error of the naive forecast. */
    rmse: number | null;
    /** Mean absolute error of the naive forecast. */
    mae: number | null;
    /** Mean negative logarithm of the probability of the actual class. */
    logLoss?: number | null;
    /** Mean squared difference between the probability and the class as 0 or 1. */
    brier?: number | null;
    /** Area under the ROC curve. `null` if only one class occurs. */
    auc?: number | null;
    /** Share of rows whose predicted class, at the threshold 0.5, is the actual one. */
    accuracy?: number | null;
  };
  /** Start of the period, in the time zone of the data. */
  from: string;
  /** End of the period, exclusive. */
  to: string;
};

export type CheckpointDetail = {
  /** Unique identifier of the checkpoint. */
  id: string;
  /** ID of the owning project. */
  projectId: string;
  /** Label of the checkpoint: 2-100 characters, unique within the project. */
  label: string;
  /** Free text. May be empty or `null`. */
  description: string | null;
  /** Time of creation. */
  createdAt: string;
  /** User identifier of the creator. */
  createdBy: string;
  /** Whether this is the project's default checkpoint. */
  isDefault: boolean;
  /** ID of the main checkpoint, if this checkpoint was created automatically alongside it. Otherwise `null`. */
  linkedCheckpointId: string | null;
  /** ID of the model that the checkpoint was saved from. `null` for an imported checkpoint. */
  modelId?: string | null;
  /** Name of the model algorithm. */
  modelName: string;
  /** Target metric score at the time the checkpoint was saved. */
  primaryMetricValue: number | null;
  /** Name of the target metric. */
  targetMetric: string;
  /** Number of scenarios that use the checkpoint. A checkpoint can be deleted if no scenario uses it. Lists include this field only on request. */
  usedByScenarios: number;
  trainingMetrics: TrainingMetrics;
  /** Input features of the model. */
  inputFeatures: (InputFeature)[];
  featureEngineering: FeatureEngineering;
  /** Always `onnx`. Imported models, trees and linear models contain an ONNX file; series methods do not. */
  modelFormat: string;
  /** Size of the stored model in bytes. */
  artifactBytes: number;
  /** SHA-256 digest of the stored model. */
  sha256: string;
  /** Time at which the model was trained or imported. */
  trainedAt: string;
  /** Number of rows that the model was fitted on, including the validation rows. */
  trainingRows: number;
  /** Folder name derived from the label, at most 50 characters. */
  folderName: string;
  /** Upstream checkpoints that this checkpoint was created with: ID of the upstream project → ID of its checkpoint. */
  dependentProjectCheckpoints: Record<string, string>;
};

export type TrainingMetrics = {
  /** Metrics on the rows before the validation rows, for a model fitted on those rows. If the model reads earlier values of the target, without the rows of the first horizon. */
  train: Record<string, number | null> | null;
  /** Metrics on the validation rows, for a model that had not seen those rows. */
  validation: Record<string, number | null> | null;
  /** Metrics of the naive forecast on the validation rows. */
  baseline: Record<string, number | null> | null;
};

export type InputFeature = {
  /** Name of the feature in the header of a CSV and in `input`. */
  name: string;
  /** Type of the values. */
  type: "number" | "category" | "boolean" | "timestamp";
  /** Role of the feature. `upstream`: the prediction of an upstream project. */
  role: "input" | "upstream" | "timestamp";
  /** Whether an input must include the feature. */
  required: boolean;
  /** Whether values may be missing. The model imputes missing values. */
  missingAllowed?: boolean;
  /** Minimum over the training rows. */
  min: number | null;
  /** Maximum over the training rows. */
  max: number | null;
  /** Mean over the training rows. */
  mean: number | null;
  /** Median over the training rows. */
  median: number | null;
  /** Number of training rows without a value. */
  missing: number | null;
  /** Categories that the model knows. */
  categories: (string)[] | null;
  /** For the role `upstream`: ID of the project that predicts the feature. Otherwise `null`. */
  sourceProjectId: string | null;
  /** Values of a number that has only a few whole values, such as 0 and 1, ascending. Absent for other features, and for older models. */
  codes?: (number)[];
  /** Rule by which the feature follows from the date of the row. Generated inputs follow it. Absent for other features, and for older models. */
  dateRule?: DateRule;
};

export type DateRule = {
  /** Part of the local date that determines the value. Weekdays count from 1 (Monday), hours of the week and minutes of the day from 0. `monthAndDay` is 100 times the month, plus the day. `holiday` is 1 on public holidays, otherwise 0. `weekdayAndHoliday` is the weekday, plus 10 on public holidays. */
  part: "holiday" | "quarter" | "weekday" | "month" | "weekdayAndHoliday" | "hour" | "dayOfMonth" | "weekOfYear" | "hourOfWeek" | "dayOfYear" | "monthAndDay" | "minuteOfDay" | "year";
  /** IANA time zone of the date. */
  timezone: string;
  /** Number to add to the part. Absent with `values`. */
  offset?: number;
  /** Value of each part, ascending. Absent with `offset`. */
  values?: ({
    /** First part with the value. It applies up to the next entry. */
    from: number;
    /** Value. `null` for parts that the rows do not show. */
    value: number | string | boolean | null;
  })[];
  /** Public holidays. Present if the part depends on them. */
  holidays?: {
    /** Country of the holidays. */
    country: string;
    /** Region of the holidays. `null` for the country. */
    region: string | null;
    /** Whether a holiday on a Saturday counts on the Friday before, and one on a Sunday on the Monday after. */
    observed: boolean;
    /** Public holidays as days since 1970-01-01, ascending. */
    days: (number)[];
  };
};

export type FeatureEngineering = {
  /** Version of this format. */
  version: number;
  /** Steps, in order. */
  steps: ({
    /** Operation of the step. The other fields are its settings. */
    op: string;
  })[];
  /** Whether later rows use the predictions or the inputs of earlier rows. Absent for older models. */
  rowsBuildOnEachOther?: boolean;
  /** Whether predictions use known values of the target. Absent for older models. */
  readsTarget?: boolean;
  inputFormat?: ModelInputFormat;
};

export type ModelInputFormat = {
  /** Name of the timestamp column, or names of the columns that are joined. `null` without a timestamp. */
  timestampColumns: (string)[] | null;
  /** IANA time zone of times without a zone. */
  timezone: string;
  /** Order of day and month in dates such as 3/4/2024. `null` if the data does not show it. */
  dateOrder: "month-first" | "day-first" | null;
  /** Texts for missing values besides the empty cell. */
  missing: (string)[];
  /** Formats of columns whose numbers have a currency, a percent sign, a unit, digit grouping or their own decimal mark. */
  numberFormats: (NumberFormat)[];
  /** How the dataset's file was read. Absent for older models. */
  reading?: Reading | null;
  /** Names of the columns whose values name the series of a row. Absent for one series. */
  series?: (string)[];
};

export type NumberFormat = {
  /** Name of the column. */
  column: string;
  /** Currency, percent sign or unit that is removed from the numbers: `5%` is read as 5. */
  unit: string | null;
  /** Decimal mark. */
  decimalMark: "." | ",";
  /** Mark between groups of three digits. A blank stands for every kind of space. */
  groupMark: "." | "," | " " | "'" | null;
};

export type Reading = {
  /** Encoding of the file, such as `windows-1252`. */
  encoding?: string;
  /** Line of the header. 1 is the first line. */
  headerRow?: number;
  /** Name of the sheet. Absent unless the file is a workbook. */
  sheet?: string;
  /** Columns that were turned into rows. Absent for other tables. */
  shape?: Shape;
  /** Character between the cells of a row. */
  delimiter: string;
  /** Decimal mark of plain numbers. */
  decimalMark: "." | ",";
  /** Format of the times. `null` without a timestamp. */
  timestampFormat: "iso" | "month-day-year" | "day-month-year" | "YY-MM-DD" | "month-year" | "week-year" | "month-name" | "fiscal-year" | "year" | "decimal-year" | "YYYYMM" | "YYYYWW" | "YYYYWW-US" | "YYYYQ" | "YYYYDDD" | "YYYYMMDD" | "DDMMYYYY" | "MMDDYYYY" | "YYYYMMDDHH" | "YYYYMMDDHHMI" | "YYYYMMDDHHMISS" | "YYMM" | "YYWW" | "YYMMDD" | "DDMMYY" | "MMDDYY" | "epoch-seconds" | "epoch-milliseconds" | "spreadsheet-days" | "year+month" | "year+quarter" | "year+week" | "year+week-US" | "year+day-of-year" | "year+month+day" | "year+month+day+hour" | null;
  /** Rows of the file that were left out. */
  skipRows?: (number)[];
  /** Formats of other columns that were chosen or found, by column. */
  columnFormats: Record<string, "decimal-point" | "decimal-comma" | "grouped-point" | "grouped-comma" | "magnitudes" | "duration" | "indian-grouping" | "text" | "iso" | "month-day-year" | "day-month-year" | "YY-MM-DD" | "month-year" | "week-year" | "month-name" | "fiscal-year" | "year" | "decimal-year" | "YYYYMM" | "YYYYWW" | "YYYYWW-US" | "YYYYQ" | "YYYYDDD" | "YYYYMMDD" | "DDMMYYYY" | "MMDDYYYY" | "YYYYMMDDHH" | "YYYYMMDDHHMI" | "YYYYMMDDHHMISS" | "YYMM" | "YYWW" | "YYMMDD" | "DDMMYY" | "MMDDYY" | "epoch-seconds" | "epoch-milliseconds" | "spreadsheet-days" | "year+month" | "year+quarter" | "year+week" | "year+week-US" | "year+day-of-year" | "year+month+day" | "year+month+day+hour">;
};

export type Shape = {
  /** Times as columns, which are turned into rows. */
  kind: "wide";
  /** Names of the columns that are times. Files that are read later may have other ones. */
  times: (string)[];
  /** Name of the column that the values of these columns become. */
  valueName: string;
};

export type CheckpointAccepted = {
  /** Human-readable message: the action that was initiated and how its completion is announced. */
  message: string;
  /** ID of the checkpoint. */
  checkpointId: string;
  /** ID of the background job. */
  jobId: string;
};

export type Checkpoint = {
  /** Unique identifier of the checkpoint. */
  id: string;
  /** ID of the owning project. */
  projectId: string;
  /** Label of the checkpoint: 2-100 characters, unique within the project. */
  label: string;
  /** Free text. May be empty or `null`. */
  description: string | null;
  /** Time of creation. */
  createdAt: string;
  /** User identifier of the creator. */
  createdBy: string;
  /** Whether this is the project's default checkpoint. */
  isDefault: boolean;
  /** ID of the main checkpoint, if this checkpoint was created automatically alongside it. Otherwise `null`. */
  linkedCheckpointId: string | null;
  /** ID of the model that the checkpoint was saved from. `null` for an imported checkpoint. */
  modelId?: string | null;
  /** Name of the model algorithm. */
  modelName: string;
  /** Target metric score at the time the checkpoint was saved. */
  primaryMetricValue: number | null;
  /** Name of the target metric. */
  targetMetric: string;
  /** Number of scenarios that use the checkpoint. A checkpoint can be deleted if no scenario uses it. Lists include this field only on request. */
  usedByScenarios?: number;
};

export type ComparisonLink = {
  /** Time at which the link expires. `null` without a link. */
  expiresAt: string | null;
};

export type NewComparisonLink = {
  /** Token of the link, shown once: open `/shared#<token>`. */
  token: string;
  /** Time at which the link expires. */
  expiresAt: string;
};

export type SavedComparison = {
  /** Unique identifier of the saved comparison. */
  id: string;
  /** ID of the owning project. */
  projectId: string;
  /** Name of the comparison. */
  name: string;
  /** IDs of the compared scenarios, in order. The first is the baseline scenario. Deleted scenarios leave the list, so it can become shorter than a comparison needs. */
  scenarioIds: (string)[];
  /** Recorded decision for one of the scenarios. `null` without one. */
  decision: Decision | null;
  /** Time of creation. */
  createdAt: string;
  /** User identifier of the creator. */
  createdBy: string;
};

export type Decision = {
  /** ID of the chosen scenario, which may be deleted since. */
  scenarioId: string;
  /** Title of the scenario at the decision. */
  scenarioTitle: string;
  /** ID of the run that the scenario showed at the decision. */
  runId: string;
  /** Reason for the decision. */
  reason: string;
  /** Time of the scenario's first row. `null` without times. */
  from: string | null;
  /** Time of the scenario's last row. */
  to: string | null;
  /** Number of the scenario's rows. */
  rows: number;
  /** Expected total at the decision: the sum of all predictions, with overrides. */
  total: number | null;
  /** Lower bound of the 90% prediction interval of the total. `null` without one. */
  lower: number | null;
  /** Upper bound of the 90% prediction interval of the total. */
  upper: number | null;
  /** Time of the decision. */
  decidedAt: string;
  /** User identifier of who decided. */
  decidedBy: string;
};

export type Dataset = {
  /** Unique identifier of this version of the dataset. */
  id: string;
  /** Original file name. */
  fileName: string | null;
  /** Number of rows, excluding the header. */
  rowCount: number;
  /** Columns, in the order of the file. */
  columns: (DatasetColumn)[];
  /** Name of the column that models predict. */
  target: string;
  /** Name of the timestamp column, or names of up to four columns that are joined. */
  timestamp: (string)[] | null;
  /** Series of the rows. `null` if the rows are one series. */
  series: DatasetSeries | null;
  /** IANA time zone of times without a zone. */
  timezone: string;
  /** Cell texts that mean a missing value, in addition to the empty cell. */
  missing: (string)[];
  /** Names of input columns that are known before the target. Warnings that suspect only these columns are omitted. */
  confirmed: (string)[];
  /** Formats of columns whose numbers have a currency, a percent sign, a unit, digit grouping or their own decimal mark. */
  numberFormats: (NumberFormat)[];
  /** Order in which dates such as 3/4/2024 are read. `null` if the data has no such dates. */
  dateOrder: "month-first" | "day-first" | null;
  /** How the file was read. `null` for datasets that are older than this field. */
  reading: Reading | null;
  /** Interval between rows, as an ISO 8601 duration. */
  frequency: string | null;
  /** `business` for daily data without rows on Saturdays and Sundays: forecasts then have none either. Otherwise `null`. */
  calendar: "business" | null;
  /** Calendar that the request set. `null` if the rows decided. */
  calendarOption: "business" | "all-days" | null;
  /** Steps into which the rows of the file were joined. `null` if the rows are those of the file. */
  resample: Resample | null;
  /** Day of the month of every row, 31 for the month's last day. `null` unless rows are months apart. */
  monthDay: number | null;
  /** Time of the first row. */
  firstTimestamp: string | null;
  /** Time of the last row. */
  lastTimestamp: string | null;
  /** Time of the last row with a value of the target. Generated input starts one step later. */
  lastTargetTimestamp: string | null;
  /** Number of rows after `lastTargetTimestamp`. They have no target: their inputs are plans, which generated input uses. */
  plannedRows: number;
  /** Warnings that do not prevent the use of the data. */
  warnings: (Warning)[];
  /** Time at which this version was created. */
  createdAt: string;
  /** ID of the user who made this version: uploaded the file, appended rows or changed settings. */
  createdBy: string;
};

export type DatasetColumn = {
  /** Name in the header. */
  name: string;
  /** Type of the values. */
  type: "number" | "category" | "boolean" | "timestamp";
  /** Role of the column in models. */
  role: "input" | "target" | "timestamp" | "excluded";
  /** Minimum value. Epoch milliseconds for timestamps. */
  min: number | null;
  /** Maximum value. */
  max: number | null;
  /** Mean value. */
  mean: number | null;
  /** Median value. */
  median: number | null;
  /** Number of cells without a value. */
  missing: number;
  /** Categories, most frequent first. At most 1,000. */
  categories: (string)[] | null;
  /** Row counts in at most 20 equal bins from `min` to `max`. For whole numbers, each bin covers the same number of values. For categories, row counts of the first 20 categories. */
  histogram: (number)[] | null;
  /** Rule by which the values follow from the date of the row. Absent for other columns, and for older datasets. */
  dateRule?: DateRule;
};

export type DatasetSeries = {
  /** Names of the series columns, whose values name a series. */
  columns: (string)[];
  /** Number of series. */
  count: number;
  /** Levels of totals: the total, each series column, other columns of texts that are constant within each series, and all series columns together. */
  levels: ({
    /** Name of the level: `Total`, or its columns. */
    name: string;
    /** Columns whose values form the groups. Empty for the total. */
    columns: (string)[];
    /** Number of groups. */
    count: number;
  })[];
  /** Number of rows of the shortest series. */
  minRows: number;
  /** Number of rows of the longest series. */
  maxRows: number;
  /** Number of series whose last target is more than one forecast horizon before the newest. */
  ended: number;
  /** Number of series with fewer than 10 targets. They are predicted from the others. */
  short: number;
};

export type Warning = {
  /** Machine-readable code of the warning, such as `outside_range`. */
  code: string;
  /** Human-readable message. */
  message: string;
  /** Column of the CSV or of the prediction input. */
  column?: string | null;
  /** Number of rows that the warning is about. */
  rows?: number | null;
  /** Columns to exclude or to confirm together. Present for warnings about columns that models should not use. */
  columns?: (string)[];
  evidence?: Evidence;
  /** Nearest existing name, for an unknown column. */
  nearest?: string;
  /** First row with a value outside the training data, starting at 1. Present for warnings about such values. */
  firstRow?: number;
  /** Value ranges of the input and of the training rows. Present for `outside_range`. */
  range?: {
    /** Minimum value of the input. */
    least: number;
    /** Maximum value of the input. */
    greatest: number;
    /** Minimum value of the training rows. */
    trainedMin: number;
    /** Maximum value of the training rows. */
    trainedMax: number;
  };
  /** Ways to read the file that treat the finding. */
  choices?: (Choice)[];
};

export type Evidence = {
  /** Sum or difference of columns that equals the target. */
  formula?: string;
  /** Number of rows in which it equals the target. */
  matchingRows?: number;
  /** Number of rows compared. */
  comparedRows?: number;
  /** R² of predictions from one column, or of the model, on rows that were not used for fitting. */
  r2?: number;
  /** Number of different values. */
  distinct?: number;
  /** Time of the last row with a value. */
  lastTimestamp?: string;
};

export type DatasetRows = {
  /** ID of the version of the dataset. */
  versionId: string;
  /** Total number of rows. */
  rowCount: number;
  /** Rows, in order of time, or of the file without a timestamp. Rows of many series are ordered by series, then time. */
  rows: ({
    /** Row number, starting at 1. */
    row: number;
    /** Time of the row. `null` without a timestamp. */
    timestamp: string | null;
    /** Column → value. Times are in ISO 8601. `null` means missing. */
    values: Record<string, number | string | boolean | null>;
  })[];
};

export type TargetSeries = {
  /** Name of the target column. */
  target: string;
  /** Number of rows of the dataset. */
  rowCount: number;
  /** Time of each point. `null` if the dataset has no timestamp. */
  timestamps: (string)[] | null;
  /** Row number of each point, starting at 1; of a bucket, that of its first row. Of many series, the number of its time. */
  rows: (number)[];
  /** Value of the target at each point, for classes 0 and 1; of many series, their sum. `null` if it is missing. */
  values: (number | null)[];
  /** The requested series, at the points of the total. Present if requested by `series`. */
  series?: ({
    /** ID of the series. */
    id: string;
    /** Value of the target at each point. `null` if it is missing. */
    values: (number | null)[];
  })[];
  buckets?: Buckets;
};

export type Buckets = {
  /** Calendar unit of each point. */
  unit: "hour" | "day" | "week" | "month" | "quarter" | "year";
  /** Statistic of the rows of a bucket. */
  aggregate: "sum" | "mean" | "last";
  /** IANA time zone in which buckets begin. */
  timezone: string;
  /** Time of the first aggregated row. `null` without rows. */
  from: string | null;
  /** Time of the last aggregated row. `null` without rows. */
  to: string | null;
  /** Whether the series covers the whole bucket, for each point. Only the first and the last bucket can be incomplete. */
  complete: (boolean)[];
};

export type DatasetChanges = {
  /** ID of the version. */
  versionId: string;
  /** ID of the version that it is compared with. `null` for the first version. */
  sinceId: string | null;
  /** Numbers of rows. */
  rowCount: {
    /** Number of rows before. */
    before: number;
    /** Number of rows of this version. */
    after: number;
    /** Number of rows that only this version has. */
    added: number;
    /** Number of rows that only the version before has. */
    removed: number;
    /** Number of rows of the same series and time, or at the same place without a timestamp, with other values. */
    changed: number;
  };
  /** The first rows of each kind, at most 50. */
  rows: ({
    /** Difference of the row. */
    kind: "added" | "removed" | "changed";
    /** Row number, starting at 1; of a removed row in the version before. */
    row: number;
    /** Time of the row. `null` without a timestamp. */
    timestamp: string | null;
    /** Values of the series columns. Absent for one series. */
    series?: Record<string, string>;
    /** Values that differ, in at most 20 columns. */
    values: ({
      /** Name of the column. */
      column: string;
      /** Value before. `null` for an added row. */
      before: number | string | boolean | null;
      /** Value of this version. `null` for a removed row. */
      after: number | string | boolean | null;
    })[];
  })[];
  /** Columns that only one version has. */
  columns: {
    /** Columns that only this version has, or has with another type. */
    added: (string)[];
    /** Columns that only the version before has, or has with another type. */
    removed: (string)[];
  };
  /** Settings that differ. */
  settings: (AuditChange)[];
  /** Models that were trained on removed rows, newest first. */
  models: ({
    /** ID of the model. */
    id: string;
    /** Name of the model. */
    modelName: string;
    /** Time of the training. */
    trainedAt: string;
    /** Number of removed rows that the model was trained on. */
    rows: number;
  })[];
  /** Scenarios whose period contains removed rows, newest first. At most 100. */
  scenarios: ({
    /** ID of the scenario. */
    id: string;
    /** Title of the scenario. */
    title: string;
    /** Number of removed rows that the scenario's predictions are compared with. */
    rows: number;
  })[];
};

export type DatasetVersion = {
  /** Unique identifier of the version. */
  id: string;
  /** Time at which the version was created. */
  createdAt: string;
  /** User identifier of the creator. */
  createdBy: string;
  /** Change that made the version: a file that replaced the rows, appended rows, other settings, a restored version, or corrected rows. */
  change: "replaced" | "appended" | "settings" | "restored" | "corrected";
  /** Number of rows. */
  rowCount: number;
  /** Original file name. */
  fileName: string | null;
};

export type DecisionOutcome = {
  /** ID of the saved comparison. */
  comparisonId: string;
  /** Name of the saved comparison. */
  comparisonName: string;
  /** ID of the chosen scenario, which may be deleted since. */
  scenarioId: string;
  /** Title of the scenario at the decision. */
  scenarioTitle: string;
  /** ID of the run that the scenario showed at the decision. */
  runId: string;
  /** Reason for the decision. */
  reason: string;
  /** Time of the scenario's first row. `null` without times. */
  from: string | null;
  /** Time of the scenario's last row. */
  to: string | null;
  /** Number of the scenario's rows. */
  rows: number;
  /** Expected total at the decision: the sum of all predictions, with overrides. */
  total: number | null;
  /** Lower bound of the 90% prediction interval of the total. `null` without one. */
  lower: number | null;
  /** Upper bound of the 90% prediction interval of the total. */
  upper: number | null;
  /** Time of the decision. */
  decidedAt: string;
  /** User identifier of who decided. */
  decidedBy: string;
  /** Sum of the actual values that are known from `from` to `to`. `null` without any. */
  actual: number | null;
  /** Number of these values. Compare totals once it reaches `rows`. */
  actualRows: number;
};

export type Project = {
  /** Unique identifier of the project. */
  id: string;
  /** Name of the project. */
  name: string;
  /** Free text. */
  description: string | null;
  /** Name of the column that the project's models predict. `null` until the project has a dataset or a model. */
  target: string | null;
  /** Whether the project has a dataset. `false` for a new project, and if its only model was imported. */
  hasDataset: boolean;
  /** Latest trained or imported model. `null` until the project has one. */
  currentModel: {
    /** ID of the model. */
    id: string;
    /** Name of the algorithm, or of the imported model. */
    modelName: string;
    /** Metric by which the model is judged. */
    targetMetric: string;
    /** Target metric on the validation rows. `null` if there were none. */
    primaryMetricValue: number | null;
    /** Time at which the model was trained or imported. */
    trainedAt: string;
  } | null;
  /** ID of the checkpoint that predictions use by default. */
  defaultCheckpointId: string | null;
  /** Upstream projects whose predictions are input features of this project. */
  dependencies: (Dependency)[];
  /** Display names, units and decimals of the target and other columns, by column name. */
  display: Record<string, ColumnDisplay>;
  /** Units of the current dataset's number formats, by column name. */
  units: Record<string, string>;
  /** IANA time zone of the current dataset, in which its days begin. `null` without a dataset. */
  timezone: string | null;
  /** Step of the current dataset as an ISO 8601 duration. `null` without a dataset, or without a regular step. */
  frequency: string | null;
  /** Number of completed runs that each scenario keeps, the latest ones. */
  runsKept: number;
  /** Access of users. `open`: every analyst of the service is an analyst in the project. `restricted`: only the listed members and admins of the service have a role in it. */
  access: "open" | "restricted";
  /** Time of creation. */
  createdAt: string;
  /** User identifier of the creator. */
  createdBy: string;
};

export type Dependency = {
  /** ID of the upstream project whose predictions this project uses. */
  projectId: string;
  /** Name of the input feature that holds the predictions. */
  featureName: string;
};

export type ColumnDisplay = {
  /** Name that the dashboard shows in place of the column's name. */
  displayName: string | null;
  /** Unit of the values. An empty text shows none, even if the dashboard proposes one. */
  unit: string | null;
  /** Number of decimals that the dashboard shows. Values stay unrounded. */
  decimals: number | null;
};

export type ProjectMember = {
  /** Unique identifier of the membership. */
  id: string;
  /** ID of the user. */
  userId: string;
  /** Name of the user. */
  name: string;
  /** Role in the project. `viewer` reads, compares, predicts and downloads. `analyst` also changes data, models, checkpoints and scenarios. `admin` also manages keys, members and settings. */
  role: "viewer" | "analyst" | "admin";
  /** Time at which the user was added. */
  createdAt: string;
  /** ID of the user who added the member. */
  createdBy: string;
};

export type ModelChanges = {
  /** ID of the model. */
  modelId: string;
  /** ID of the previous model. `null` for the project's first model. */
  beforeId: string | null;
  /** Names of the models. */
  modelName: {
    /** Value of the previous model. */
    before: string | null;
    /** Value of this model. */
    after: string | null;
  };
  /** Number of rows that each model was trained on. */
  trainingRows: {
    /** Value of the previous model. */
    before: number | null;
    /** Value of this model. */
    after: number | null;
  };
  /** Time of the last row in each model's training data. */
  knownUntil: {
    /** Value of the previous model. */
    before: string | null;
    /** Value of this model. */
    after: string | null;
  };
  /** Metrics of each model on its own validation rows. */
  validation: {
    /** Value of the previous model. */
    before: Record<string, number | null> | null;
    /** Value of this model. */
    after: Record<string, number | null> | null;
  };
  /** Errors of both models on rows that neither model had seen when it predicted them. `null` if there are no such rows. */
  sameRows: {
    /** Time of the first row. */
    from: string;
    /** Time of the last row. */
    to: string;
    before: ForecastErrors;
    after: ForecastErrors;
  } | null;
  /** Reason why the two models cannot be measured on the same rows. `null` if they can. */
  reason: string | null;
  /** Differences in the input features. */
  features: {
    /** Features that only this model takes. */
    added: (string)[];
    /** Features that only the previous model takes. */
    removed: (string)[];
  };
  /** Changes in importance, largest change first. */
  importance: ({
    /** Name of the input feature. */
    feature: string;
    /** Importance in the previous model, as a share. `null` if that model did not use the feature. */
    before: number | null;
    /** Importance in this model, as a share. `null` if this model does not use the feature. */
    after: number | null;
  })[];
  /** Training settings that differ. */
  settings: ({
    /** Name of the training setting, with dots between its parts. */
    name: string;
    /** Value requested for the previous model. `null` if none was requested. */
    before: unknown;
    /** Value requested for this model. `null` if none was requested. */
    after: unknown;
  })[];
};

export type Model = {
  /** Unique identifier of the model. */
  id: string;
  /** ID of the owning project. */
  projectId: string;
  /** Name of the algorithm, or of the imported model. */
  modelName: string;
  /** Algorithm of the model: `gradient_boosting`, `ridge`, `elastic_net`, `blend`, `seasonal_naive`, `drift`, `ets`, `theta`, `arima`, `stl_ets`, `tsb`, `combination`, `panel`, `mean` or `imported`. */
  algorithm: string;
  /** Origin of the model: trained by the service, or imported. */
  source: "trained" | "imported";
  /** Whether this is the project's latest model. */
  isCurrent: boolean;
  /** Name of the value that the model predicts. */
  target: string;
  /** Metric by which the model is judged. */
  targetMetric: string;
  /** Target metric on the validation rows. `null` if there were none. */
  primaryMetricValue: number | null;
  trainingMetrics: TrainingMetrics;
  /** Input features of the model. */
  inputFeatures: (InputFeature)[];
  featureEngineering: FeatureEngineering;
  /** Importance of the features, most important first. */
  importance: (Importance)[];
  /** Learned effect of each numeric input that the model reads. Absent for classes, and for imported and older models. */
  effects?: (InputEffect)[];
  /** Whether predictions are means or medians. A model of logarithms predicts medians with the target metric `mae` or `mape`. Absent for classes, and for imported and older models. */
  predicts?: "mean" | "median";
  /** Errors of a model of many series, by series and by level. Absent for a model of one series. */
  panel?: PanelMetrics;
  /** Actual and predicted values on the validation rows, at most 1,000 points. */
  validation: ValidationPreview | null;
  /** Evaluation of the probabilities on the validation rows. Present for a target of two classes. */
  classification?: Classification;
  /** Candidates that the training evaluated: the chosen one first, the naive forecast last. */
  leaderboard: (LeaderboardEntry)[];
  /** Share of rows inside a 90% prediction interval that was calibrated without those rows. For a series, the latest rows. */
  coverage: number | null;
  /** Coverage by step ahead, for a series. Empty without enough rows; absent for older models. */
  coverageBySteps?: (StepCoverage)[];
  /** Warnings about the model. `too_good`: its accuracy suggests that `columns` give the target away. `ignored_values`: it does not learn from values that contradict all others. */
  warnings: (Warning)[];
  /** Always `onnx`. Imported models, trees and linear models contain an ONNX file; series methods do not. */
  modelFormat: string;
  /** Size of the stored model in bytes. */
  artifactBytes: number;
  /** Time at which the model was trained or imported. */
  trainedAt: string;
  /** Number of rows that the model was fitted on, including the validation rows. */
  trainingRows: number;
  /** ID of the version of the dataset that the model was trained on. `null` for imported and older models. */
  datasetVersionId: string | null;
  /** Number of rows of the dataset that the model was trained on. `null` for an imported model. */
  datasetRows: number | null;
  /** Interval between the rows of that dataset, as an ISO 8601 duration. `null` without a regular interval. Absent for imported and older models. */
  datasetFrequency?: string | null;
  /** Training request of the model. Send it to `…/models/train` again to train on the current dataset. `null` for an imported model. */
  request: Record<string, unknown> | null;
  /** ID of the user who trained or imported the model. */
  createdBy: string;
};

export type Importance = {
  /** Name of the input feature. */
  feature: string;
  /** Importance as a share of 1. Trees: share of the reduction in squared error by all splits. Linear models: share of the coefficients on scaled features. */
  gain: number;
  /** The importance split by what the model derives from the feature, most important first. Absent without derived parts and for older models. */
  parts?: ({
    /** Derivation of the part from the feature, such as `hour of day` or `value 1 day earlier`. `null` for the feature's own values. */
    detail: string | null;
    /** Importance of the part as a share of 1. */
    gain: number;
  })[];
  /** Increase of the RMSE on the validation rows when the feature's values are shuffled among them. */
  permutation?: number;
};

export type InputEffect = {
  /** Name of the numeric input. */
  feature: string;
  /** Change of the input whose effect is stated. */
  change: {
    /** `add` and `multiply` change the value in all rows. `set` compares the value with 0. */
    operation: "add" | "multiply" | "set";
    /** Operand of the change. */
    value: number;
  };
  /** Unit of the effect: that of the target, per row, or per cent of the predictions. */
  unit: "target" | "percent";
  /** Mean change of the predictions of the latest rows, other inputs unchanged. */
  effect: number;
  /** Lower bound of the effect at 90%. `null` if not known. */
  lower: number | null;
  /** Upper bound of the effect at 90%. `null` if not known. */
  upper: number | null;
  /** Plain correlation of the input with the target, from -1 to 1. `null` if not defined. */
  correlation: number | null;
  /** Sign in `expectedEffects` of the request. `null` without one. */
  expected: "increasing" | "decreasing" | null;
  /** `uncertain_sign`: the interval contains 0. `contradicts_expected`: the data show no effect of the expected sign. */
  warning: "uncertain_sign" | "contradicts_expected" | null;
};

export type PanelMetrics = {
  /** Names of the series columns. */
  columns: (string)[];
  /** Number of series. */
  series: number;
  /** Errors of sums, from the total to the single series. */
  levels: ({
    /** Columns whose values the rows are summed by. Empty for the total over all series. */
    by: (string)[];
    /** Number of sums at each time. */
    groups: number;
    /** Mean absolute error as a multiple of the error of the seasonal naive forecast one step ahead. `null` if that is 0. */
    mase: number | null;
    /** Sum of absolute errors divided by the sum of absolute actual values. */
    wape: number | null;
    /** Sum of errors (predicted minus actual) divided by the sum of absolute actual values. */
    bias: number | null;
    /** Mean of the MASE of all sums, each with the same weight. */
    meanMase: number | null;
    /** Share of the actual values within the 90% prediction intervals of these sums. `null` without intervals; absent for older models. */
    coverage?: number | null;
  })[];
  /** Series with the largest MASE, at most 10. */
  worst: ({
    /** Values of the series columns. */
    values: Record<string, string>;
    /** Sum of the actual values in the back-tests. */
    actual: number;
    /** Sum of the predictions in the back-tests. */
    predicted: number;
    /** Mean absolute error as a multiple of the error of the seasonal naive forecast one step ahead. `null` if that is 0. */
    mase: number | null;
    /** Sum of absolute errors divided by the sum of absolute actual values. */
    wape: number | null;
    /** Sum of errors (predicted minus actual) divided by the sum of absolute actual values. */
    bias: number | null;
  })[];
  /** Series with the largest sum of absolute actual values, at most 10. */
  largest: ({
    /** Values of the series columns. */
    values: Record<string, string>;
    /** Sum of the actual values in the back-tests. */
    actual: number;
    /** Sum of the predictions in the back-tests. */
    predicted: number;
    /** Mean absolute error as a multiple of the error of the seasonal naive forecast one step ahead. `null` if that is 0. */
    mase: number | null;
    /** Sum of absolute errors divided by the sum of absolute actual values. */
    wape: number | null;
    /** Sum of errors (predicted minus actual) divided by the sum of absolute actual values. */
    bias: number | null;
  })[];
  /** Quantiles of the MASE over series, from the minimum to the maximum in steps of 10%. Empty if not known. */
  mase: (number)[];
  /** How the effects of the first 20 numeric inputs differ between series. */
  effects?: ({
    /** Name of the numeric input. */
    feature: string;
    /** Quantiles over series of the effect that `effects` of the model states, from the minimum to the maximum in steps of 10%. */
    quantiles: (number)[];
    /** Effects by the values of columns with at most 50 values. */
    groups: ({
      /** Name of a series column or a level column. */
      by: string;
      /** Mean effect by value, ascending. */
      values: ({
        /** Value of the column. */
        value: string;
        /** Mean effect on the series with this value. */
        effect: number;
      })[];
    })[];
  })[];
};

export type ValidationPreview = {
  /** Time of each point. `null` if the data has no timestamp. */
  timestamps: (string)[] | null;
  /** Row numbers in the training data, starting at 1. */
  rows: (number)[];
  /** Actual values. */
  actual: (number | null)[];
  /** Predictions of a model that had not seen the rows. `null` for a row of `treated` that training left out. */
  predicted: (number | null)[];
  /** Rows whose actual values contradict all others, so that training treated them as gaps. Absent without such rows. */
  treated?: (number)[];
};

export type Classification = {
  /** Classes of the target in alphabetical order. Predictions are probabilities of the second class. */
  classes: (string)[];
  /** Validation rows by predicted probability, in bins of width 0.1. Bins without rows are omitted. */
  reliability: (ReliabilityBin)[];
  /** Validation rows by actual and predicted class, at the thresholds 0.01 to 0.99. */
  thresholds: (ThresholdCounts)[];
};

export type ReliabilityBin = {
  /** Number of rows. */
  rows: number;
  /** Mean predicted probability of the rows. */
  predicted: number;
  /** Share of the rows that have the second class. */
  observed: number;
};

export type ThresholdCounts = {
  /** Probability from which a row counts as predicted to have the second class. */
  threshold: number;
  /** Rows of the second class that are predicted to have it. */
  truePositives: number;
  /** Rows of the first class that are predicted to have the second. */
  falsePositives: number;
  /** Rows of the first class that are predicted to have it. */
  trueNegatives: number;
  /** Rows of the second class that are predicted to have the first. */
  falseNegatives: number;
};

export type LeaderboardEntry = {
  /** Name of the candidate. */
  name: string;
  /** Algorithm of the candidate. `baseline` for the naive forecast, for comparison. */
  algorithm?: string;
  /** Past values of the target that the candidate uses. */
  features?: string;
  /** Whether this candidate was chosen. */
  chosen?: boolean;
  /** Settings that differ from the defaults, whether given or found. */
  settings?: Record<string, number | boolean | string>;
  /** Forecasting mode, in training and in use. `recursive`: later steps use earlier predictions. `direct`: observed values only. `independent`: each row by itself. */
  mode?: "recursive" | "direct" | "independent";
  /** Number of steps ahead over which the candidate was evaluated. */
  horizon?: number | null;
  /** Last rung of the search that the candidate reached: 1 for features, 2 for settings, 3 for families. 0 without a search. */
  rung?: number;
  /** Back-test errors in the last rung that the candidate reached, on rows that it was not fitted on. `null` if nothing was compared. */
  backTest?: {
    /** Target metric, or `pinball` with a quantile loss. */
    metric: string;
    /** Error on each fold. For a series, the latest fold is last. */
    folds: (number | null)[];
    /** Mean over the folds, weighted by the number of rows fitted on. The choice compares these means. */
    mean: number | null;
    /** Standard deviation over the folds. */
    spread: number | null;
  } | null;
  /** Members of a combination. Absent for other candidates. */
  members?: ({
    /** Method with its form, such as `ETS(A,Ad,N)`. */
    name: string;
    /** Mean weight in the median over the horizon after the last row. The weights add up to 1. */
    weight: number;
    /** Target metric of the member alone on the validation rows, which it was not fitted on. `null` if unknown. */
    error: number | null;
  })[];
  /** Metrics on the validation rows. `null` if the candidate's training was not completed. */
  validation?: Record<string, number | null> | null;
  /** Time spent on the candidate, in seconds. */
  seconds?: number;
};

export type StepCoverage = {
  /** First step ahead, starting at 1. */
  fromStep: number;
  /** Last step ahead. */
  toStep: number;
  /** Share of rows inside the interval. */
  coverage: number;
  /** Number of rows. */
  rows: number;
};

export type Prediction = {
  /** Predictions, one per row, in the input's order. */
  predictions: (number)[];
  /** Number of rows. */
  rowCount: number;
  /** ID of the checkpoint that predicted. `null` if the current model predicted. */
  checkpointId: string | null;
  /** Name of the model. */
  modelName: string;
  /** Name of the predicted value. */
  target: string;
  /** Classes of the target in alphabetical order. Predictions are probabilities of the second class. */
  classes?: (string)[];
  /** Prediction intervals. Present if requested and the model has them. */
  intervals?: {
    /** Nominal probability that the actual value lies within the prediction interval. */
    level: number;
    /** Lower bound of the prediction interval of each row. */
    lower: (number)[];
    /** Upper bound of the prediction interval of each row. */
    upper: (number)[];
    /** Prediction intervals at the requested `levels`. */
    levels?: (LevelBounds)[];
  };
  /** Feature contributions. Present if requested. `baseValue` plus a row's values equals its prediction, on the `scale`. */
  contributions?: {
    /** Method of the contributions. `exact`, or `sampled`: an approximation for models with unknown internals. */
    method: "exact" | "sampled";
    /** Scale of `baseValue` and `values`. On the scale `log_odds`, they add up to log(p / (1 - p)) of the predicted probability p. */
    scale: "prediction" | "log_odds";
    /** Expected prediction over the training data, on the `scale`. */
    baseValue: number;
    /** Names of the input features. */
    features: (string)[];
    /** Contributions of each row, one list per row, in the order of `features`. */
    values: ((number)[])[];
    /** The contributions split by kind and detail. A feature's parts add up to its contribution. */
    parts?: {
      /** Name of each part's feature, once per kind and detail. */
      features: (string)[];
      /** Kind of each part. `input`: values of the feature. `calendar`: calendar and holidays of the timestamp. `level`, `season`: level with trend, and season, of the series. `past`: earlier values of the target. */
      kinds: ("input" | "calendar" | "level" | "season" | "past")[];
      /** Derivation of the part from the feature, such as `hour of day` or `value 1 day earlier`. `null` for the feature's own values. */
      details?: (string | null)[];
      /** Parts of each row, one list per row, in the order of `features`. */
      values: ((number)[])[];
    };
  };
  /** Warnings that do not prevent the use of the input. */
  warnings: (Warning)[];
};

export type LevelBounds = {
  /** Nominal probability that the actual value lies within the prediction interval. */
  level: number;
  /** Lower bounds. */
  lower: (number | null)[];
  /** Upper bounds. */
  upper: (number | null)[];
};

export type Accepted = {
  /** Human-readable message: the action that was initiated. */
  message: string;
  /** ID of the checkpoint that the job is about. */
  checkpointId?: string;
  /** ID of the scenario that the job is about. */
  scenarioId?: string;
  /** ID of the project that the job is about. */
  projectId?: string;
  /** ID of the background job. */
  jobId: string;
};

export type ScenarioActuals = {
  /** ID of the scenario. */
  scenarioId: string;
  /** Name of the predicted column. */
  target: string;
  /** Number of rows of the scenario, with or without an actual value. */
  rowCount: number;
  /** Time of the project's last actual value. */
  knownUntil: string | null;
  /** Number of compared rows that the model was fitted on. Errors on these rows are smaller than those of a forecast. */
  learnedRows: number;
  /** Human-readable reason why nothing can be compared. `null` if there is something to compare. */
  reason: string | null;
  /** Name of the naive forecast that training used, such as `seasonal naive, 7 steps`. */
  baselineName: string | null;
  /** Errors over all rows from `from` to `to`. `null` if no actual value is known. */
  errors: ForecastErrors | null;
  /** Time of each point. */
  timestamps: (string)[];
  /** Actual value at each point. `null` if it is not known. */
  actual: (number | null)[];
  /** Prediction at each point. */
  predicted: (number | null)[];
  /** Lower bounds of the 90% prediction intervals. */
  lower: (number | null)[];
  /** Upper bounds of the 90% prediction intervals. */
  upper: (number | null)[];
  /** Naive forecast at each point. */
  baseline: (number | null)[];
  /** Prediction intervals at the requested `levels`. */
  levels?: (LevelBounds)[];
  /** Groups of series, in descending order of absolute predicted total. Present if requested by `by`. */
  groups?: ({
    /** Value of each column in `by`. An empty text is a missing value. */
    values: Record<string, string>;
    /** Number of series in the group. */
    seriesCount: number;
    /** Errors of the group's sums. `null` if no actual value of them is known. */
    errors: ForecastErrors | null;
  })[];
};

export type Difference = {
  /** ID of the scenario. With `@` and the ID of the run if `run` is set. */
  scenarioId: string;
  /** Baseline scenario, as `baselineId` names it. */
  baselineId: string;
  /** Method of the split. `exact`: Shapley values. `sampled`: an estimate of them with the same exact sum. `none`: the scenario has too many rows for a model that uses past values of the target. */
  method: "exact" | "sampled" | "none";
  /** Scale of all totals, parts and differences. `log_odds` for probabilities of classes: sums of log(p / (1 - p)). Defaults to `prediction`. */
  scale?: "prediction" | "log_odds";
  /** Number of rows from `from` to `to` that both scenarios have. */
  commonRows: number;
  /** Number of rows that were split into parts. Totals are scaled up from these rows. */
  splitRows: number;
  /** Number of rows that only the scenario has. No part includes them. */
  onlyInScenario: number;
  /** Number of rows that only the baseline has. No part includes them. */
  onlyInBaseline: number;
  /** Sum of the baseline's predictions over the shared rows. */
  baselineTotal: number;
  /** Sum of the scenario's predictions over the shared rows. */
  scenarioTotal: number;
  /** Total difference: the sum of the totals of all parts. */
  totalDifference: number;
  /** Interval of the total difference, from the uncertainty of the model's effects. `null` if it is not known or the rows differ. */
  totalDifferenceInterval?: Interval | null;
  /** Highest level, among 0.5, 0.8, 0.9 and 0.95, whose interval of the total difference excludes 0. `null` if none does. */
  differsAtLevel?: number | null;
  /** Parts of the difference, largest first. */
  parts: (DifferencePart)[];
  /** Time of each point. */
  timestamps?: (string)[];
  /** Row number of each point. Present if one of the scenarios has no times. */
  rows?: (number)[];
  /** Difference at each point: the sum of the parts. */
  differences: (number | null)[];
  /** Groups of series, in descending order of absolute difference. Present if requested by `by`. The groups and their parts add up to those of the total. */
  groups?: (DifferenceGroup)[];
};

export type Interval = {
  /** Nominal probability that the actual value lies within the prediction interval. */
  level: number;
  /** Lower bound. */
  lower: number | null;
  /** Upper bound. */
  upper: number | null;
};

export type DifferencePart = {
  /** Cause of this part. `input`: values of a feature. `upstream`: values of a feature that an upstream project predicts. `checkpoint`: the model, with inputs that only one of the two scenarios uses. `history`: earlier values of the target, and rows that only one of the two scenarios has, for models that use past values. `overrides`: values that people replaced or moved, in one of the two scenarios or both. `unexplained`: the remainder. */
  kind: "input" | "upstream" | "checkpoint" | "history" | "overrides" | "unexplained";
  /** Name of the input feature. `null` for other kinds. */
  feature: string | null;
  /** ID of the upstream project that predicts the feature. `null` unless `kind` is `upstream`. */
  projectId: string | null;
  /** For `history` and models that separate them: the effect on level and trend, or on the season. Absent otherwise. */
  component?: "level" | "season";
  /** Sum over all shared rows from `from` to `to`. */
  total: number;
  /** Value at each point. */
  values: (number | null)[];
};

export type DifferenceGroup = {
  /** Value of each column in `by`. An empty text is a missing value. */
  values: Record<string, string>;
  /** Number of series in the group. */
  seriesCount: number;
  /** Number of the group's rows that both scenarios have. */
  commonRows: number;
  /** Sum of the baseline's predictions over these rows. */
  baselineTotal: number;
  /** Sum of the scenario's predictions over these rows. */
  scenarioTotal: number;
  /** Difference of the group: the sum of its parts. */
  totalDifference: number;
  /** Parts of the group's difference, largest first. Without parts that are 0. */
  parts: ({
    /** Cause of this part. `input`: values of a feature. `upstream`: values of a feature that an upstream project predicts. `checkpoint`: the model, with inputs that only one of the two scenarios uses. `history`: earlier values of the target, and rows that only one of the two scenarios has, for models that use past values. `overrides`: values that people replaced or moved, in one of the two scenarios or both. `unexplained`: the remainder. */
    kind: "input" | "upstream" | "checkpoint" | "history" | "overrides" | "unexplained";
    /** Name of the input feature. `null` for other kinds. */
    feature: string | null;
    /** ID of the upstream project that predicts the feature. `null` unless `kind` is `upstream`. */
    projectId: string | null;
    /** For `history` and models that separate them: the effect on level and trend, or on the season. Absent otherwise. */
    component?: "level" | "season";
    /** Sum over all shared rows from `from` to `to`. */
    total: number;
  })[];
};

export type Extrapolation = {
  /** Total number of rows. */
  rowCount: number;
  /** Features with at least one row outside the training data. */
  features: ({
    /** Name of the input feature. */
    feature: string;
    /** Number of rows outside the training data. */
    rows: number;
    /** First row outside the training data, starting at 1. */
    firstRow: number;
    /** Time of the first row outside the training data. `null` if the rows have no times. */
    firstTimestamp: string | null;
    /** For numbers: value ranges of the input and of the training rows. `null` for other types. */
    range: {
      /** Minimum value of the input. */
      least: number;
      /** Maximum value of the input. */
      greatest: number;
      /** Minimum value of the training rows. */
      trainedMin: number;
      /** Maximum value of the training rows. */
      trainedMax: number;
    } | null;
    /** For categories: values that do not occur in the training rows, at most 100. `null` for other types. */
    unseen: (string)[] | null;
  })[];
  /** Spans of rows in which at least one feature is outside the training data, in order of time. At most 200: spans with the smallest gaps between them are joined. */
  spans: ({
    /** First row of the span, starting at 1. */
    firstRow: number;
    /** Last row of the span, inclusive. */
    lastRow: number;
    /** Time of the first row. `null` if the rows have no times. */
    from: string | null;
    /** Time of the last row. `null` if the rows have no times. */
    to: string | null;
    /** Features that are outside the training data in this span. */
    features: (string)[];
  })[];
};

export type GeneratedInputs = {
  /** Generated features, in the model's order. Empty if the input does not extend a series. */
  features: (GeneratedInput)[];
};

export type GeneratedInput = {
  /** Name of the input feature. */
  feature: string;
  /** Method that extended the feature: the one with the smallest back-test error. */
  method: string;
  /** Back-test error of the method over as many steps as were generated. Mean absolute error, or share of wrong values for categories and codes. `null` if the history is too short for a back-test. */
  error: number | null;
  /** Kind of `error`: mean absolute error, or share of wrong values. */
  errorKind: "absolute" | "share";
  /** Number of back-test origins. */
  origins: number;
  /** `true` if the values follow from the dates of the rows, without an error. Otherwise absent. */
  followsDate?: boolean;
  /** Number of rows whose value is in the dataset, because the row was planned. Absent if there are none. */
  plannedRows?: number;
  /** End of the known history, at most 240 points. */
  known: {
    /** Time of each point. */
    timestamps: (string)[];
    /** Value at each point: a number (booleans as 0 and 1) or a category. `null` if it is missing. */
    values: (number | string | null)[];
  };
  /** Generated values, at most 240 points. */
  generated: {
    /** Time of each point. */
    timestamps: (string)[];
    /** Value at each point: a number (booleans as 0 and 1) or a category. `null` if it is missing. */
    values: (number | string | null)[];
  };
};

export type GoalSeekResult = {
  /** Result of the search. `reached`: the setting meets the goal and the constraints; an `equal` goal is met within 1%. `closest`: it meets the constraints and misses the goal. `infeasible`: it misses a constraint. */
  status: "reached" | "closest" | "infeasible";
  /** Whether every setting was evaluated. Then no setting is better, and an infeasible problem has no solution. Otherwise the result is the best setting found. */
  isProven: boolean;
  /** Proven optimality gap: no setting is closer to the goal by more than this share of the goal's value. 0 if every setting was evaluated. `null` for `infeasible` and for a goal of 0. */
  gap: number | null;
  /** Number of settings that were evaluated. */
  evaluatedSettings: number;
  /** Number of possible settings: combinations of the levers' operands. */
  settings: number;
  /** Number of rows in the span. */
  rowCount: number;
  /** Best setting, as adjustments for a new scenario that is based on this one. */
  adjustments: (Adjustment)[];
  /** Statistic of the goal in the best setting. */
  goal: number | null;
  /** Statistic of each constraint in the best setting. */
  constraints: (number | null)[];
  /** Levers' inputs that the best setting moves outside the range of the training data. */
  outside: ({
    /** Name of the input feature. */
    feature: string;
    /** Number of its rows outside the training data. */
    rows: number;
  })[];
};

export type LiveModel = {
  /** Opaque model data in base64, readable only by this release's dashboard. `null` if only the service can predict the scenario: for imported models, for scenarios above the limits of previews, and above 16 MiB. */
  model: string | null;
};

export type OutlookPeriod = {
  /** Start of the period. */
  start: string;
  /** End of the period: the start of the next one. */
  end: string;
  /** Sum of the known actual values. `null` without any. */
  actual: number | null;
  /** Number of known actual values. */
  actualRows: number;
  /** Sum of the predictions, with overrides, of rows without an actual value. `null` without any. */
  forecast: number | null;
  /** Number of these predictions. */
  forecastRows: number;
  /** Actual values to date and forecast of the rest. `null` if overrides make it too large for a number. */
  total: number | null;
  /** Lower bound of the 90% prediction interval of the total. Only the forecast is uncertain. `null` if its interval is not known. */
  lower: number | null;
  /** Upper bound of the 90% prediction interval of the total. */
  upper: number | null;
};

export type ScenarioOverride = {
  /** Unique identifier of the override. */
  id: string;
  /** ID of the owning project. */
  projectId: string;
  /** ID of the scenario whose predictions it changes. */
  scenarioId: string;
  /** First time of the span. */
  from: string;
  /** Last time of the span, inclusive. */
  to: string;
  /** `set` replaces the predictions of the span, which then have no interval. `add` and `multiply` move the predictions and their intervals. */
  operation: "set" | "add" | "multiply";
  /** The new value, the number to add, or the factor, which must not be negative. */
  value: number;
  /** Reason for the override. */
  reason: string;
  /** Conditions on series and level columns that a row must all meet. `null`: all rows. */
  where: ({
    /** Name of the input feature to compare. */
    feature: string;
    /** Comparison operator. */
    operator: "=" | "!=" | "<" | "<=" | ">" | ">=";
    /** Value to compare with. */
    value: number | string | boolean;
  })[] | null;
  /** Time of creation. */
  createdAt: string;
  /** User identifier of the author. */
  createdBy: string;
};

export type Contributions = {
  /** Row numbers, as requested. */
  rows: (number)[];
  /** Method of the contributions. `exact`, or `sampled`: an approximation for models with unknown internals. */
  method: "exact" | "sampled";
  /** Scale of `baseValue` and `values`. On the scale `log_odds`, they add up to log(p / (1 - p)) of the predicted probability p. */
  scale: "prediction" | "log_odds";
  /** Expected prediction over the training data, on the `scale`. */
  baseValue: number;
  /** Names of the input features. */
  features: (string)[];
  /** Contributions of each row, one list per row, in the order of `features`. */
  values: ((number)[])[];
  /** The contributions split by kind and detail. A feature's parts add up to its contribution. */
  parts?: {
    /** Name of each part's feature, once per kind and detail. */
    features: (string)[];
    /** Kind of each part. `input`: values of the feature. `calendar`: calendar and holidays of the timestamp. `level`, `season`: level with trend, and season, of the series. `past`: earlier values of the target. */
    kinds: ("input" | "calendar" | "level" | "season" | "past")[];
    /** Derivation of the part from the feature, such as `hour of day` or `value 1 day earlier`. `null` for the feature's own values. */
    details?: (string | null)[];
    /** Parts of each row, one list per row, in the order of `features`. */
    values: ((number)[])[];
  };
  /** Prediction of each row: `baseValue` plus the row's contributions, on the `scale`. */
  predictions: (number)[];
};

export type PredictionRow = {
  /** Row number, starting at 1. */
  row: number;
  /** Time of the row. `null` if the row has no time. */
  timestamp: string | null;
  /** Predicted value. */
  prediction: number | null;
  /** Lower bound of the 90% prediction interval. */
  lower: number | null;
  /** Upper bound of the 90% prediction interval. */
  upper: number | null;
  /** Prediction intervals at the requested `levels`. */
  levels?: (Interval)[];
  /** Prediction without overrides. Present if the scenario has overrides. */
  calculated?: number | null;
  /** ID of the last override of the row. `null` without one. Present if the scenario has overrides. */
  overrideId?: string | null;
};

export type PredictionChart = {
  /** Number of rows of the whole series. */
  rowCount: number;
  /** Time of each point. */
  timestamps?: (string)[];
  /** Row number of each point. Present if the series has no times. */
  rows?: (number)[];
  /** Prediction at each point. */
  values: (number | null)[];
  /** Prediction without overrides at each point. Present if the scenario has overrides. */
  calculated?: (number | null)[];
  /** Lower bounds of the 90% prediction intervals. */
  lower: (number | null)[];
  /** Upper bounds of the 90% prediction intervals. */
  upper: (number | null)[];
  /** Prediction intervals at the requested `levels`. */
  levels?: (LevelBounds)[];
  buckets?: Buckets;
  /** Number of aggregated rows at each point. Absent if the points are rows. */
  rowCounts?: (number)[];
  /** Number of buckets from `from` to `to`, whether returned or not. */
  pointCount?: number;
  /** Aggregate of the actual values at each point, `null` unless every row has one. Present if the points are buckets. */
  actual?: (number | null)[] | null;
  /** Groups of series, in descending order of absolute total. Present if requested by `by`. Their sums add up to the chart. */
  groups?: ({
    /** Value of each column in `by`. An empty text is a missing value. */
    values: Record<string, string>;
    /** Number of series in the group. */
    seriesCount: number;
    /** The scenario's predictions of the group. */
    series: ({
      /** ID of the scenario. With `@` and the ID of the run if `ids` names a run. */
      scenarioId: string;
      /** Sum of the group's predictions at each point, or their mean with `combine=mean`. `null` without predictions. */
      values: (number | null)[];
      /** Lower bounds of the 90% prediction intervals. `null` if the errors of sums are not known. */
      lower: (number | null)[];
      /** Upper bounds of the 90% prediction intervals. `null` if the errors of sums are not known. */
      upper: (number | null)[];
      /** Prediction intervals at the requested `levels`. */
      levels?: (LevelBounds)[];
      /** Number of aggregated rows at each point. Absent if the points are rows. */
      rowCounts?: (number)[];
      /** Sum of the group's predictions from `from` to `to`, or their mean with `combine=mean`. */
      total: number | null;
    })[];
  })[];
};

export type ScenarioPreview = {
  /** Number of rows of the scenario, or of its chosen series. */
  rowCount: number;
  /** Time of each point. */
  timestamps?: (string)[];
  /** Row number of each point. Present if the scenario has no times. */
  rows?: (number)[];
  buckets?: Buckets;
  /** Predictions of the scenario. */
  saved: {
    /** Prediction at each point. */
    values: (number | null)[];
    /** Lower bounds of the 90% prediction intervals. */
    lower: (number | null)[];
    /** Upper bounds of the 90% prediction intervals. */
    upper: (number | null)[];
    /** Prediction intervals at the requested `levels`. */
    levels?: (LevelBounds)[];
    /** Number of aggregated rows at each point. Absent if the points are rows. */
    rowCounts?: (number)[];
  };
  /** Predictions with the adjustments, at the same points. */
  preview: {
    /** Prediction at each point. */
    values: (number | null)[];
    /** Lower bounds of the 90% prediction intervals. */
    lower: (number | null)[];
    /** Upper bounds of the 90% prediction intervals. */
    upper: (number | null)[];
    /** Prediction intervals at the requested `levels`. */
    levels?: (LevelBounds)[];
    /** Number of aggregated rows at each point. Absent if the points are rows. */
    rowCounts?: (number)[];
  };
  summary: Summary;
  /** Sum of the predictions with the adjustments, minus that of the scenario. */
  totalDifference: number | null;
  /** Interval of the total difference, from the uncertainty of the model's effects. `null` if it is not known or the rows differ. */
  totalDifferenceInterval?: Interval | null;
  /** Highest level, among 0.5, 0.8, 0.9 and 0.95, whose interval of the total difference excludes 0. `null` if none does. */
  differsAtLevel?: number | null;
  /** Total difference, in percent of the scenario's sum. */
  percentDifference: number | null;
  /** Number of rows that each adjustment changes. */
  changedRows: (number)[];
  /** Causes of the total difference, by rows. Present with `explain`. */
  explanation?: Explanation;
};

export type Summary = {
  /** Mean prediction. */
  mean: number | null;
  /** Minimum prediction. */
  min: number | null;
  /** Maximum prediction. */
  max: number | null;
  /** Sum of the predictions. */
  sum: number | null;
  /** Prediction of the first row. */
  first: number | null;
  /** Prediction of the last row. */
  last: number | null;
  /** Prediction interval of the sum. `null` if the model has no times or no prediction intervals. Absent for older scenarios. */
  sumInterval?: Interval | null;
  /** Prediction interval of the mean. Absent or `null` as `sumInterval` is. */
  meanInterval?: Interval | null;
  /** Share of the squared width of the prediction intervals that comes from generated inputs, 0 to 1. Includes predictions of upstream projects from generated inputs. `null` if no input was generated, or if their errors are not known. */
  generatedShare?: number | null;
  /** Prediction intervals of the sum at the requested `levels`. Only in comparisons. */
  sumLevels?: (Interval)[];
  /** Prediction intervals of the mean at the requested `levels`. Only in comparisons. */
  meanLevels?: (Interval)[];
};

export type Explanation = {
  /** Method of the split. `exact`: Shapley values. `sampled`: an estimate of them with the same exact sum. `none`: the scenario has too many rows for a model that uses past values of the target. */
  method: "exact" | "sampled" | "none";
  /** Scale of all totals, parts and differences. `log_odds` for probabilities of classes: sums of log(p / (1 - p)). Defaults to `prediction`. */
  scale?: "prediction" | "log_odds";
  /** Number of rows from `from` to `to` that both scenarios have. */
  commonRows: number;
  /** Number of rows that were split into parts. Totals are scaled up from these rows. */
  splitRows: number;
  /** Number of rows that only the scenario has. No part includes them. */
  onlyInScenario: number;
  /** Number of rows that only the baseline has. No part includes them. */
  onlyInBaseline: number;
  /** Sum of the baseline's predictions over the shared rows. */
  baselineTotal: number;
  /** Sum of the scenario's predictions over the shared rows. */
  scenarioTotal: number;
  /** Total difference: the sum of the totals of all parts. */
  totalDifference: number;
  /** Parts of the difference, largest first. */
  parts: (DifferencePart)[];
  /** Time of each point. */
  timestamps?: (string)[];
  /** Row number of each point. Present if one of the scenarios has no times. */
  rows?: (number)[];
  /** Difference at each point: the sum of the parts. */
  differences: (number | null)[];
};

export type Scenario = {
  /** Unique identifier of the scenario. */
  id: string;
  /** ID of the run that the record shows: the one that completed last, or the one that `run` or `asOf` chose. Until a run has completed, the first one. */
  runId: string;
  /** ID of the owning project. */
  projectId: string;
  /** Title of the scenario. */
  title: string;
  /** Free text. */
  description: string | null;
  /** Notes, on any number of lines. */
  notes: string | null;
  /** Tags, in the order in which they were set. */
  tags: (string)[];
  /** Hex colour for display. */
  color: string;
  /** Whether the scenario is archived. The dashboard's list hides archived scenarios. */
  archived: boolean;
  /** ID of the checkpoint that the scenario uses. `null` only if the job failed or was cancelled before the new checkpoint was saved. */
  checkpointId: string | null;
  /** Label of that checkpoint. */
  checkpointLabel: string | null;
  /** Status of the job of the shown run. Predictions exist once it is `Completed`, and remain while later runs wait or fail. */
  status: "Pending" | "Running" | "Completed" | "Failed" | "Cancelled";
  /** ID of the job that computed the shown run. */
  jobId: string;
  /** Source of the input. */
  source: "Upload" | "Generated" | "Clone";
  /** Original name of the uploaded file. */
  fileName: string | null;
  /** Requested end of the generated input. */
  endDate: string | null;
  /** ID of the scenario whose input this scenario started from. */
  baseScenarioId: string | null;
  /** Changes to the base scenario's input, in order. */
  adjustments: (Adjustment)[];
  /** Pinned checkpoints: ID of the upstream project → ID of its checkpoint. */
  dependentProjectCheckpoints: Record<string, string>;
  /** Pinned checkpoints whose upstream project now has a newer default checkpoint. */
  stalePins: (StalePinnedCheckpoint)[];
  /** Number of rows. `null` until it is known. */
  rowCount: number | null;
  /** Time of the first row. */
  firstTimestamp: string | null;
  /** Time of the last row. */
  lastTimestamp: string | null;
  /** Time of the last row that was known when the shown run completed. `null` before, without times, and for uploads of earlier versions of the service; lists have `null` for all runs of those. */
  knownUntil: string | null;
  /** Time of the completion of the shown run. `null` until then. */
  completedAt: string | null;
  /** Summary of the predictions, with active overrides. `null` until they exist. */
  summary: Summary | null;
  /** Summary of the predictions without overrides. Present while an override is active. */
  calculatedSummary?: Summary;
  /** Warnings that do not prevent the use of the input. */
  warnings: (Warning)[];
  /** Time of creation. */
  createdAt: string;
  /** User identifier of the creator. */
  createdBy: string;
};

export type StalePinnedCheckpoint = {
  /** ID of the upstream project. */
  projectId: string;
  /** ID of the pinned checkpoint that the scenario uses. */
  checkpointId: string;
  /** Label of the pinned checkpoint. */
  label: string;
  /** ID of the upstream project's default checkpoint, which is newer. */
  defaultCheckpointId: string;
  /** Label of the newer checkpoint. */
  defaultLabel: string;
};

export type ScenarioRows = {
  /** Total number of rows. */
  rowCount: number;
  /** Columns of the input, in the model's order. */
  columns: ({
    /** Name of the input feature. */
    name: string;
    /** Type of the values. */
    type: "number" | "category" | "boolean" | "timestamp";
    /** Whether an upstream checkpoint predicted the values. */
    computed: boolean;
  })[];
  /** Rows, in the order of the input. */
  rows: ({
    /** Row number, starting at 1. */
    row: number;
    /** Time of the row. `null` if the row has no time. */
    timestamp: string | null;
    /** Predicted value. */
    prediction: number | null;
    /** Lower bound of the 90% prediction interval. */
    lower: number | null;
    /** Upper bound of the 90% prediction interval. */
    upper: number | null;
    /** Prediction intervals at the requested `levels`. */
    levels?: (Interval)[];
    /** Prediction without overrides. Present if the scenario has overrides. */
    calculated?: number | null;
    /** ID of the last override of the row. `null` without one. Present if the scenario has overrides. */
    overrideId?: string | null;
    /** Input values, in the order of `columns`. Times are in ISO 8601. `null` means missing. */
    input: (number | string | boolean | null)[];
  })[];
};

export type ScenarioRun = {
  /** Unique identifier of the run. */
  id: string;
  /** ID of the scenario. */
  scenarioId: string;
  /** ID of the checkpoint that the run uses. An earlier run keeps the ID, but does not keep its checkpoint from deletion. `null` if a new checkpoint was never saved. */
  checkpointId: string | null;
  /** Label of that checkpoint. */
  checkpointLabel: string | null;
  /** Time of the last row that was known when the run completed. `null` before, without times, and for uploads of earlier versions of the service. */
  knownUntil: string | null;
  /** Number of rows. `null` until it is known. */
  rowCount: number | null;
  /** Time of the first row. */
  firstTimestamp: string | null;
  /** Time of the last row. */
  lastTimestamp: string | null;
  /** Summary of the predictions, with active overrides. `null` until they exist. */
  summary: Summary | null;
  /** Summary of the predictions without overrides. Present while an override is active. */
  calculatedSummary?: Summary;
  /** Status of the run's job. */
  status: "Pending" | "Running" | "Completed" | "Failed" | "Cancelled";
  /** ID of the job that computes the run. */
  jobId: string;
  /** Time of the request. */
  createdAt: string;
  /** User identifier of the creator. */
  createdBy: string;
  /** Time of completion. `null` until then. */
  completedAt: string | null;
};

export type RunAccepted = {
  /** ID of the job that computes the run. */
  jobId: string;
  /** Status of the job: `Pending` at first. */
  status: "Pending" | "Running" | "Completed" | "Failed" | "Cancelled";
  /** ID of the run. */
  runId: string;
  /** ID of the scenario. */
  scenarioId: string;
  /** ID of the checkpoint that the run uses, new or existing. */
  checkpointId: string;
};

export type Sensitivity = {
  /** Change of each numeric input: `percent`, `deviation` or `range`. */
  change: "percent" | "deviation" | "range";
  /** Number of rows in the span. */
  rowCount: number;
  /** Number of rows that were evaluated. */
  evaluatedRows: number;
  /** Evaluated rows. `all`: every row of the span. `spread`: every n-th row, for long spans. `first`: the first rows, for long spans of models whose rows use earlier predictions. */
  sample: "all" | "spread" | "first";
  /** Number of training rows that the model keeps, for deviations and densities. */
  trainingRows: number;
  /** Mean prediction of the evaluated rows. */
  mean: number | null;
  /** Sum of the predictions over the span: the mean times the number of rows. */
  sum: number | null;
  /** Number of inputs beyond the first 100, which were not changed. */
  omittedFeatures: number;
  /** Features with their effects, largest effect first. */
  features: (SensitivityFeature)[];
};

export type SensitivityFeature = {
  /** Name of the input feature. */
  feature: string;
  /** Type of the values. */
  type: "number" | "category" | "boolean" | "timestamp";
  /** For the role `upstream`: ID of the project that predicts the feature. Otherwise `null`. */
  sourceProjectId: string | null;
  /** Effect of each change. Empty if the training data does not define the change. */
  effects: (SensitivityEffect)[];
  /** For numbers: the scenario's own values over the evaluated rows. */
  values: {
    /** Minimum. */
    min: number;
    /** Maximum. */
    max: number;
    /** Mean. */
    mean: number;
  } | null;
  /** For numbers: response curve over the feature's range in the training data. */
  curve?: ResponseCurve | null;
  /** For numbers: distribution of the training rows that the model keeps. `null` without such rows. */
  density?: TrainingDensity | null;
};

export type SensitivityEffect = {
  /** The change. A scenario made from this one with this adjustment has the same difference, over the chosen series. */
  adjustment: Adjustment;
  /** Change of the mean prediction over the span. `null` if it cannot be computed. */
  meanDifference: number | null;
  /** Change of the sum of the predictions over the span. */
  sumDifference: number | null;
  /** For booleans and categories: number of kept training rows with this value. */
  trainingRows: number | null;
};

export type ResponseCurve = {
  /** Values of the feature, ascending. */
  values: (number)[];
  /** Mean prediction over the span with the feature set to each value in all rows. */
  means: (number | null)[];
};

export type TrainingDensity = {
  /** Start of the first bin. */
  from: number;
  /** End of the last bin. */
  to: number;
  /** Number of kept training rows in each bin. All bins have the same width. */
  counts: (number)[];
};

export type Stability = {
  /** ID of the scenario. */
  scenarioId: string;
  /** Mean absolute change from each run to the next, divided by the mean absolute forecast of the former run, over all pairs of runs. `null` if no pair has a change. */
  relativeChange: number | null;
  /** Number of compared forecasts of all pairs of runs. */
  rows: number;
  /** Each completed run that has a former one, newest first. */
  runs: ({
    /** ID of the run. */
    runId: string;
    /** ID of the run before it. */
    formerRunId: string;
    /** Time of completion of the run. */
    completedAt: string;
    /** Number of times that both runs predict and the newer one did not know. */
    rows: number;
    /** Mean absolute change from the former run. `null` without common times. */
    meanAbsoluteChange: number | null;
    /** Mean absolute change divided by the mean absolute forecast of the former run: 0.05 is a forecast that moved by 5%. `null` without common times, or if the former forecast is 0. */
    relativeChange: number | null;
  })[];
};

export type Comparison = {
  /** ID of the baseline scenario, as in `scenarios`. */
  baselineId: string;
  /** Compared scenarios, in the order of `ids`. */
  scenarios: ({
    /** ID of the scenario. With `@` and the ID of the run if `ids` names a run. */
    id: string;
    /** ID of the compared run. */
    runId: string;
    /** Title of the scenario. */
    title: string;
    /** Hex colour for display. */
    color: string;
    /** ID of the scenario's checkpoint. */
    checkpointId: string | null;
    /** Label of that checkpoint. */
    checkpointLabel: string | null;
    /** Total number of rows. */
    rowCount: number;
    summary: Summary;
    /** Time of completion of the run. Present if `ids` names a run. */
    completedAt?: string;
  })[];
  /** Time of each point. */
  timestamps?: (string)[];
  /** Row number of each point. Present if one of the scenarios has no times. */
  rows?: (number)[];
  buckets?: Buckets;
  /** Number of points from `from` to `to`, whether returned or not. */
  pointCount: number;
  /** Span from `from` to `to` that all scenarios cover which share rows with the baseline. As `from` and `to`, it makes sums and means comparable. `null` if there is no such span. */
  commonSpan?: {
    /** First time, or row number. */
    from: string;
    /** Last time, or row number. */
    to: string;
  } | null;
  /** Series of each scenario, in the order of `scenarios`. */
  series: ({
    /** ID of the scenario, as in `scenarios`. */
    scenarioId: string;
    /** Prediction at each point. `null` if the scenario has no value. */
    values: (number | null)[];
    /** Lower bounds of the 90% prediction intervals. */
    lower: (number | null)[];
    /** Upper bounds of the 90% prediction intervals. */
    upper: (number | null)[];
    /** Prediction intervals at the requested `levels`. */
    levels?: (LevelBounds)[];
    /** Difference from the baseline at each point. `null` if the scenario or the baseline has no value. Of a bucket: the aggregate of the differences at the rows that both have. */
    differences: (number | null)[];
    /** Cumulative difference from the baseline since the first point. Includes points that are not returned. */
    cumulative: (number | null)[];
    /** Number of aggregated rows at each point. Absent if the points are rows. */
    rowCounts?: (number)[];
    /** Number of the scenario's rows from `from` to `to`. */
    rowCount?: number;
    /** Number of these rows that have a prediction. The summary covers them. */
    valueCount?: number;
    /** Summary of the scenario's predictions from `from` to `to`. */
    summary?: Summary;
    /** Sum of the differences. */
    totalDifference: number | null;
    /** Interval of the total difference, from the uncertainty of the model's effects. `null` if it is not known or the rows differ. */
    totalDifferenceInterval?: Interval | null;
    /** Highest level, among 0.5, 0.8, 0.9 and 0.95, whose interval of the total difference excludes 0. `null` if none does. */
    differsAtLevel?: number | null;
    /** Sum of the differences, in percent of the baseline's sum. */
    percentDifference: number | null;
  })[];
  /** Actual value at each point, `null` if it is not known yet. The field is `null` if no actual value is known. */
  actual: (number | null)[] | null;
  /** Differences between the scenarios in inputs, checkpoints and upstream checkpoints. */
  differs: {
    /** Input features whose values differ. */
    inputs: ({
      /** Name of the input feature. */
      feature: string;
      /** Scenarios whose values differ from the baseline, as in `scenarios`. */
      scenarioIds: (string)[];
      /** Number of rows with different values. */
      changedRows: number;
      /** Differences from the baseline by scenario. Absent for inputs without numbers. */
      amounts?: ({
        /** ID of the scenario, as in `scenarios`. */
        scenarioId: string;
        /** Number of rows whose number differs from the baseline. */
        rows: number;
        /** Mean difference from the baseline in these rows. */
        mean: number;
        /** Smallest difference. */
        min: number;
        /** Largest difference. */
        max: number;
      })[];
    })[];
    /** Checkpoints in use. Empty if all scenarios use the same checkpoint. */
    checkpoints: ({
      /** ID of the upstream project. `null` for the project's own checkpoint. */
      projectId: string | null;
      /** ID of the checkpoint. */
      checkpointId: string;
      /** Label of the checkpoint. */
      label: string;
      /** Scenarios that use the checkpoint, as in `scenarios`. */
      scenarioIds: (string)[];
    })[];
    /** Upstream checkpoints in use. Empty if all scenarios use the same upstream checkpoints. */
    dependentCheckpoints: ({
      /** ID of the upstream project. `null` for the project's own checkpoint. */
      projectId: string | null;
      /** ID of the checkpoint. */
      checkpointId: string;
      /** Label of the checkpoint. */
      label: string;
      /** Scenarios that use the checkpoint, as in `scenarios`. */
      scenarioIds: (string)[];
    })[];
  };
  /** Groups of series, in descending order of absolute total of the baseline. Present if requested by `by`. Their sums add up to `series`. */
  groups?: ({
    /** Value of each column in `by`. An empty text is a missing value. */
    values: Record<string, string>;
    /** Number of series in the group. */
    seriesCount: number;
    /** Predictions of the group by each scenario, in the order of `scenarios`. */
    series: ({
      /** ID of the scenario. With `@` and the ID of the run if `ids` names a run. */
      scenarioId: string;
      /** Sum of the group's predictions at each point, or their mean with `combine=mean`. `null` without predictions. */
      values: (number | null)[];
      /** Lower bounds of the 90% prediction intervals. `null` if the errors of sums are not known. */
      lower: (number | null)[];
      /** Upper bounds of the 90% prediction intervals. `null` if the errors of sums are not known. */
      upper: (number | null)[];
      /** Prediction intervals at the requested `levels`. */
      levels?: (LevelBounds)[];
      /** Number of aggregated rows at each point. Absent if the points are rows. */
      rowCounts?: (number)[];
      /** Sum of the group's predictions from `from` to `to`, or their mean with `combine=mean`. */
      total: number | null;
      /** Difference from the baseline at each point. `null` if the scenario or the baseline has no value. */
      differences: (number | null)[];
      /** Cumulative difference from the baseline since the first point. */
      cumulative: (number | null)[];
      /** Sum of the differences. */
      totalDifference: number | null;
      /** Sum of the differences, in percent of the baseline's sum. */
      percentDifference: number | null;
    })[];
  })[];
};

export type Extrapolations = {
  /** Extrapolation of each scenario, in the order of `ids`. */
  scenarios: ({
    /** Total number of rows. */
    rowCount: number;
    /** Features with at least one row outside the training data. */
    features: ({
      /** Name of the input feature. */
      feature: string;
      /** Number of rows outside the training data. */
      rows: number;
      /** First row outside the training data, starting at 1. */
      firstRow: number;
      /** Time of the first row outside the training data. `null` if the rows have no times. */
      firstTimestamp: string | null;
      /** For numbers: value ranges of the input and of the training rows. `null` for other types. */
      range: {
        /** Minimum value of the input. */
        least: number;
        /** Maximum value of the input. */
        greatest: number;
        /** Minimum value of the training rows. */
        trainedMin: number;
        /** Maximum value of the training rows. */
        trainedMax: number;
      } | null;
      /** For categories: values that do not occur in the training rows, at most 100. `null` for other types. */
      unseen: (string)[] | null;
    })[];
    /** Spans of rows in which at least one feature is outside the training data, in order of time. At most 200: spans with the smallest gaps between them are joined. */
    spans: ({
      /** First row of the span, starting at 1. */
      firstRow: number;
      /** Last row of the span, inclusive. */
      lastRow: number;
      /** Time of the first row. `null` if the rows have no times. */
      from: string | null;
      /** Time of the last row. `null` if the rows have no times. */
      to: string | null;
      /** Features that are outside the training data in this span. */
      features: (string)[];
    })[];
    /** ID of the scenario. */
    scenarioId: string;
  })[];
};

export type ScenarioFilters = {
  /** Tags of the project's scenarios, most frequent first: at most 200. */
  tags: ({
    /** Tag. */
    tag: string;
    /** Number of scenarios with the tag. */
    count: number;
  })[];
  /** Creators of the project's scenarios, most frequent first: at most 200. */
  authors: ({
    /** User identifier of the creator. */
    id: string;
    /** Name of the creator. `null` for a former member. */
    name: string | null;
    /** Number of scenarios that the user created. */
    count: number;
  })[];
  /** Number of archived scenarios. */
  archived: number;
};

export type ScenarioAccepted = {
  /** ID of the job that computes the predictions. */
  jobId: string;
  /** Status of the job: `Pending` at creation. */
  status: "Pending" | "Running" | "Completed" | "Failed" | "Cancelled";
  /** ID of the scenario. */
  scenarioId: string;
  /** ID of the checkpoint that the scenario uses, new or existing. */
  checkpointId: string;
};

export type ScenarioValidation = {
  /** Whether columns, cells and adjustments fit the model. Creation also checks that missing upstream features can be computed. */
  valid: boolean;
  /** Number of rows, excluding the header. */
  rowCount: number;
  /** The first 100 issues, by row and column, then one entry with the number of further ones. */
  faults: (ErrorDetail)[];
  /** Warnings that do not prevent the use of the input. */
  warnings: (Warning)[];
  /** How the file is read: as the training data. Absent for base scenarios. */
  reading?: Reading;
  /** Number of rows that each adjustment changes. Present if all adjustments can be applied. */
  changedRows?: (number)[];
};

export type ListedSeries = {
  /** Unique identifier of the series. Stays the same for the same values within a project. */
  id: string;
  /** Values of the series columns. */
  values: Record<string, string>;
  /** Number of rows. */
  rowCount: number;
  /** Time of the first row. */
  firstTimestamp: string;
  /** Time of the last row. */
  lastTimestamp: string;
  /** Number of steps without a row between the first and last time. 0 without a regular step. */
  gaps: number;
  /** Metrics of the current model on this series in back-tests: `mase`, `wape`, `bias`, and `actual`, the sum of the actual values. `null` without a model or back-tests; of older models, only the worst and largest series have metrics. */
  metrics: Record<string, number | null> | null;
};

export type ProjectSpace = {
  /** Bytes that the project has in store. */
  bytes: number;
  /** Most bytes that the project may have in store. */
  limitBytes: number;
  /** The same bytes by what they are stored for. */
  byKind: {
    /** Bytes of all models, including former ones. */
    models: number;
    /** Bytes of all checkpoints. */
    checkpoints: number;
    /** Bytes of the versions of the dataset. Rows that versions share count once. */
    datasets: number;
    /** Bytes of the inputs and predictions of all scenarios. */
    scenarios: number;
    /** Bytes of uploads of the last 24 hours, used or not. */
    uploads: number;
    /** Bytes reserved by uploads and jobs that are storing files now. */
    beingWritten: number;
  };
  /** Uploads that no dataset, scenario or import has used yet. */
  openUploads: {
    /** Number of uploads that are not yet used, including those still arriving. */
    count: number;
    /** Most uploads that may be open at a time. */
    limitCount: number;
    /** Bytes of these uploads. */
    bytes: number;
    /** Most bytes that open uploads may have together. */
    limitBytes: number;
  };
};

export type TrackRecord = {
  /** Name of the predicted column. `null` without a model. */
  target: string | null;
  /** Time of the project's last actual value. */
  knownUntil: string | null;
  /** Whether the values are totals of many series. Totals have no naive forecast. */
  isTotal: boolean;
  /** Number of runs whose predictions were compared. */
  runs: number;
  /** Number of runs that were not read. The latest 100 are, with at most 1,000,000 rows. */
  omittedRuns: number;
  /** Human-readable reason why nothing can be compared. `null` if there is something to compare. */
  reason: string | null;
  /** Name of the naive forecast that training used, such as `seasonal naive, 7 steps`. */
  baselineName: string | null;
  /** Errors over all compared predictions. A time counts once for each run that predicted it. */
  errors: ForecastErrors | null;
  /** Errors by the number of steps that were predicted ahead, in ascending order. */
  horizons: (HorizonErrors)[];
  /** Period by which `periods` groups the rows. */
  period: "day" | "week" | "month";
  /** IANA time zone in which each period begins. */
  timezone: string;
  /** Errors by period, in order of time. Periods without rows are omitted. */
  periods: (RecordPeriod)[];
  /** Errors of the predictions that overrides changed before the actual value arrived. A row counts for the last override that applies to it. `null` without any. */
  overrides: OverrideRecord | null;
  /** Time of each point. */
  timestamps: (string)[];
  /** Actual value at each point. `null` if it is not known. */
  actual: (number | null)[];
  /** Prediction at each point. */
  predicted: (number | null)[];
  /** Lower bounds of the 90% prediction intervals. */
  lower: (number | null)[];
  /** Upper bounds of the 90% prediction intervals. */
  upper: (number | null)[];
  /** Naive forecast at each point. */
  baseline: (number | null)[];
};

export type HorizonErrors = {
  /** Number of rows whose actual value is known. */
  rows: number;
  /** Root mean squared error, in the target's unit. */
  rmse: number | null;
  /** Mean absolute error, in the target's unit. */
  mae: number | null;
  /** Mean of predicted minus actual values. Positive if predictions are too high. */
  bias: number | null;
  /** Share of the actual values inside the 90% prediction interval. `null` if the model has no intervals. */
  coverage: number | null;
  /** Mean negative logarithm of the probability of the actual class. */
  logLoss?: number | null;
  /** Mean squared difference between the probability and the class as 0 or 1. */
  brier?: number | null;
  /** Area under the ROC curve. `null` if only one class occurs. */
  auc?: number | null;
  /** Share of rows whose predicted class, at the threshold 0.5, is the actual one. */
  accuracy?: number | null;
  /** Errors of the naive forecast of the same rows. For classes: of the base rate. */
  baseline: {
    /** Root mean squared error of the naive forecast. */
    rmse: number | null;
    /** Mean absolute error of the naive forecast. */
    mae: number | null;
    /** Mean negative logarithm of the probability of the actual class. */
    logLoss?: number | null;
    /** Mean squared difference between the probability and the class as 0 or 1. */
    brier?: number | null;
    /** Area under the ROC curve. `null` if only one class occurs. */
    auc?: number | null;
    /** Share of rows whose predicted class, at the threshold 0.5, is the actual one. */
    accuracy?: number | null;
  };
  /** First number of steps after the last row that the run knew. */
  fromStep: number;
  /** Last number of these steps. */
  toStep: number;
};

export type OverrideRecord = {
  /** Number of compared predictions that an override changed. */
  rows: number;
  /** Errors of the predictions with overrides. */
  effective: {
    /** Root mean squared error. */
    rmse: number | null;
    /** Mean absolute error. */
    mae: number | null;
  };
  /** Errors of the calculated predictions. */
  calculated: {
    /** Root mean squared error. */
    rmse: number | null;
    /** Mean absolute error. */
    mae: number | null;
  };
  /** Errors of the naive forecast. */
  baseline: {
    /** Root mean squared error. */
    rmse: number | null;
    /** Mean absolute error. */
    mae: number | null;
  };
  /** Errors by period, in order of time. */
  periods: ({
    /** Number of compared predictions that an override changed. */
    rows: number;
    /** Errors of the predictions with overrides. */
    effective: {
      /** Root mean squared error. */
      rmse: number | null;
      /** Mean absolute error. */
      mae: number | null;
    };
    /** Errors of the calculated predictions. */
    calculated: {
      /** Root mean squared error. */
      rmse: number | null;
      /** Mean absolute error. */
      mae: number | null;
    };
    /** Errors of the naive forecast. */
    baseline: {
      /** Root mean squared error. */
      rmse: number | null;
      /** Mean absolute error. */
      mae: number | null;
    };
    /** Start of the period. */
    from: string;
    /** End of the period, exclusive. */
    to: string;
  })[];
  /** Errors by author, most rows first. At most 20. */
  authors: ({
    /** Number of compared predictions that an override changed. */
    rows: number;
    /** Errors of the predictions with overrides. */
    effective: {
      /** Root mean squared error. */
      rmse: number | null;
      /** Mean absolute error. */
      mae: number | null;
    };
    /** Errors of the calculated predictions. */
    calculated: {
      /** Root mean squared error. */
      rmse: number | null;
      /** Mean absolute error. */
      mae: number | null;
    };
    /** Errors of the naive forecast. */
    baseline: {
      /** Root mean squared error. */
      rmse: number | null;
      /** Mean absolute error. */
      mae: number | null;
    };
    /** User identifier of the author. */
    author: string;
  })[];
  /** Errors by reason, most rows first. At most 20. */
  reasons: ({
    /** Number of compared predictions that an override changed. */
    rows: number;
    /** Errors of the predictions with overrides. */
    effective: {
      /** Root mean squared error. */
      rmse: number | null;
      /** Mean absolute error. */
      mae: number | null;
    };
    /** Errors of the calculated predictions. */
    calculated: {
      /** Root mean squared error. */
      rmse: number | null;
      /** Mean absolute error. */
      mae: number | null;
    };
    /** Errors of the naive forecast. */
    baseline: {
      /** Root mean squared error. */
      rmse: number | null;
      /** Mean absolute error. */
      mae: number | null;
    };
    /** Reason for the override. */
    reason: string;
  })[];
};

export type ListedUpload = {
  /** Unique identifier of the upload, to send as `uploadId`. */
  id: string;
  /** ID of the owning project. */
  projectId: string;
  /** Size of the stored file in bytes. */
  bytes: number;
  /** Time at which the file was stored. */
  createdAt: string;
  /** User identifier of the creator. */
  createdBy: string;
  /** Time after which the service deletes the upload. */
  expiresAt: string;
};

export type Upload = {
  /** ID of the upload, to send in place of `fileData`. */
  uploadId: string;
  /** Size of the stored file in bytes. */
  bytes: number;
};

export type Delivery = {
  /** Unique identifier of the delivery. */
  id: string;
  /** ID of the webhook. */
  webhookId: string;
  /** ID of the event, which every attempt sends as `webhook-id`. */
  eventId: string;
  /** Name of the event, or `webhook-test`. */
  type: string;
  /** `Pending`: the next attempt follows. `Delivered`: the receiver answered with a status from 200 to 299. `Failed`: no attempt follows. */
  status: "Pending" | "Delivered" | "Failed";
  /** Number of attempts since the event or since it was last sent again. */
  attempts: number;
  /** HTTP status of the last answer. `null` without an answer. */
  responseStatus: number | null;
  /** Start of the last answer's body, at most 1 kB. `null` without an answer. */
  responseBody: string | null;
  /** Reason why the last attempt failed. `null` if it did not. */
  error: string | null;
  /** Time of the event. */
  createdAt: string;
  /** Time of the last attempt. `null` before the first one. */
  lastAttemptAt: string | null;
  /** Time of the next attempt. `null` if none follows. */
  nextAttemptAt: string | null;
};

export type WebhookWithSecret = {
  /** Unique identifier of the webhook. */
  id: string;
  /** ID of the owning project. */
  projectId: string;
  /** Address that receives the events. */
  url: string;
  /** Names of the events that are sent. */
  events: ("checkpoint-created" | "checkpoint-failed" | "checkpoint-deleted" | "job-updated" | "scenario-completed" | "scenario-failed" | "model-trained" | "default-changed" | "checkpoint-updated" | "scenario-updated" | "scenario-deleted" | "project-updated" | "dataset-changed")[];
  /** Format of the body. `standard`: the event as JSON, by Standard Webhooks. `slack` and `teams`: a short message for an incoming webhook of Slack, or of a workflow of Microsoft Teams. */
  format: "standard" | "slack" | "teams";
  /** Whether events are sent. */
  enabled: boolean;
  /** Time at which the webhook was disabled. `null` if it is enabled. */
  disabledAt: string | null;
  /** Reason why the webhook is disabled: `requested` by a user, `gone` if the receiver answered 410, `failing` if all attempts of a delivery failed and the receiver accepted no other. `null` if it is enabled. */
  disabledReason: "requested" | "gone" | "failing" | null;
  /** Time until which deliveries also carry a signature by the previous secret. `null` if the last rotation had no overlap. */
  previousSecretExpiresAt: string | null;
  /** Time of the last rotation of the secret. `null` if it was not rotated. */
  rotatedAt: string | null;
  /** Time of creation. */
  createdAt: string;
  /** ID of the user who created the webhook. */
  createdBy: string;
  /** Secret that signs deliveries: `whsec_` and 32 bytes in base64. The service returns it only once. */
  secret: string;
};

export type Webhook = {
  /** Unique identifier of the webhook. */
  id: string;
  /** ID of the owning project. */
  projectId: string;
  /** Address that receives the events. */
  url: string;
  /** Names of the events that are sent. */
  events: ("checkpoint-created" | "checkpoint-failed" | "checkpoint-deleted" | "job-updated" | "scenario-completed" | "scenario-failed" | "model-trained" | "default-changed" | "checkpoint-updated" | "scenario-updated" | "scenario-deleted" | "project-updated" | "dataset-changed")[];
  /** Format of the body. `standard`: the event as JSON, by Standard Webhooks. `slack` and `teams`: a short message for an incoming webhook of Slack, or of a workflow of Microsoft Teams. */
  format: "standard" | "slack" | "teams";
  /** Whether events are sent. */
  enabled: boolean;
  /** Time at which the webhook was disabled. `null` if it is enabled. */
  disabledAt: string | null;
  /** Reason why the webhook is disabled: `requested` by a user, `gone` if the receiver answered 410, `failing` if all attempts of a delivery failed and the receiver accepted no other. `null` if it is enabled. */
  disabledReason: "requested" | "gone" | "failing" | null;
  /** Time until which deliveries also carry a signature by the previous secret. `null` if the last rotation had no overlap. */
  previousSecretExpiresAt: string | null;
  /** Time of the last rotation of the secret. `null` if it was not rotated. */
  rotatedAt: string | null;
  /** Time of creation. */
  createdAt: string;
  /** ID of the user who created the webhook. */
  createdBy: string;
};

export type ProjectOverview = {
  /** Unique identifier of the project. */
  id: string;
  /** Name of the project. */
  name: string;
  /** Free text. */
  description: string | null;
  /** Name of the column that the project's models predict. `null` until the project has a dataset or a model. */
  target: string | null;
  /** Whether the project has a dataset. `false` for a new project, and if its only model was imported. */
  hasDataset: boolean;
  /** Latest trained or imported model. `null` until the project has one. */
  currentModel: {
    /** ID of the model. */
    id: string;
    /** Name of the algorithm, or of the imported model. */
    modelName: string;
    /** Metric by which the model is judged. */
    targetMetric: string;
    /** Target metric on the validation rows. `null` if there were none. */
    primaryMetricValue: number | null;
    /** Time at which the model was trained or imported. */
    trainedAt: string;
  } | null;
  /** ID of the checkpoint that predictions use by default. */
  defaultCheckpointId: string | null;
  /** Upstream projects whose predictions are input features of this project. */
  dependencies: (Dependency)[];
  /** Access of users. `open`: every analyst of the service is an analyst in the project. `restricted`: only the listed members and admins of the service have a role in it. */
  access: "open" | "restricted";
  /** Time of creation. */
  createdAt: string;
  /** User identifier of the creator. */
  createdBy: string;
  /** Label of the default checkpoint. */
  defaultCheckpointLabel: string | null;
  /** Latest scenario. `null` if the project has none. */
  lastScenario: {
    /** ID of the scenario. */
    id: string;
    /** Title of the scenario. */
    title: string;
    /** Hex colour for display. */
    color: string;
    /** Status of the scenario's job. */
    status: "Pending" | "Running" | "Completed" | "Failed" | "Cancelled";
    /** Time of creation. */
    createdAt: string;
  } | null;
  /** Number of jobs that are `Pending` or `Running`. */
  openJobs: number;
  /** Role of the caller in the project. `null` for an API key. */
  role: "viewer" | "analyst" | "admin" | null;
};

export type RealtimeConnection = {
  /** App key. */
  key: string;
  /** Host of the channel server. */
  host: string;
  /** Port of the channel server. */
  port: number;
  /** Whether to connect over TLS. */
  tls: boolean;
  /** Path prefix before `/app/…`. Present if the channel server has such a prefix. */
  path?: string;
  /** Name of the project's channel, `private-project-<projectId>`. */
  channel: string;
};

export type SharedComparison = {
  /** Name of the saved comparison. */
  name: string;
  /** Time at which the link expires. */
  expiresAt: string;
  /** The project, with the display of the target alone. */
  project: {
    /** Name of the project. */
    name: string;
    /** Name of the column that the project's models predict. `null` until the project has a dataset or a model. */
    target: string | null;
    /** Display names, units and decimals of the target and other columns, by column name. */
    display: Record<string, ColumnDisplay>;
    /** Units of the current dataset's number formats, by column name. */
    units: Record<string, string>;
    /** IANA time zone of the current dataset, in which its days begin. `null` without a dataset. */
    timezone: string | null;
    /** Step of the current dataset as an ISO 8601 duration. `null` without a dataset, or without a regular step. */
    frequency: string | null;
  };
  comparison: Comparison;
};

export type SignedIn = {
  /** Always `false`. */
  redirect: boolean;
  /** Token of the session. Authentication uses the cookie, not this token. */
  token: string;
  /** The signed-in user. */
  user: {
    /** User identifier. */
    id: string;
    /** Name of the user. */
    name: string;
    /** Email address with which the user signed in. */
    email: string;
  };
};

export type PasswordResetRequested = {
  /** Human-readable message, the same for every address. */
  message: string;
};

export type PasswordWasReset = {
  /** Human-readable message. */
  message: string;
};

export type SignedOut = {
  /** Always `true`: the session has ended. */
  success: boolean;
};

export type Session = {
  /** The session. */
  session: {
    /** ID of the signed-in user. */
    userId: string;
    /** Time at which the session expires if it is not used before. */
    expiresAt: string;
  };
  /** The signed-in user. */
  user: {
    /** User identifier. */
    id: string;
    /** Name of the user. */
    name: string;
    /** Email address with which the user signed in. */
    email: string;
  };
} | null;

export type Failure = {
  /** Always `false`: the request changed nothing. */
  success: false;
  /** The error. */
  error: {
    /** Machine-readable code, one of a closed set. */
    code: "malformed_json" | "validation_failed" | "input_invalid" | "no_trained_model" | "checkpoint_limit_reached" | "duplicate_label" | "checkpoint_in_use" | "comparison_limit_reached" | "webhook_limit_reached" | "quota_exceeded" | "dependency_has_no_model" | "dependency_checkpoint_required" | "dependency_unknown" | "dependency_cycle" | "job_not_cancellable" | "job_not_retryable" | "no_dataset" | "api_key_missing" | "api_key_invalid" | "session_required" | "forbidden" | "project_not_found" | "checkpoint_not_found" | "scenario_not_found" | "run_not_found" | "override_not_found" | "series_not_found" | "comparison_not_found" | "job_not_found" | "api_key_not_found" | "dataset_not_found" | "model_not_found" | "version_not_found" | "upload_not_found" | "webhook_not_found" | "delivery_not_found" | "member_not_found" | "not_found" | "method_not_allowed" | "idempotency_in_progress" | "scenario_not_ready" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "rate_limited" | "internal_error" | "service_unavailable";
    /** Human-readable message: the problem, its location and how to fix it. */
    message: string;
    /** All issues found: at most 100, followed by the number of further issues. */
    details?: (ErrorDetail)[];
    /** ID of the request, as in the header `X-Request-Id`. */
    requestId: string;
  };
};
