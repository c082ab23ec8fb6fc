import * as z from 'zod'

/** What the function needs beside its seed. */
export const controlPlaneSettings = z.object({
  imagevectorOverwrite: z.string().default('').meta({
    description:
      'File with images in place of those that are built in, in the form of the image vectors of Gardener (YAML). Empty: there is none.',
  }),
  webhooksNamespace: z.string().min(1).default('trellis').meta({
    description: 'Namespace of the process of the webhooks, which hands over the configuration for shoots.',
  }),
})
