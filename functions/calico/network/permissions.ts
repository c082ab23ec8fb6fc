import { resourcePermissions } from '../../../shared/resources/resources.ts'
import type { FunctionPermission } from '../../../shared/runtime/runtime.ts'
import { configMaps, scrapeConfigs } from './monitoring/core-resources.ts'

export const networkPermissions: readonly FunctionPermission[] = [
  ...resourcePermissions,
  {
    resource: configMaps,
    verbs: ['get', 'create', 'patch', 'delete'],
    why: 'Dashboards of Calico.',
  },
  {
    resource: scrapeConfigs,
    verbs: ['get', 'list', 'create', 'patch', 'delete'],
    why: 'Selects the metrics of Calico that the Prometheus of the shoot scrapes.',
  },
]
