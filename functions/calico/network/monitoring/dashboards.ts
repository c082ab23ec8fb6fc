import type { V1ConfigMap } from '@kubernetes/client-node'
import type { Rendered } from '../../../../build/library/trellis.ts'
import bird from './dashboards/bird.json' with { type: 'json' }
import felix from './dashboards/felix.json' with { type: 'json' }
import typha from './dashboards/typha.json' with { type: 'json' }

export const dashboardsName = 'calico-dashboards'

/**
 * Dashboards of the shoot's Calico for tools like Grafana in the seed. The texts are byte for byte those of Gardener's
 * extension for Calico v1.60, under the Apache License 2.0, so that existing ones do not change.
 */
export const dashboards = (namespace: string): Rendered<V1ConfigMap> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: dashboardsName,
    namespace,
    labels: { 'dashboard.monitoring.gardener.cloud/shoot': 'true' },
  },
  data: Object.fromEntries(
    Object.entries({ felix, typha, bird }).map(([component, dashboard]) => [
      `calico-${component}-dashboard.json`,
      JSON.stringify(dashboard, null, 2),
    ]),
  ),
})
