import * as z from 'zod'
import { imageSettingsFor } from '../../../shared/images/images.ts'
import { imageTable } from './images.ts'

/** The settings of the function. */
export const gvisorSettings = z.object({
  ...imageSettingsFor(imageTable).shape,
  testRepository: z.string().default('').meta({
    description:
      'Repository of alternative installation images, which `testImageTag` of a providerConfig selects. Empty: testImageTag has no effect.',
  }),
})
