/** Selects objects. Absent fields select all. */
export interface PastSelection {
  /** `dnsrecords.extensions.gardener.cloud`, as in the request log. */
  readonly resource?: string
  readonly namespace?: string
  readonly name?: string
}

/** Returns true if the object with this key of the store is selected. */
export const covers = (selection: PastSelection, resource: string, key: string): boolean => {
  const slash = key.indexOf('/')
  return (
    (selection.resource === undefined || selection.resource === resource) &&
    (selection.namespace === undefined || selection.namespace === key.slice(0, Math.max(slash, 0))) &&
    (selection.name === undefined || selection.name === key.slice(slash + 1))
  )
}

/** Returns true if the selection has whole resources, not single objects or namespaces. */
export const isWide = ({ namespace, name }: PastSelection): boolean =>
  namespace === undefined && name === undefined
