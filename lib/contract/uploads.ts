import { z } from "zod";
import { Id, Instant } from "./common.ts";

export const Upload = z
  .object({
    uploadId: Id.describe("ID of the upload, to send in place of `fileData`."),
    bytes: z.number().int().describe("Size of the stored file in bytes."),
  })
  .meta({ id: "Upload" });

export const ListedUpload = z
  .object({
    id: Id.describe("Unique identifier of the upload, to send as `uploadId`."),
    projectId: Id.describe("ID of the owning project."),
    bytes: z.number().int().describe("Size of the stored file in bytes."),
    createdAt: Instant.describe("Time at which the file was stored."),
    createdBy: z.string().describe("User identifier of the creator."),
    expiresAt: Instant.describe("Time after which the service deletes the upload."),
  })
  .meta({ id: "ListedUpload" });
export type ListedUpload = z.infer<typeof ListedUpload>;
