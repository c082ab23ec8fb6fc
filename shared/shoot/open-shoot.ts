import type { Clock } from '../clock/clock.ts'
import { answersUpTo, createKubernetes, httpTransport, type Kubernetes } from '../kubernetes/kubernetes.ts'
import { missingSecret, type ShootSecrets, secretAccess } from './secret-access.ts'

/** A connection to the API server of a shoot. Call `close` after use. */
export interface ReachedShoot {
  readonly kubernetes: Kubernetes
  readonly close: () => void
}

export interface OpenShootInput {
  /** The seed. */
  readonly kubernetes: Pick<Kubernetes, 'get'>
  /** The namespace of the shoot in the seed. */
  readonly namespace: string
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** The token (`shoot-access-<name>`) and the kubeconfig to use. Default: those of gardenlet itself. */
  readonly as?: Pick<ShootSecrets, 'kubeconfig' | 'token'>
}

/** Secrets with a kubeconfig of the shoot: for access within the seed, and for public access. */
const gardenlets = ['gardener-internal', 'gardener'] as const

/** Maximum time for one response of a shoot's API server, in ms. */
const timeoutMs = 10_000

/**
 * Maximum bytes of one response of a shoot's API server. A hundred nodes have 3 MB. The limit matters because users of
 * the shoot may put any number of 1.5 MB objects into a list, and one process reads from all shoots.
 */
const longestAnswer = 8 * 1024 * 1024

/**
 * Opens a shoot's API server with a kubeconfig in its namespace (docs/contract/health.md#access-to-the-shoot). Returns
 * undefined if there is no kubeconfig. Each call is independent; nothing is shared.
 */
export const findShoot = async ({
  namespace,
  as,
  ...options
}: OpenShootInput): Promise<ReachedShoot | undefined> => {
  const ways = as === undefined ? gardenlets.map(kubeconfig => ({ kubeconfig })) : [as]
  for (const way of ways) {
    const access = await secretAccess({ namespace, ...way }, options)
    if (access === undefined) continue
    const transport = httpTransport({ access })
    return {
      kubernetes: createKubernetes({
        transport: answersUpTo(longestAnswer, transport.send),
        clock: options.clock,
        timeoutMs,
      }),
      close: () => transport.close(),
    }
  }
  return undefined
}

/** Like `findShoot`, but rejects if there is no kubeconfig, with an API server's message for the last Secret tried. */
export const openShoot = async (input: OpenShootInput): Promise<ReachedShoot> => {
  const shoot = await findShoot(input)
  if (shoot === undefined) throw new Error(missingSecret(input.as?.kubeconfig ?? 'gardener'))
  return shoot
}
