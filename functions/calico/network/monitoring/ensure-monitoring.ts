import { isDeepStrictEqual } from 'node:util'
import {
  deleteObject,
  ensureObject,
  type GroupVersionResource,
  type KubernetesObject,
  type StepKubernetes,
} from '../../../../build/library/trellis.ts'
import { dashboards } from './dashboards.ts'
import type { PresentMonitoring } from './present-monitoring.ts'
import { configMaps, scrapeConfigs } from './resources.ts'
import { type ScrapedComponent, scrapeConfig, scrapeConfigName, scrapedComponents } from './scrape-configs.ts'

/**
 * Applies the desired monitoring objects; writes nothing if they match. Deletes obsolete ones, including those of other
 * clients.
 */
export const ensureMonitoring = async (
  kubernetes: StepKubernetes,
  namespace: string,
  watched: readonly ScrapedComponent[],
  present: PresentMonitoring,
): Promise<void> => {
  await ensure(kubernetes, configMaps, dashboards(namespace), present.dashboards, 'data')
  if (present.scrapeConfigs === undefined) return
  for (const component of scrapedComponents) {
    const found = present.scrapeConfigs.get(scrapeConfigName(component))
    if (watched.includes(component))
      await ensure(kubernetes, scrapeConfigs, scrapeConfig(namespace, component), found, 'spec')
    else if (found !== undefined) await deleteObject(kubernetes, scrapeConfigs, found)
  }
}

/** The former name of the dashboards, still found in shoots without a reconcile since. */
const formerName = 'calico-monitoring-config'

/** Deletes all monitoring objects, including those of others with the same names. */
export const removeMonitoring = async (
  kubernetes: StepKubernetes,
  namespace: string,
  present: PresentMonitoring,
): Promise<void> => {
  const former = await kubernetes.get(configMaps, { namespace, name: formerName })
  for (const found of [former, present.dashboards])
    if (found !== undefined) await deleteObject(kubernetes, configMaps, found)
  for (const component of scrapedComponents) {
    const found = present.scrapeConfigs?.get(scrapeConfigName(component))
    if (found !== undefined) await deleteObject(kubernetes, scrapeConfigs, found)
  }
}

const ensure = (
  kubernetes: StepKubernetes,
  resource: GroupVersionResource,
  desired: KubernetesObject,
  present: KubernetesObject | undefined,
  content: 'data' | 'spec',
): Promise<unknown> =>
  ensureObject(
    kubernetes,
    { resource, create: () => desired, patch: found => patchOf(found, desired, content) },
    present,
  )

/** Undefined if nothing differs. */
const patchOf = (
  present: KubernetesObject,
  desired: KubernetesObject,
  content: 'data' | 'spec',
): object | undefined => {
  const labels = desired.metadata.labels ?? {}
  const isLabelled = Object.entries(labels).every(([key, value]) => present.metadata.labels?.[key] === value)
  const isSame =
    content === 'data' ? isDeepStrictEqual(present.data, desired.data) : covers(present.spec, desired.spec)
  if (isLabelled && isSame) return undefined
  const stale = content === 'data' ? Object.keys(Object(present.data)).map(key => [key, null]) : []
  return {
    ...(!isLabelled && { metadata: { labels } }),
    ...(!isSame && { [content]: { ...Object.fromEntries(stale), ...Object(desired[content]) } }),
  }
}

/** Returns true if all desired fields match. Defaults of an API server are no difference. */
const covers = (present: unknown, desired: unknown): boolean => {
  if (Array.isArray(desired))
    return (
      Array.isArray(present) &&
      present.length === desired.length &&
      desired.every((item, index) => covers(present[index], item))
    )
  if (typeof desired !== 'object' || desired === null) return present === desired
  return (
    typeof present === 'object' &&
    present !== null &&
    Object.entries(desired).every(([key, value]) => covers(Reflect.get(present, key), value))
  )
}
