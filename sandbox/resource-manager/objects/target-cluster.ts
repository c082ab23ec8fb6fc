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

export const targetOf = (transport: Transport, clock: Clock): TargetCluster => ({
  kubernetes: createKubernetes({ transport, clock }),
  find: async (apiVersion, kind) => {
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const response = await transport({ method: 'GET', path, headers: { accept: 'application/json' } })
    const text = await readText(response.body)
    if (response.status !== 200) return undefined
    const { resources = [] } = JSON.parse(text) as { resources?: readonly DiscoveredResource[] }
    const found = resources.find(one => one.kind === kind && !one.name.includes('/'))
    if (found === undefined) return undefined
    const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
    return { group, version, plural: found.name, namespaced: found.namespaced }
  },
})

interface DiscoveredResource {
  readonly kind: string
  readonly name: string
  readonly namespaced: boolean
}
