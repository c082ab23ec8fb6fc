/** The key of an object within its collection. */
export const storeKey = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? name : `${namespace}/${name}`

/** Returns the prefix of all keys of a namespace; without a namespace, of all objects. */
export const namespacePrefix = (namespace: string | undefined): string =>
  namespace === undefined ? '' : `${namespace}/`
