/** Tells the time. Passed in, so that a test decides what time it is. */
export type Clock = () => Date
