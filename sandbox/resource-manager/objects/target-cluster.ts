import type { Clock } from '../../../shared/clock/clock.ts'
import {
  createKubernetes,
  type GroupVersionResource,
  type Kubernetes,
  readText,
  type Transport,
} from '../../../shared/kubernetes/kubernetes.ts'

export interface TargetCluster {
  readonly kubernetes: Kubernetes
  /** Returns the resource of a kind; undefined: it is not served. */
  find(apiVersion: string, kind: string): Promise<GroupVersionResource | undefined>
}

/** Reads the resources of a group again only for a kind that it does not know, as a RESTMapper does. */
export const targetOf = (transport: Transport, clock: Clock): TargetCluster => {
  const known = new Map<string, readonly DiscoveredResource[]>()
  const discover = async (apiVersion: string): Promise<readonly DiscoveredResource[]> => {
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const response = await transport({ method: 'GET', path, headers: { accept: 'application/json' } })
    const text = await readText(response.body)
    if (response.status !== 200) return []
    const { resources = [] } = JSON.parse(text) as { resources?: readonly DiscoveredResource[] }
    known.set(apiVersion, resources)
    return resources
  }
  return {
    kubernetes: createKubernetes({ transport, clock }),
    find: async (apiVersion, kind) => {
      const isKind = (one: DiscoveredResource) => one.kind === kind && !one.name.includes('/')
      const found = known.get(apiVersion)?.find(isKind) ?? (await discover(apiVersion)).find(isKind)
      if (found === undefined) return undefined
      const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
      return { group, version, plural: found.name, namespaced: found.namespaced }
    },
  }
}

interface DiscoveredResource {
  readonly kind: string
  readonly name: string
  readonly namespaced: boolean
}
