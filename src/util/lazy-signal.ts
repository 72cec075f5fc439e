/** Gives a signal, always the same, which is made when it is first asked for: most work is done before anybody does. */
export type LazySignal = () => AbortSignal
