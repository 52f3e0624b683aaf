import { counted } from "#lib/contract/counted";

/** "2 other sessions ended." */
export const endedText = (count: number) => `${counted(count, "other session")} ended.`;
