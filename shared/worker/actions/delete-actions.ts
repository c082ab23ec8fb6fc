import { machineKinds } from '../../contract/machine-kinds.ts'
import type { MachineDeployment } from '../../contract/objects.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import type { NotedWrite } from '../../lifecycle/lifecycle.ts'
import { counted } from './words.ts'
import type { DeploymentAction, WorkerAction } from './worker-plan.ts'
import { deploymentOfClass } from './written-differences.ts'

export interface Deletions {
  readonly writes: readonly NotedWrite[]
  /** All objects of the namespace. */
  readonly deployments: readonly MachineDeployment[]
  /** Returns the number of machines of a deployment. */
  readonly machinesOf: (deployment: string) => number
  /** Former classes of rolling deployments. The actions of these deployments include them. */
  readonly rolled: ReadonlySet<string>
}

/** Returns the deletions: the deployments of a pool together with their classes, everything else separately. */
export const deleteActions = ({
  writes,
  deployments,
  machinesOf,
  rolled,
}: Deletions): readonly WorkerAction[] => {
  const deleted = (plural: string): readonly string[] =>
    writes.flatMap(({ verb, resource, key }) =>
      verb === 'delete' && resource.plural === plural ? [key.name] : [],
    )
  const { MachineDeployment, MachineSet, Machine, MachineClass } = machineKinds
  const gone = deleted(MachineDeployment.resource.plural)
  const isAlone = (className: string) =>
    !rolled.has(className) && !gone.includes(deploymentOfClass(className))
  const classes = deleted(MachineClass.resource.plural)
  const classSecrets = deleted(secrets.plural)
  const alone = (sentence: string): WorkerAction => ({
    kind: 'delete',
    sentence,
    deployments: [],
    differences: [],
  })
  return [
    ...poolsOf(gone, deployments).map(([pool, names]) =>
      deploymentsAction(
        pool,
        names.map(name => ({ name, machines: machinesOf(name) })),
      ),
    ),
    ...deleted(MachineSet.resource.plural).map(name =>
      alone(`delete machine set ${name}, which has no owner`),
    ),
    ...deleted(Machine.resource.plural).map(name => alone(`delete machine ${name}, which has no owner`)),
    ...classes
      .filter(isAlone)
      .map(name =>
        alone(`delete machine class ${name}${classSecrets.includes(name) ? ' and its Secret' : ''}`),
      ),
    ...classSecrets
      .filter(name => isAlone(name) && !classes.includes(name))
      .map(name => alone(`delete the Secret of machine class ${name}`)),
  ]
}

const poolLabel = 'worker.gardener.cloud/pool'

const poolsOf = (names: readonly string[], deployments: readonly MachineDeployment[]) => {
  const labels = new Map(deployments.map(({ metadata }) => [metadata.name, metadata.labels?.[poolLabel]]))
  return [...Map.groupBy(names, name => labels.get(name))]
}

const deploymentsAction = (
  pool: string | undefined,
  deployments: readonly DeploymentAction[],
): WorkerAction => {
  const machines = deployments.reduce((sum, one) => sum + one.machines, 0)
  const what = counted(deployments.length, 'machine deployment')
  return {
    kind: 'delete',
    sentence: `delete ${what} of ${pool === undefined ? 'no pool' : `pool ${pool}`} with ${counted(machines, 'machine')}`,
    ...(pool !== undefined && { pool }),
    deployments,
    differences: [],
  }
}
