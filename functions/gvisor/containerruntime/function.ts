import * as z from 'zod'
import { kinds } from '../../../shared/contract/kinds.ts'
import { imageSettingsFor, openImages } from '../../../shared/images/images.ts'
import { resourcePermissions } from '../../../shared/resources/resources.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { gvisorActuator } from './actuator.ts'
import { imageTable } from './images.ts'
import { type } from './type.ts'

const gvisorSettings = z.object({
  ...imageSettingsFor(imageTable).shape,
  testRepository: z.string().default('').meta({
    description:
      'Repository of alternative installation images, which `testImageTag` of a providerConfig selects. Empty: testImageTag has no effect.',
  }),
})

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
      why: 'Objects that pools of a shoot share are deleted with the last pool.',
    },
  ],
  service: {
    maxScale: { value: 2, why: 'Steps only call the API server: more processes would share its limits.' },
    concurrency: { value: 100, why: 'Steps wait for the API server most of the time.' },
  },
  create: ({ imagevectorOverwrite, testRepository }) =>
    gvisorActuator({ images: openImages(imageTable, imagevectorOverwrite), testRepository }),
})
