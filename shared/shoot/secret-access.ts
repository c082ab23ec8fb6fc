import type { Clock } from '../clock/clock.ts'
import {
  type ClusterAccess,
  cacheCredentials,
  type GroupVersionResource,
  inlineKubeconfigAccess,
  type Kubernetes,
} from '../kubernetes/kubernetes.ts'

const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }

/** The Secrets with the kubeconfig of a shoot and its token. */
export interface ShootSecrets {
  readonly namespace: string
  /** A Secret with the key `kubeconfig`. */
  readonly kubeconfig: string
  /** A Secret with the key `token`, which another controller renews. Absent: the kubeconfig is self-contained. */
  readonly token?: string
}

export interface SecretAccessOptions {
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
export const missingSecret = (name: string): string => `secrets ${JSON.stringify(name)} not found`
