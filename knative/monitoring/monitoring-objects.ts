import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { DeployedMonitoring, Deployment } from '../deployment.ts'
import { type Explained, explained } from '../objects/explained.ts'
import { dashboardJson } from './dashboards/dashboard.ts'
import { dashboards } from './dashboards/dashboards.ts'
import { hasWebhooks } from './has-webhooks.ts'
import { componentLogFormats } from './logging/log-formats.ts'
import { logObjects } from './logging/log-objects.ts'
import type { RuleScope } from './rules/alert.ts'
import { ruleGroups } from './rules/rules.ts'
import { monitorObjects, scrapedSeries } from './scraping/monitor-objects.ts'

/** Returns the ConfigMap with dashboards, which Plutono finds by its label. */
const dashboardObject = (
  { name }: Pick<Deployment, 'name'>,
  { namespace }: Pick<DeployedMonitoring, 'namespace'>,
  scope: RuleScope,
): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: `extension-${name}-dashboards`,
    namespace,
    labels: { 'dashboard.monitoring.gardener.cloud/seed': 'true' },
  },
  data: dashboardFiles(scope),
})

/** Returns the JSON of each dashboard by the name of its file. */
const dashboardFiles = (scope: RuleScope): Readonly<Record<string, string>> =>
  Object.fromEntries(
    dashboards(scope).map(dashboard => [
      `${dashboard.uid}.json`,
      `${JSON.stringify(dashboardJson(dashboard), undefined, 1)}\n`,
    ]),
  )

/**
 * Returns the monitoring objects of an installation for the operators of a seed. Empty if a deployment disables
 * monitoring.
 */
export const monitoringObjects = (deployment: Deployment): readonly Explained[] => {
  const { name, monitoring } = deployment
  if (monitoring === undefined) return []
  const { prometheus, namespace } = monitoring
  const scope = ruleScope(deployment)
  return [
    ...monitorObjects(deployment, monitoring),
    explained(
      {
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'PrometheusRule',
        metadata: { name: `${prometheus}-${name}`, namespace, labels: { prometheus } },
        spec: ruleGroups(scope),
      },
      'docs/alerts.md explains each alert and its remedy.',
    ),
    explained(dashboardObject(deployment, monitoring, scope)),
    ...logObjects(deployment),
  ]
}

/** The parts of the objects that depend on the rules' scope only: for the templates of the chart. */
export const monitoringParts = (scope: RuleScope) => ({
  series: scrapedSeries(),
  groups: ruleGroups(scope).groups,
  dashboards: dashboardFiles(scope),
  logFormats: componentLogFormats,
})

const ruleScope = (deployment: Deployment): RuleScope => ({
  namespace: deployment.namespace,
  hasWebhooks: hasWebhooks(deployment),
})
