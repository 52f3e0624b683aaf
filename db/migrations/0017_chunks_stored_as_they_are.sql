-- Random digits cannot be compressed: trying to takes most of the time of storing and of reading them. What is stored
-- stays as it is and is read as before.
ALTER TABLE "prediction_chunks" ALTER COLUMN "data" SET STORAGE EXTERNAL;
