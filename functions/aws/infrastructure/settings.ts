import * as z from 'zod'

/** Settings for the work with AWS. */
export const infrastructureSettings = z.object({
  waitScale: z.coerce.number().positive().max(1).default(1).meta({
    description:
      'Factor on how long a step leaves it at that until it looks for what AWS makes meanwhile: below 1 for a simulated AWS that is faster than the real one.',
  }),
})
