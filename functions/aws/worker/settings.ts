import * as z from 'zod'

/** The settings of the function. */
export const workerSettings = z.object({
  gardenKubeconfig: z.string().default('').meta({
    description:
      'Kubeconfig file of the garden, for a restore: its ShootState lists the running machines. Empty: only the status of the Worker lists them.',
    // The variable that the deployment sets with `gardenAccess`.
    env: 'GARDEN_KUBECONFIG',
  }),
})
