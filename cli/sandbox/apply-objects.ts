import * as z from 'zod'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import {
  type GroupVersionResource,
  hasStatus,
  type Kubernetes,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'

const discovered = z.object({
  resources: z.array(z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean() })),
})

/**
 * Creates the objects in order, and updates existing ones from the file, so that a file can be applied again. Throws a
 * `UsageError` for a kind that the API server does not have.
 *
 * @param url of the API server, whose discovery maps kinds to resources
 */
export const applyObjects = async (
  objects: readonly KubernetesObject[],
  { kubernetes, url }: { readonly kubernetes: Pick<Kubernetes, 'create' | 'patch'>; readonly url: string },
): Promise<void> => {
  for (const object of objects) {
    const resource = await resourceOf(object, url)
    const { name, namespace } = object.metadata
    const within = resource.namespaced ? { namespace: namespace ?? 'default' } : {}
    const placed = { ...object, metadata: { ...object.metadata, ...within } }
    try {
      await kubernetes.create(resource, placed)
    } catch (error) {
      if (!hasStatus(error, 409)) throw error
      await kubernetes.patch(resource, { name, ...within }, placed)
    }
  }
}

const resourceOf = async (
  { apiVersion, kind }: KubernetesObject,
  url: string,
): Promise<GroupVersionResource> => {
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const answer = await fetch(`${url}/${group === '' ? 'api' : 'apis'}/${apiVersion}`)
  const known = answer.ok ? discovered.parse(await answer.json()).resources : []
  const found = known.find(resource => resource.kind === kind && !resource.name.includes('/'))
  if (found === undefined) throw new UsageError(`the seed does not serve kind ${kind} of ${apiVersion}`)
  return { group, version, plural: found.name, namespaced: found.namespaced }
}
