import { isDeepStrictEqual } from 'node:util'
import type { Store } from '../../../../sandbox/kubernetes/kubernetes.ts'
import { machineKinds } from '../../../../shared/contract/machine-kinds.ts'
import type { MachineDeployment } from '../../../../shared/contract/objects.ts'

/** The MachineDeployments of a seed at some time. */
export interface RememberedPools {
  readonly count: number
  /** Names those that roll or are deleted since then, although a plan, as JSON, does not say so. */
  surprises(plan: string): readonly string[]
}

export const replacedPools = (store: Store): RememberedPools => {
  const before = deploymentsOf(store)
  const surprises = (plan: string): readonly string[] => {
    const after = deploymentsOf(store)
    return [...before].flatMap(([name, was]) => {
      const now = after.get(name)
      if (isDeepStrictEqual(was, now) || isAnnounced(plan, name)) return []
      const what =
        now === undefined ? 'was deleted' : `rolls from ${JSON.stringify(was)} to ${JSON.stringify(now)}`
      return [`MachineDeployment ${name} ${what}, which the plan did not announce: ${plan}`]
    })
  }
  return { count: before.size, surprises }
}

/** Machines roll if the template of their deployment changes. */
const deploymentsOf = (store: Store): ReadonlyMap<string, unknown> => {
  const { plural, group } = machineKinds.MachineDeployment.resource
  return new Map(
    store
      .collection(`${plural}.${group}`)
      .list()
      .map(({ object }) => [
        object.metadata.name,
        (object as MachineDeployment).spec?.template.spec?.class?.name,
      ]),
  )
}

const isAnnounced = (plan: string, name: string): boolean => {
  if (plan.startsWith('no plan')) return false
  const { actions } = JSON.parse(plan) as {
    readonly actions: readonly {
      readonly kind: string
      readonly why?: unknown
      readonly deployments?: readonly { readonly name: string }[]
    }[]
  }
  return actions.some(
    ({ kind, why, deployments = [] }) =>
      (kind === 'delete' || why !== undefined) && deployments.some(deployment => deployment.name === name),
  )
}
