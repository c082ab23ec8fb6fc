import { formatSeconds } from '../../clock/clock.ts'
import type { Worker } from '../../contract/objects.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import type { DesiredWorker } from '../desired/desired-worker.ts'
import { replacement } from '../objects/merge-patch.ts'
import type { WorkerStep } from './worker-step.ts'

/** The MachineDeployments in the status, for gardenlet and the autoscaler. A pool with a problem is told as it was. */
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
 * Tells the deployments, and when they were written: once in a reconcile, whether or not they were changed, since gardenlet
 * waits for it.
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
