import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { DeployedMonitoring, Deployment } from '../../deployment.ts'
import type { RuleScope } from '../rules/alert.ts'
import { dashboardJson } from './dashboard.ts'
import { dashboards } from './dashboards.ts'

/** Returns the ConfigMap with dashboards, which Plutono finds by its label. */
export const dashboardObject = (
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
export const dashboardFiles = (scope: RuleScope): Readonly<Record<string, string>> =>
  Object.fromEntries(
    dashboards(scope).map(dashboard => [
      `${dashboard.uid}.json`,
      `${JSON.stringify(dashboardJson(dashboard), undefined, 1)}\n`,
    ]),
  )
