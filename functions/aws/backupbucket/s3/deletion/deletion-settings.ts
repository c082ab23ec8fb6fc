import * as z from 'zod'

export const deletionSettings = z.object({
  deletionTimeMs: z.coerce.number().int().min(100).max(50_000).default(15_000).meta({
    description: 'Time that a step deletes objects. Then another step continues.',
  }),
  deletionParallel: z.coerce.number().int().min(1).max(16).default(4).meta({
    description: 'Pages of at most 1,000 objects that a step deletes in parallel.',
  }),
})
export type DeletionSettings = Readonly<z.infer<typeof deletionSettings>>
