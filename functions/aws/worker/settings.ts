import * as z from 'zod'

/** The machine controller sets the pace, and no cloud is called: there is nothing to set. */
export const workerSettings = z.object({})
