/** Values given by name, as in `{{number price digits=2}}`. */
export type NamedValues = Readonly<Record<string, unknown>>
