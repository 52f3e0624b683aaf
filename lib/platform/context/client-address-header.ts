/**
 * Header in which the front server reports the caller's address. The front server overwrites a value from the caller.
 */
export const clientAddressHeader = "x-client-address";
