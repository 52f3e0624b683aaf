/** Of an advisory lock: whoever holds it looks through the whole store, or fills it before the rows are there. */
export const storeLock = 0x73_74_6f_72;
