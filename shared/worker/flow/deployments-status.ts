import { formatSeconds } from '../../clock/clock.ts'
import type { Worker } from '../../contract/objects.ts'
import { replacement } from '../../kubernetes/merge-patch.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import type { DesiredWorker } from '../desired/desired-worker.ts'
import type { WorkerStep } from './worker-step.ts'

/**
 * Returns the MachineDeployments for the status, which gardenlet and the autoscaler read. A pool with a problem retains
 * its previous entries.
 */
export const deploymentsStatus = (
  { status }: Worker,
  { pools }: Pick<DesiredWorker, 'pools'>,
  written: readonly DesiredDeployment[],
) => {
  const desired = new Map(written.map(deployment => [deployment.name, deployment]))
  const before = new Map(status?.machineDeployments?.map(entry => [entry.name, entry]))
  return pools.flatMap(({ names, pool: { priority } }) =>
    names.flatMap(name => {
      const deployment = desired.get(name)
      if (deployment === undefined) return before.get(name) ?? []
      const { minimum, maximum } = deployment
      return [{ name, minimum, maximum, ...(priority !== undefined && { priority }) }]
    }),
  )
}

/**
 * Reports the deployments and their time of writing in the status. Once per reconcile, even without changes, because
 * gardenlet waits for it.
 */
export const saveDeploymentsStatus = async (
  { object, saveStatus, clock, resumed = false }: WorkerStep,
  machineDeployments: ReturnType<typeof deploymentsStatus>,
): Promise<void> => {
  const differs = replacement(object.status?.machineDeployments, machineDeployments) !== undefined
  if (object.spec.pools.length === 0 || (resumed && !differs)) return
  await saveStatus({
    ...(differs && { machineDeployments }),
    ...(!resumed && { machineDeploymentsLastUpdateTime: formatSeconds(clock.now()) }),
  })
}
