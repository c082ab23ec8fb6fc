import { KubernetesError } from './port.ts'

/** Maximum number of causes to follow: the chain of a foreign error may be circular. */
const longestChain = 8

/**
 * Returns one sentence of advice for a log when an API server does not recognize the client (401) or refuses it (403);
 * undefined for any other failure. The server's message names the client and the request.
 */
export const refusalAdvice = (error: unknown): string | undefined => {
  let cause = error
  for (let depth = 0; depth < longestChain && cause instanceof Error; depth++, cause = cause.cause) {
    if (!(cause instanceof KubernetesError)) continue
    if (cause.status === 401)
      return 'the token has expired or belongs to another cluster. In a pod, the kubelet renews the token: restart the pod if the error persists. For a kubeconfig, get a new one'
    // Admission and quotas also answer 403, but for the object.
    if (cause.status === 403 && /is forbidden: User "|cannot \w+ resource/.test(cause.message))
      return 'apply the ClusterRole and the binding of this account again. trellis doctor lists the missing permissions'
  }
  return undefined
}
