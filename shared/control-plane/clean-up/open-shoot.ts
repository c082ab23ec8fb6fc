import { createKubernetes, httpTransport, inlineKubeconfigAccess } from '../../kubernetes/kubernetes.ts'
import { secrets } from '../core-resources.ts'
import type { OpenShoot } from './clean-up-shoot.ts'

/** Secrets with a kubeconfig of the shoot: reached within the seed, and as everybody does. */
const names = ['gardener-internal', 'gardener'] as const

/** Longest time for one answer of a shoot's API server, in ms. */
const timeoutMs = 10_000

/** Reaches a shoot's API server by the kubeconfig that gardenlet keeps in its namespace (docs/contract/control-planes.md#clean-up-in-the-shoot). */
export const openShoot: OpenShoot = async ({ object, kubernetes, clock }) => {
  const { namespace = '' } = object.metadata
  for (const name of names) {
    const secret = await kubernetes.get(secrets, { namespace, name })
    if (secret === undefined) continue
    const { kubeconfig } = Object(secret.data)
    if (typeof kubeconfig !== 'string')
      throw new Error(`the Secret ${namespace}/${name} has no key kubeconfig`)
    const access = await inlineKubeconfigAccess(Buffer.from(kubeconfig, 'base64').toString())
    const transport = httpTransport({ access })
    return {
      kubernetes: createKubernetes({ transport: transport.send, clock, timeoutMs }),
      close: () => transport.close(),
    }
  }
  throw new Error(
    `secrets ${names.map(name => `"${name}"`).join(' and ')} not found in namespace ${namespace}`,
  )
}
