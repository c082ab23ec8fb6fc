import type { MachineDeployment } from '../../contract/objects.ts'
import type { MachineWords } from '../provider.ts'
import { machineFailed } from './failed-machines.ts'
import { over, type WaitState } from './wait-state.ts'

/** Checks whether the deployments that no pool needs are gone. `desired`: names of the deployments that stay. */
export const unwantedGone = (
  deployments: readonly MachineDeployment[],
  desired: ReadonlySet<string>,
  words: MachineWords,
): WaitState => {
  const unwanted = deployments.filter(({ metadata }) => !desired.has(metadata.name))
  const [name] = unwanted.map(({ metadata }) => metadata.name).toSorted()
  if (name === undefined) return over
  const error = machineFailed(unwanted, words)
  if (error !== undefined) return { kind: 'failed', error }
  return {
    kind: 'waiting',
    message: `at least one unwanted machine deployment (${name}) still exists`,
    share: 0,
  }
}
