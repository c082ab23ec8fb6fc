import type { GroupVersionResource, Kubernetes, ListOptions } from '../../shared/kubernetes/kubernetes.ts'

/** A request of the function to the API server. */
export interface SteppedRequest {
  readonly verb: 'get' | 'list' | 'create' | 'replace' | 'patch' | 'apply' | 'delete'
  /** The plural name, with the subresource after a slash: `dnsrecords/status`. */
  readonly resource: string
  readonly namespace?: string
  /** Empty for lists. */
  readonly name: string
  /** The label selector of a list. */
  readonly selector?: string
  /** The object, or the patch. */
  readonly body?: object
}

/**
 * Returns true if the request changes something.
 *
 * @example
 * const writes = seed.requests.filter(isWriteRequest)
 */
export const isWriteRequest = ({ verb }: SteppedRequest): boolean => verb !== 'get' && verb !== 'list'

/**
 * `patch dnsrecords/status rose`
 *
 * @example
 * const texts = seed.requests.map(requestText)
 */
export const requestText = ({ verb, resource, name }: SteppedRequest): string =>
  `${verb} ${resource} ${name}`.trimEnd()

/**
 * Returns a client that passes each request to `send`, which calls `work` to make it.
 *
 * @example
 * const watched = interceptedKubernetes(kubernetes, (request, work) => {
 *   requests.push(requestText(request))
 *   return work()
 * })
 */
export const interceptedKubernetes = (
  kubernetes: Kubernetes,
  send: <T>(request: SteppedRequest, work: () => Promise<T>) => Promise<T>,
): Kubernetes => ({
  ...kubernetes,
  get: (of, key, ...rest) => send(about('get', of, key), () => kubernetes.get(of, key, ...rest)),
  list: (of, ...rest) => send(listAbout(of, ...rest), () => kubernetes.list(of, ...rest)),
  create: (of, object, ...rest) =>
    send(about('create', of, object.metadata, object), () => kubernetes.create(of, object, ...rest)),
  replace: (of, object, options) =>
    send(about('replace', of, object.metadata, object, options), () =>
      kubernetes.replace(of, object, options),
    ),
  patch: (of, key, patch, options) =>
    send(about('patch', of, key, patch, options), () => kubernetes.patch(of, key, patch, options)),
  apply: (of, object, options) =>
    send(about('apply', of, object.metadata, object), () => kubernetes.apply(of, object, options)),
  delete: (of, key, ...rest) => send(about('delete', of, key), () => kubernetes.delete(of, key, ...rest)),
})

const listAbout = (
  of: GroupVersionResource,
  { namespace, labelSelector }: ListOptions = {},
): SteppedRequest => ({
  ...about('list', of, { name: '', ...(namespace !== undefined && { namespace }) }),
  ...(labelSelector !== undefined && { selector: labelSelector }),
})

const about = (
  verb: SteppedRequest['verb'],
  { plural }: GroupVersionResource,
  { name, namespace }: { readonly name: string; readonly namespace?: string },
  body?: object,
  { subresource }: { readonly subresource?: string } = {},
): SteppedRequest => ({
  verb,
  resource: subresource === undefined ? plural : `${plural}/${subresource}`,
  ...(namespace !== undefined && { namespace }),
  name,
  ...(body !== undefined && { body }),
})
