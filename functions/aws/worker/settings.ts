import * as z from 'zod'

/** The settings of the function. */
export const workerSettings = z.object({
  gardenKubeconfig: z.string().default('').meta({
    description:
      'File with a kubeconfig of the garden, which gardenlet names in GARDEN_KUBECONFIG: where a shoot comes from another seed, its ShootState tells which machines run. Empty: there is none, and only the status of the Worker tells.',
  }),
})
