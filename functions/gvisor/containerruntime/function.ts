import { kinds } from '../../../shared/contract/kinds.ts'
import { openImages } from '../../../shared/images/images.ts'
import { resourcePermissions } from '../../../shared/resources/resources.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { gvisorActuator } from './actuator.ts'
import { imageTable } from './images.ts'
import { gvisorSettings } from './settings.ts'
import { type } from './type.ts'

/** ContainerRuntimes of type `gvisor`: pools with sandboxed pods. */
export const definition = defineFunction({
  name: 'gvisor-containerruntime',
  kind: 'ContainerRuntime',
  type,
  classes: ['shoot'],
  settings: gvisorSettings,
  permissions: [
    ...resourcePermissions,
    {
      resource: kinds.ContainerRuntime.resource,
      verbs: ['list'],
      why: 'What the pools of a shoot share goes with the last of them.',
    },
  ],
  service: {
    maxScale: {
      value: 2,
      why: 'Steps ask the API server alone: more processes would only share its answers.',
    },
    concurrency: { value: 100, why: 'Steps wait for the API server nearly all of their time.' },
  },
  create: ({ imagevectorOverwrite, testRepository }) =>
    gvisorActuator({ images: openImages(imageTable, imagevectorOverwrite), testRepository }),
})
