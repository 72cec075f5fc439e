/** The part of the browser's storage that is for one account. */
export function accountStorage(account: string) {
  // No encoded name has a colon.
  const prefix = `gatehouse.graphql.${encodeURIComponent(account)}:`
  const ownKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  return {
    get length() {
      return ownKeys().length
    },
    getItem: (key: string) => localStorage.getItem(prefix + key),
    setItem: (key: string, value: string) => localStorage.setItem(prefix + key, value),
    removeItem: (key: string) => localStorage.removeItem(prefix + key),
    clear: () => {
      for (const key of ownKeys()) localStorage.removeItem(key)
    },
  }
}
