import { parseAsBoolean } from "nuqs/server";

/** Whether a chart shows known values before the predictions, in the URL of its page. */
export const pastParser = parseAsBoolean.withDefault(true).withOptions({ history: "replace" });
