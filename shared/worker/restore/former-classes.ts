import type { MachineSet } from '../../contract/objects.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import { classNameOf } from '../waits/owned.ts'

/**
 * Returns the desired deployments with the names of the classes that their MachineSets refer to and that do not exist.
 *
 * A machine state contains no classes. If a pool was being rolled before a migration, or changes with the restore, its
 * machines have another class. Without a class of that name the machine controller does not delete them ("machine class
 * … not found"), and the roll never ends. The Go extension does not write it.
 */
export const formerClasses = (
  desired: readonly DesiredDeployment[],
  sets: readonly MachineSet[],
  present: ReadonlySet<string>,
): readonly DesiredDeployment[] => {
  const known = new Set([...present, ...desired.map(({ className }) => className)])
  const byDeployment = Map.groupBy(sets, ({ metadata }) => metadata.labels?.name)
  return desired.flatMap(deployment => {
    const names = new Set((byDeployment.get(deployment.name) ?? []).flatMap(set => classNameOf(set) ?? []))
    return [...names].filter(name => !known.has(name)).map(className => ({ ...deployment, className }))
  })
}
