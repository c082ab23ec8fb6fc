import type { GroupVersionResource, Kubernetes, KubernetesObject, ListOptions } from './port.ts'

const pageSize = 500

/** Returns all objects that the options select, page by page. */
export const listAll = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  of: GroupVersionResource,
  options: Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector' | 'signal'>,
): Promise<readonly KubernetesObject[]> => {
  const objects: KubernetesObject[] = []
  for (let token: string | undefined; ; ) {
    const page = await kubernetes.list(of, {
      ...options,
      limit: pageSize,
      ...(token !== undefined && { continue: token }),
    })
    objects.push(...page.items)
    token = page.continue || undefined
    if (token === undefined) return objects
  }
}
