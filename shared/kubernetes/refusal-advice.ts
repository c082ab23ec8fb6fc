import { KubernetesError } from './port.ts'

/** How many causes of an error are followed: somebody else's may go round. */
const longestChain = 8

/**
 * What somebody has to do when an API server does not know who asks (401), or does not let him (403), in one sentence for a
 * line of a log; undefined for every other failure. The server's own message says who asked for what.
 */
export const refusalAdvice = (error: unknown): string | undefined => {
  let cause = error
  for (let depth = 0; depth < longestChain && cause instanceof Error; depth++, cause = cause.cause) {
    if (!(cause instanceof KubernetesError)) continue
    if (cause.status === 401)
      return 'the token is over or of another cluster: the kubelet renews that of a pod, so restart the pod where this lasts; renew a kubeconfig'
    // Admission and quotas say 403 as well, and mean the object.
    if (cause.status === 403 && /is forbidden: User "|cannot \w+ resource/.test(cause.message))
      return 'apply the ClusterRole and the binding of this account again: trellis doctor names what is missing'
  }
  return undefined
}
