import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { networkActuator } from './network-actuator.ts'
import { networkPermissions } from './permissions.ts'
import { networkSettings } from './settings.ts'

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
    maxScale: {
      value: 3,
      why: 'Steps only call the API server: more processes would share its limits.',
    },
    concurrency: {
      value: 20,
      why: 'Each step holds the manifests of one shoot, half a megabyte including CRDs.',
    },
  },
  create: settings => networkActuator(settings),
})
