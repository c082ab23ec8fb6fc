import type { Machine, MachineClass, MachineDeployment, MachineSet } from '../../contract/objects.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { MachineWords } from '../provider.ts'
import { machineFailed } from './failed-machines.ts'
import { over, type WaitState } from './wait-state.ts'

/** The remaining objects of a Worker in deletion. */
export interface MachineObjects {
  readonly machines: readonly Machine[]
  readonly sets: readonly MachineSet[]
  readonly deployments: readonly MachineDeployment[]
  readonly classes: readonly MachineClass[]
  readonly classSecrets: readonly KubernetesObject[]
}

/** Checks whether all objects are gone. Ignores class Secrets without finalizers. */
export const machineObjectsGone = (
  { machines, sets, deployments, classes, classSecrets }: MachineObjects,
  words: MachineWords,
): WaitState => {
  const error = machineFailed(deployments, words)
  if (error !== undefined) return { kind: 'failed', error }
  const held = classSecrets.filter(({ metadata: { finalizers = [] } }) => finalizers.length > 0)
  const left = [
    [machines, 'machines'],
    [sets, 'machine sets'],
    [deployments, 'machine deployments'],
    [classes, 'machine classes'],
    [held, 'machine class secrets'],
  ] as const
  const counts = left.flatMap(([objects, what]) =>
    objects.length === 0 ? [] : [`${objects.length} ${what}`],
  )
  if (counts.length === 0) return over
  return {
    kind: 'waiting',
    message: `waiting until the following machine resources have been deleted: ${counts.join(', ')}`,
    share: 0,
  }
}
