import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../clock/clock.ts'
import { cacheCredentials } from './cache-credentials.ts'
import type { ClusterAccess } from './cluster-access.ts'

/** The kubelet's mount with the token, the CA and the namespace of a pod's service account. */
const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

export interface InClusterOptions {
  /** `KUBERNETES_SERVICE_HOST`. */
  readonly host: string
  /** `KUBERNETES_SERVICE_PORT`. */
  readonly port: string
  readonly clock: Pick<Clock, 'now'>
  /** Default: the kubelet's mount path. */
  readonly folder?: string
}

/**
 * Access of a pod with its service account. Equals `KubeConfig.loadFromCluster` of client-node without loading
 * client-node, which would add 14 ms to each function's cold start.
 */
export const inClusterAccess = ({
  host,
  port,
  clock,
  folder = serviceAccountFolder,
}: InClusterOptions): ClusterAccess => ({
  server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
  credentials: cacheCredentials(clock, async () => {
    const [token, ca] = await Promise.all([
      readFile(join(folder, 'token'), 'utf8'),
      readFile(join(folder, 'ca.crt'), 'utf8'),
    ])
    return { headers: { authorization: `Bearer ${token.trim()}` }, tls: { ca } }
  }),
})
