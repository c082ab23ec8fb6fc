import type { Kubernetes, KubernetesObject, ListOptions, Resource } from './port.ts'

/** Reads a list page by page and gives `each` object as its page comes. Resolves with the version of the list. */
export const listPages = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  resource: Resource,
  /** Without `limit` it is a single page. */
  options: ListOptions & { readonly signal: AbortSignal },
  each: (object: KubernetesObject) => void,
  /** Called before and after each request. */
  active: () => void,
): Promise<string> => {
  let token: string | undefined
  for (;;) {
    active()
    const page = await kubernetes.list(resource, {
      ...options,
      ...(token === undefined ? {} : { continue: token }),
    })
    options.signal.throwIfAborted()
    active()
    for (const object of page.items) each(object)
    token = page.continue
    if (token === undefined || token === '') return page.resourceVersion
  }
}
