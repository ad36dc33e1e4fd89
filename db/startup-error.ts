/** Something outside the product keeps it from starting; the message tells people what, and what to do about it. */
export class StartupError extends Error {}
