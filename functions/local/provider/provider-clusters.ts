import type { Clock } from '../../../shared/clock/clock.ts'
import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { stepKubernetes } from '../../../shared/lifecycle/lifecycle.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { createClientCache } from './client-cache.ts'
import type { LocalConnection } from './connection.ts'

/** The provider cluster, with the calls that a step uses. */
export type ProviderKubernetes = Pick<Kubernetes, 'get' | 'list' | 'apply' | 'delete'>

export interface ProviderStep {
  readonly signal: AbortSignal
  /** Called before each write. */
  readonly throwIfExpired: () => void
}

export interface ProviderClusters {
  /**
   * Opens the cluster of a kubeconfig. All its calls end with the step.
   *
   * Rejects with a `CodedError` with `ERR_CONFIGURATION_PROBLEM` if the kubeconfig is missing or unusable. The text
   * begins with `purpose` and never contains a value of the kubeconfig.
   */
  readonly open: (
    kubeconfig: string | undefined,
    step: ProviderStep,
    /** `could not create client for infrastructure resources`. */
    purpose: string,
  ) => Promise<ProviderKubernetes>
}

/** The longest accepted kubeconfig, in characters. A kubeconfig with certificates has about 6,000. */
const longest = 65_536

/** The longest part of a problem that is quoted, because the author of a kubeconfig chooses its field names. */
const longestProblem = 300

const noKubeconfig = 'no kubeconfig found in provider secret'

/**
 * Connects to provider clusters, with one client for each kubeconfig. A kubeconfig may be foreign, so none runs a
 * program or reads a file.
 */
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
      throw configurationProblem(message)
    }
  }
  return { open: async (kubeconfig, step, purpose) => stepKubernetes(await reach(kubeconfig, purpose), step) }
}

const checkedKubeconfig = (kubeconfig = ''): string => {
  const problem = kubeconfigProblem(kubeconfig)
  if (problem !== undefined) throw new Error(problem)
  return kubeconfig
}

/** Checks a kubeconfig without parsing it. */
export const kubeconfigProblem = (kubeconfig = ''): string | undefined => {
  if (kubeconfig === '') return noKubeconfig
  return kubeconfig.length > longest ? `the kubeconfig has more than ${longest} characters` : undefined
}
