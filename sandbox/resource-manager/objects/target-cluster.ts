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

/** Discovers a group again only for a kind that it does not know, as a RESTMapper does. */
export const targetOf = (transport: Transport, clock: Clock): TargetCluster => {
  const known = new Map<string, readonly DiscoveredResource[]>()
  const discovering = new Map<string, Promise<void>>()
  const discover = async (apiVersion: string): Promise<void> => {
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const response = await transport({ method: 'GET', path, headers: { accept: 'application/json' } })
    const text = await readText(response.body)
    const { resources = [] } = response.status === 200 ? (JSON.parse(text) as Discovered) : {}
    known.set(apiVersion, resources)
  }
  const discoverOnce = async (apiVersion: string): Promise<void> => {
    const running = discovering.get(apiVersion) ?? discover(apiVersion)
    discovering.set(apiVersion, running)
    await running.finally(() => discovering.delete(apiVersion))
  }
  return {
    kubernetes: createKubernetes({ transport, clock }),
    find: async (apiVersion, kind) => {
      const found = () => known.get(apiVersion)?.find(one => one.kind === kind && !one.name.includes('/'))
      if (found() === undefined) await discoverOnce(apiVersion)
      const resource = found()
      if (resource === undefined) return undefined
      const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
      return { group, version, plural: resource.name, namespaced: resource.namespaced }
    },
  }
}

interface Discovered {
  readonly resources?: readonly DiscoveredResource[]
}

interface DiscoveredResource {
  readonly kind: string
  readonly name: string
  readonly namespaced: boolean
}
