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
    why: 'Which metrics of Calico the Prometheus of the shoot reads.',
  },
]
