import {
  hasStatus,
  type KubernetesObject,
  listAll,
  type StepKubernetes,
} from '../../../../build/library/trellis.ts'
import { dashboardsName } from './dashboards.ts'
import { configMaps, scrapeConfigs } from './resources.ts'

export interface PresentMonitoring {
  readonly dashboards: KubernetesObject | undefined
  /** All ScrapeConfigs of the namespace by name. Undefined if the seed does not have the kind. */
  readonly scrapeConfigs: ReadonlyMap<string, KubernetesObject> | undefined
}

/** Reads the monitoring objects with two requests. */
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
    const all = await listAll(kubernetes, scrapeConfigs, { namespace })
    return new Map(all.map(object => [object.metadata.name, object]))
  } catch (error) {
    // Without the Prometheus operator in the seed, ScrapeConfigs have no reader.
    if (hasStatus(error, 404)) return undefined
    throw error
  }
}
