import * as z from 'zod'

/** The settings of the function. */
export const workerSettings = z.object({
  gardenKubeconfig: z.string().default('').meta({
    description:
      'File with a kubeconfig of the garden; gardenlet sets GARDEN_KUBECONFIG. If a shoot comes from another seed, its ShootState lists the running machines. Empty: only the status of the Worker lists them.',
  }),
})
