import type { Clock } from '../../shared/clock/clock.ts'
import {
  createKubernetes,
  type GroupVersionResource,
  httpTransport,
  inlineKubeconfigAccess,
  type Kubernetes,
} from '../../shared/kubernetes/kubernetes.ts'
import type { OpenShoot } from '../serve/lookups.ts'

const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }

/** Secrets with a kubeconfig of the shoot: reached within the seed, and as everybody does. */
const names = ['gardener-internal', 'gardener'] as const

/** Longest time for one answer of a shoot's API server, in ms: less than an API server waits for the review. */
const timeoutMs = 5_000

/** Reaches a shoot's API server by the kubeconfig that gardenlet keeps in its namespace. */
export const openShootOf =
  (kubernetes: Pick<Kubernetes, 'get'>, clock: Clock): OpenShoot =>
  async (namespace, signal) => {
    for (const name of names) {
      const secret = await kubernetes.get(secrets, { namespace, name }, { signal })
      const { kubeconfig } = Object(secret?.data)
      if (typeof kubeconfig !== 'string') continue
      const access = await inlineKubeconfigAccess(Buffer.from(kubeconfig, 'base64').toString())
      const transport = httpTransport({ access })
      return {
        kubernetes: createKubernetes({ transport: transport.send, clock, timeoutMs }),
        close: () => transport.close(),
      }
    }
    throw new ShootUnknownError(namespace)
  }

/** No kubeconfig, so no answer. */
class ShootUnknownError extends Error {
  override readonly name = 'NotFoundError'
  constructor(namespace: string) {
    super(`there is no kubeconfig of a shoot in the namespace ${namespace}`)
  }
}
