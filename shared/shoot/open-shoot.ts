import type { Clock } from '../clock/clock.ts'
import { secrets } from '../kubernetes/core-resources.ts'
import {
  answersUpTo,
  type ClusterAccess,
  cacheCredentials,
  createKubernetes,
  httpTransport,
  inlineKubeconfigAccess,
  type Kubernetes,
} from '../kubernetes/kubernetes.ts'

/** A connection to the API server of a shoot. Call `close` after use. */
export interface ReachedShoot {
  readonly kubernetes: Kubernetes
  readonly close: () => void
}

/** The shoot to reach, and as whom. */
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
 *
 * @example
 * const shoot = await findShoot({ kubernetes, namespace, clock, signal })
 * if (shoot === undefined) return
 * shoot.close()
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

/**
 * Like `findShoot`, but rejects if there is no kubeconfig, with an API server's message for the last Secret tried.
 *
 * @example
 * const as = { kubeconfig: genericKubeconfigSecretName(cluster), token: accessSecretName('dns-sync') }
 * const shoot = await openShoot({ kubernetes, namespace, clock, signal, as })
 * try {
 *   await shoot.kubernetes.list(configMaps, { namespace: 'kube-system' })
 * } finally {
 *   shoot.close()
 * }
 */
export const openShoot = async (input: OpenShootInput): Promise<ReachedShoot> => {
  const shoot = await findShoot(input)
  if (shoot === undefined) throw new Error(missingSecret(input.as?.kubeconfig ?? 'gardener'))
  return shoot
}

/** The Secrets with the kubeconfig of a shoot and its token. */
interface ShootSecrets {
  readonly namespace: string
  /** A Secret with the key `kubeconfig`. */
  readonly kubeconfig: string
  /** A Secret with the key `token`, which another controller renews. Absent: the kubeconfig is self-contained. */
  readonly token?: string
}

interface SecretAccessOptions {
  readonly kubernetes: Pick<Kubernetes, 'get'>
  readonly clock: Pick<Clock, 'now'>
  readonly signal?: AbortSignal
}

/**
 * Returns access to a shoot from Secrets of its namespace. Reads them again every minute, and at once if the server
 * refuses the credentials, because tokens are renewed and CAs rotated. Returns undefined if the kubeconfig Secret is
 * missing.
 *
 * Rejects with the Secret and the invalid key or field, never with a value.
 */
export const secretAccess = async (
  { namespace, kubeconfig, token }: ShootSecrets,
  { kubernetes, clock, signal }: SecretAccessOptions,
): Promise<ClusterAccess | undefined> => {
  const keyOf = async (name: string, key: string): Promise<string | undefined> => {
    const secret = await kubernetes.get(secrets, { namespace, name }, signal && { signal })
    if (secret === undefined) return undefined
    const value = Object(secret.data)[key]
    if (typeof value !== 'string' || value === '')
      throw new Error(`the Secret ${namespace}/${name} has no key ${key}`)
    return Buffer.from(value, 'base64').toString()
  }
  const read = async (): Promise<ClusterAccess | undefined> => {
    const text = await keyOf(kubeconfig, 'kubeconfig')
    if (text === undefined) return undefined
    if (token === undefined) return inlineKubeconfigAccess(text)
    const bearer = await keyOf(token, 'token')
    if (bearer === undefined) throw new Error(missingSecret(token))
    return inlineKubeconfigAccess(text, bearer)
  }
  const first = await read()
  if (first === undefined) return undefined
  let unread: ClusterAccess | undefined = first
  const credentials = cacheCredentials(clock, async () => {
    const access = unread ?? (await read())
    unread = undefined
    if (access === undefined) throw new Error(missingSecret(kubeconfig))
    return access.credentials()
  })
  return { server: first.server, credentials }
}

/** The message of an API server. */
const missingSecret = (name: string): string => `secrets ${JSON.stringify(name)} not found`
