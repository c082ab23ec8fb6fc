import type { Clock } from '../../../shared/clock/clock.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import { messageOf } from '../../../shared/contract/message-of.ts'
import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { createClientCache } from './client-cache.ts'
import type { LocalConnection } from './connection.ts'

/** The provider cluster, as a step uses it. */
export type ProviderKubernetes = Pick<Kubernetes, 'get' | 'list' | 'apply' | 'delete'>

/** What of a step a provider cluster needs. */
export interface ProviderStep {
  readonly signal: AbortSignal
  /** Called before each write. */
  readonly throwIfExpired: () => void
}

export interface ProviderClusters {
  /**
   * The cluster that a kubeconfig leads to. All that is asked of it ends with the step.
   *
   * Rejects with a `CodedError` with `ERR_CONFIGURATION_PROBLEM` whose text begins with `purpose` where there is no kubeconfig or it
   * cannot be used, and never with a value of it.
   */
  readonly open: (
    kubeconfig: string | undefined,
    step: ProviderStep,
    /** `could not create client for infrastructure resources`. */
    purpose: string,
  ) => Promise<ProviderKubernetes>
}

/** Longest kubeconfig that is read, in characters; one with certificates has some 6,000. */
const longest = 65_536

/** Longest part of a problem that is repeated: fields of a kubeconfig are named by who wrote it. */
const longestProblem = 300

export const noKubeconfig = 'no kubeconfig found in provider secret'

/** Reaches provider clusters, with one client for each kubeconfig. It may be somebody else's, so none runs a program or reads a file. */
export const createProviderClusters = (
  { providerCluster, around }: Pick<LocalConnection, 'providerCluster' | 'around'>,
  clock: Clock,
): ProviderClusters => {
  const clients = createClientCache(clock, { ...(around && { around }) })
  const reach = async (kubeconfig: string | undefined, purpose: string): Promise<Kubernetes> => {
    try {
      const checked = checkedKubeconfig(kubeconfig)
      return providerCluster ?? (await clients.clientOf(checked))
    } catch (error) {
      const message = `${purpose}: ${messageOf(error).slice(0, longestProblem)}`
      throw new CodedError(message, { codes: ['ERR_CONFIGURATION_PROBLEM'] })
    }
  }
  return {
    open: async (kubeconfig, step, purpose) => withinStep(await reach(kubeconfig, purpose), step),
  }
}

const checkedKubeconfig = (kubeconfig = ''): string => {
  const problem = kubeconfigProblem(kubeconfig)
  if (problem !== undefined) throw new Error(problem)
  return kubeconfig
}

/** What can be said of a kubeconfig without reading it. */
export const kubeconfigProblem = (kubeconfig = ''): string | undefined => {
  if (kubeconfig === '') return noKubeconfig
  return kubeconfig.length > longest ? `the kubeconfig has more than ${longest} characters` : undefined
}

const withinStep = (
  kubernetes: Kubernetes,
  { signal, throwIfExpired }: ProviderStep,
): ProviderKubernetes => ({
  get: (resource, key, options) => kubernetes.get(resource, key, { signal, ...options }),
  list: (resource, options) => kubernetes.list(resource, { signal, ...options }),
  apply: async (resource, object, options) => {
    throwIfExpired()
    return kubernetes.apply(resource, object, { signal, ...options })
  },
  delete: async (resource, key, options) => {
    throwIfExpired()
    return kubernetes.delete(resource, key, { signal, ...options })
  },
})
