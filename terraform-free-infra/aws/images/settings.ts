import * as z from 'zod'

/** What can be set where images are chosen. */
export const imageSettings = z.object({
  imagevectorOverwrite: z.string().default('').meta({
    description:
      'File with images in place of those that are built in, in the form of the image vectors of Gardener (YAML). Empty: there is none.',
  }),
})
