import { KubernetesError, type KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { listAll } from '../../../../shared/kubernetes/list-all.ts'
import type { StepKubernetes } from '../../../../shared/lifecycle/lifecycle.ts'
import { configMaps, scrapeConfigs } from './core-resources.ts'
import { dashboardsName } from './dashboards.ts'

/** What there is in the namespace of a shoot by which its Calico is watched. */
export interface PresentMonitoring {
  readonly dashboards: KubernetesObject | undefined
  /** All of the namespace, by name; undefined: this seed has no such kind. */
  readonly scrapeConfigs: ReadonlyMap<string, KubernetesObject> | undefined
}

/** Two requests. */
export const readMonitoring = async (
  kubernetes: Pick<StepKubernetes, 'get' | 'list'>,
  namespace: string,
): Promise<PresentMonitoring> => {
  const [dashboards, scraped] = await Promise.all([
    kubernetes.get(configMaps, { namespace, name: dashboardsName }),
    listScrapeConfigs(kubernetes, namespace),
  ])
  return { dashboards, scrapeConfigs: scraped }
}

const listScrapeConfigs = async (
  kubernetes: Pick<StepKubernetes, 'list'>,
  namespace: string,
): Promise<PresentMonitoring['scrapeConfigs']> => {
  try {
    const all = await listAll(kubernetes, scrapeConfigs, namespace)
    return new Map(all.map(object => [object.metadata.name, object]))
  } catch (error) {
    // A seed without the operator of Prometheus: nobody would read them.
    if (error instanceof KubernetesError && error.status === 404) return undefined
    throw error
  }
}
