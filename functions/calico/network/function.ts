import { resourcePermissions } from '../../../build/library/resources.ts'
import { defineFunction, type FunctionPermission } from '../../../build/library/trellis.ts'
import { configMaps, scrapeConfigs } from './monitoring/resources.ts'
import { networkActuator } from './network-actuator.ts'
import { networkSettings } from './settings.ts'

const networkPermissions: readonly FunctionPermission[] = [
  ...resourcePermissions,
  { resource: configMaps, verbs: ['get', 'create', 'patch', 'delete'], why: 'Dashboards of Calico.' },
  {
    resource: scrapeConfigs,
    verbs: ['get', 'list', 'create', 'patch', 'delete'],
    why: 'Selects the metrics of Calico that the Prometheus of the shoot scrapes.',
  },
]

/** Networks of type `calico`: Calico in the shoot, and its monitoring in the seed. */
export const definition = defineFunction({
  name: 'calico-network',
  kind: 'Network',
  type: 'calico',
  classes: ['shoot'],
  settings: networkSettings,
  permissions: networkPermissions,
  service: {
    reaches: ['shoots'],
    maxScale: { value: 3, why: 'Steps only call the API server: more processes would share its limits.' },
    concurrency: {
      value: 20,
      why: 'Each step holds the manifests of one shoot, half a megabyte including CRDs.',
    },
  },
  create: settings => networkActuator(settings),
})
