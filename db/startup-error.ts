/** An obstacle outside the product; its message says what it is and what to do, and is printed without a stack. */
export class StartupError extends Error {}
