import type { Difference } from '../rollout/differences.ts'
import type { DeploymentChange } from '../rollout/rollout.ts'
import { counted, inWords } from './words.ts'
import type { DeploymentAction, WorkerAction } from './worker-plan.ts'
import type { WrittenDifferences } from './written-differences.ts'

/** Returns the changes to the deployments of the pools. Equal changes within a pool are one action. */
export const deploymentActions = (
  changes: readonly DeploymentChange[],
  differencesOf: WrittenDifferences,
): readonly WorkerAction[] => {
  const parts = changes.flatMap(change => partOf(change, differencesOf(change.name)) ?? [])
  const groups = Map.groupBy(parts, ({ deployment: _, ...same }) => JSON.stringify(same))
  return [...groups.values()].map((group): WorkerAction => {
    const [{ deployment: _, how, ...same }] = group as [Part, ...Part[]]
    const deployments = group.map(({ deployment }) => deployment)
    const sentence = sentenceOf(how, same.pool, deployments, same.differences.length > 0)
    return { ...same, sentence, deployments }
  })
}

/** The change to one deployment. */
interface Part extends Omit<WorkerAction, 'sentence' | 'deployments' | 'pool'> {
  readonly pool: string
  readonly how: 'made' | 'kept' | 'emptied' | Extract<DeploymentChange, { readonly kind: 'rolled' }>['how']
  readonly deployment: DeploymentAction
}

const partOf = (change: DeploymentChange, written: readonly Difference[]): Part | undefined => {
  const { name, pool } = change
  switch (change.kind) {
    case 'made': {
      const deployment = { name, machines: change.replicas }
      return { kind: 'create', how: 'made', pool, deployment, differences: [] }
    }
    case 'kept': {
      const { replicas } = change
      if (written.length === 0 && replicas.from === replicas.to) return undefined
      const deployment = { name, machines: replicas.to, ...scaled(replicas) }
      return { kind: 'update', how: 'kept', pool, deployment, differences: written }
    }
    case 'rolled': {
      const { how, from, to, replicas, machines, atOnce, why, differences: ofClasses = [] } = change
      const others = written.filter(({ path }) => path !== classPath && path !== 'machine class')
      const common = {
        pool,
        why,
        // If no cause is proved, they are the only hint.
        differences: why.isProved ? others : [...ofClasses, ...others],
      }
      const deployment = { name, machines, ...scaled(replicas), classes: { from, to } }
      if (machines === 0 || replicas.to === 0)
        return { kind: 'update', how: 'emptied', ...common, deployment }
      const kind = how === 'replaced' ? 'replace' : 'update'
      return { kind, how, ...common, deployment: { ...deployment, atOnce } }
    }
  }
}

const classPath = 'spec.template.spec.class.name'

const scaled = (replicas: { readonly from: number; readonly to: number }) =>
  replicas.from === replicas.to ? {} : { replicas }

const sentenceOf = (
  how: Part['how'],
  pool: string,
  deployments: readonly DeploymentAction[],
  hasDifferences: boolean,
): string => {
  const sum = (count: (deployment: DeploymentAction) => number) =>
    deployments.reduce((total, deployment) => total + count(deployment), 0)
  const machines = counted(
    sum(one => one.machines),
    'machine',
  )
  const what = `${counted(deployments.length, 'machine deployment')} of pool ${pool}`
  switch (how) {
    case 'made':
      return `create ${what} with ${machines}`
    case 'kept': {
      const from = sum(({ replicas, machines: all }) => replicas?.from ?? all)
      const to = sum(({ replicas, machines: all }) => replicas?.to ?? all)
      const verb = hasDifferences ? 'change' : 'scale'
      const isScaled = deployments.some(({ replicas }) => replicas !== undefined)
      return isScaled
        ? `${verb} ${what}: ${from} → ${counted(to, 'machine')}`
        : `${verb} ${what}; machines are unchanged`
    }
    case 'emptied':
      return `change the class of ${what}, without replacing machines`
    case 'replaced':
    case 'updated in place':
    case 'updated in place manually': {
      const surge = sum(({ atOnce }) => atOnce?.surge ?? 0)
      const unavailable = sum(({ atOnce }) => atOnce?.unavailable ?? 0)
      const doing =
        how === 'replaced' ? `replace ${machines}` : `update ${machines} ${how.slice('updated '.length)}`
      return `roll pool ${pool}: ${doing}, ${inWords({ surge, unavailable })}`
    }
  }
}
