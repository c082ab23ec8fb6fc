import * as z from 'zod'
import { imageSettings } from './images/image-table.ts'

export const controlPlaneSettings = z.object({
  ...imageSettings.shape,
  webhooksNamespace: z.string().min(1).default('trellis').meta({
    description: 'Namespace of the webhook process, which provides the configuration for shoots.',
  }),
})
