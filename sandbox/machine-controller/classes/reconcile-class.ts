import { type ControllerContext, finalizers } from '../context.ts'
import { reconcileSecret, secretsOf } from './reconcile-secret.ts'

/** Retains a class while Machines refer to it. Resolves with the time of the next check. */
export const reconcileClass = async (context: ControllerContext, id: string): Promise<number | undefined> => {
  const { classes, machines, durations } = context
  const found = classes.byId(id)
  if (found === undefined) return undefined
  for (const secret of secretsOf(found)) await reconcileSecret(context, secret)
  const { namespace = '', name, deletionTimestamp } = found.metadata
  const isUsed = machines.list(namespace).some(({ spec }) => spec?.class?.name === name)
  if (deletionTimestamp !== undefined && isUsed) return durations.step
  await classes.setFinalizer(found, finalizers.object, isUsed)
  return undefined
}
