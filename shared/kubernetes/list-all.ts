import type { GroupVersionResource, Kubernetes, KubernetesObject, ListOptions, ListPage } from './port.ts'

const pageSize = 500

/**
 * Returns all objects that the options select, page by page.
 *
 * @example
 * const found = await listAll(kubernetes, configMaps, { namespace })
 */
export const listAll = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  of: GroupVersionResource,
  options: Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector' | 'signal'>,
): Promise<readonly KubernetesObject[]> => {
  const objects: KubernetesObject[] = []
  for await (const { items } of listPages(kubernetes, of, { ...options, limit: pageSize }))
    objects.push(...items)
  return objects
}

/**
 * Lists the objects that the options select, and yields each page before it requests the next one.
 *
 * @example
 * for await (const page of listPages(kubernetes, configMaps, { namespace })) log.info('page', { objects: page.items.length })
 */
export async function* listPages(
  kubernetes: Pick<Kubernetes, 'list'>,
  of: GroupVersionResource,
  options: Omit<ListOptions, 'continue'>,
): AsyncGenerator<ListPage, void> {
  for (let token: string | undefined = ''; token !== undefined; ) {
    const page = await kubernetes.list(of, { ...options, ...(token !== '' && { continue: token }) })
    yield page
    token = page.continue || undefined
  }
}
