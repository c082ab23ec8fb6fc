/** The parsed path of a request, as in kube-apiserver's RequestInfo. */
export interface ResourceRequest {
  readonly group: string
  readonly version: string
  readonly namespace: string | undefined
  readonly plural: string
  readonly name: string | undefined
  readonly subresource: string | undefined
}

/** Subresources of a namespace itself. All other paths below a namespace are resources in it. */
const namespaceSubresources = new Set(['status', 'finalize'])

/** Returns the resource that a path names, or undefined if it names none (discovery, health, `/`). */
export const parseResourcePath = (path: string): ResourceRequest | undefined => {
  const parts = path
    .split('/')
    .filter(part => part !== '')
    .map(decode)
  const [root, ...rest] = parts
  if (root === 'api' && rest.length >= 2) return inVersion('', rest[0] ?? '', rest.slice(1))
  if (root === 'apis' && rest.length >= 3) return inVersion(rest[0] ?? '', rest[1] ?? '', rest.slice(2))
  return undefined
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const inVersion = (group: string, version: string, parts: readonly string[]): ResourceRequest => {
  const [first, namespace, plural] = parts
  const scoped = first === 'namespaces' && plural !== undefined && !namespaceSubresources.has(plural)
  const [resource = '', name, ...sub] = scoped ? parts.slice(2) : parts
  return {
    group,
    version,
    namespace: scoped ? namespace : undefined,
    plural: resource,
    name,
    subresource: sub.length === 0 ? undefined : sub.join('/'),
  }
}
