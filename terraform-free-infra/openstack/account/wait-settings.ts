import * as z from 'zod'

export const waitSettings = z.object({
  waitScale: z.coerce.number().positive().max(1).default(1).meta({
    description:
      'Factor for the waits between two checks of OpenStack. Use less than 1 only for a simulator.',
  }),
})
