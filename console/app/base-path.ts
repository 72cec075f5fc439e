// As a name, since bundlers take an address written in place for that of a file.
const ownAddress = import.meta.url

/** The path below which the console is served, with a slash at its end. Its scripts are one folder deeper. */
export const basePath = new URL('../', ownAddress).pathname
