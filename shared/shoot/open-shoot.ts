import type { Clock } from '../clock/clock.ts'
import { answersUpTo, createKubernetes, httpTransport, type Kubernetes } from '../kubernetes/kubernetes.ts'
import { missingSecret, type ShootSecrets, secretAccess } from './secret-access.ts'

/** The API server of a shoot, as long as somebody needs it. */
export interface ReachedShoot {
  readonly kubernetes: Kubernetes
  readonly close: () => void
}

export interface OpenShootInput {
  /** The seed's. */
  readonly kubernetes: Pick<Kubernetes, 'get'>
  /** Of the shoot, in the seed. */
  readonly namespace: string
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** Whose token is used, `shoot-access-<name>`, and by which kubeconfig. Absent: what gardenlet itself is let in by. */
  readonly as?: Pick<ShootSecrets, 'kubeconfig' | 'token'>
}

/** Secrets with a kubeconfig of the shoot: reached within the seed, and as everybody does. */
const gardenlets = ['gardener-internal', 'gardener'] as const

/** Longest time for one answer of a shoot's API server, in ms. */
const timeoutMs = 10_000

/**
 * The most bytes of one response of a shoot's API server. A hundred nodes have 3 MB. Users of the shoot may put any number of
 * objects of 1.5 MB into a list, and one process reads from all shoots.
 */
const longestAnswer = 8 * 1024 * 1024

/**
 * Reaches a shoot's API server by a kubeconfig in its namespace (docs/contract/health.md#access-to-the-shoot); undefined: there
 * is none. Nothing is shared with what is opened for another shoot, or at another time.
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

/** As `findShoot`; rejects where there is no kubeconfig, with the text of an API server for the last Secret that may have one. */
export const openShoot = async (input: OpenShootInput): Promise<ReachedShoot> => {
  const shoot = await findShoot(input)
  if (shoot === undefined) throw new Error(missingSecret(input.as?.kubeconfig ?? 'gardener'))
  return shoot
}
