import type { GroupVersionResource, Kubernetes, KubernetesObject } from './port.ts'

/** Objects in one page of a list. */
const pageSize = 500

/** Returns all objects of a namespace, page by page. */
export const listAll = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  of: GroupVersionResource,
  namespace: string,
  labelSelector?: string,
): Promise<readonly KubernetesObject[]> => {
  const objects: KubernetesObject[] = []
  for (let token: string | undefined; ; ) {
    const page = await kubernetes.list(of, {
      namespace,
      limit: pageSize,
      ...(labelSelector !== undefined && { labelSelector }),
      ...(token !== undefined && { continue: token }),
    })
    objects.push(...page.items)
    token = page.continue || undefined
    if (token === undefined) return objects
  }
}
