import * as z from 'zod'

/** The settings of functions that delete objects. */
export const deletionSettings = z.object({
  deletionTimeMs: z.coerce.number().int().min(100).max(50_000).default(15_000).meta({
    description:
      'How long a step deletes objects, in ms; what is under way then is finished, and another step goes on where it ended.',
  }),
  deletionParallel: z.coerce.number().int().min(1).max(16).default(4).meta({
    description: 'Pages of at most 1,000 objects that a step deletes at a time.',
  }),
})
export type DeletionSettings = Readonly<z.infer<typeof deletionSettings>>
