import { kinds } from '../../contract/kinds.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import { type NotedWrite, plannedWrite } from '../../lifecycle/lifecycle.ts'
import { secrets } from '../core-resources.ts'
import type { ControlPlaneAction, ControlPlanePlan } from './control-plane-plan.ts'
import type { Happening, RecordedPlan } from './happening.ts'
import { managedResourceAction } from './managed-resource-action.ts'
import { secretActions } from './secret-actions.ts'
import { unknownAfter } from './unknown-after.ts'

/** Returns the plan of the recorded writes and waits. */
export const planOf = async (recorded: RecordedPlan): Promise<ControlPlanePlan> => {
  const { happenings, input } = recorded
  const writes = happenings.filter(one => one.verb !== 'wait')
  const made = writes.flatMap(write =>
    write.verb === 'create' && isOf(write, secrets) ? [write.object] : [],
  )
  const unknown = unknownAfter(made)
  const shown = { secret: input.secret, ...unknown }
  const { items } = await recorded.kubernetes.list(secrets, {
    namespace: input.namespace,
    signal: input.signal,
  })
  const ofSecrets = secretActions({ writes, cluster: input.cluster, present: items })
  const actions: ControlPlaneAction[] = []
  const written = new Set<string>()
  for (const happening of happenings) {
    if (happening.verb === 'wait') actions.push(waitAction(happening, written))
    else if (happening.resource.plural === managedResourceKind.resource.plural) {
      const { name } = happening.key
      // An object with several writes is shown in its final form.
      if (!written.has(name)) actions.push(await managedResourceAction(name, recorded, shown))
      written.add(name)
    } else if (isOf(happening, secrets)) actions.push(...ofSecrets(happening))
    else if (isOf(happening, kinds.ControlPlane.resource)) actions.push(...cleanUpAction(happening))
  }
  return {
    actions,
    writes: writes
      .filter(write => !isOf(write, kinds.ControlPlane.resource))
      .map(write => plannedWrite(write, unknown.unknownNames.get(write.key.name))),
  }
}

const isOf = ({ resource }: NotedWrite, { group, plural }: NotedWrite['resource']): boolean =>
  resource.group === group && resource.plural === plural

const plain = (kind: ControlPlaneAction['kind'], sentence: string, notes: readonly string[] = []) => ({
  kind,
  sentence,
  notes,
  objects: [],
})

/** `extension-controlplane-seed healthy`: the object of the wait and its desired state. */
const waitAction = (
  { waitsFor, description }: Extract<Happening, { readonly verb: 'wait' }>,
  written: ReadonlySet<string>,
): ControlPlaneAction => {
  const [, what = waitsFor, how = 'there'] = /^(.*) (\S+)$/.exec(waitsFor) ?? []
  const article = what.includes('-') ? '' : 'the '
  // A message about objects that the plan writes adds nothing.
  const isNews = description !== '' && ![...written].some(name => description.includes(name))
  return plain('wait', `wait until ${article}${what} is ${how}`, isNews ? [`now: ${description}`] : [])
}

/** An annotation of the ControlPlane records the clean-up in the shoot. */
const cleanUpAction = (write: NotedWrite): readonly ControlPlaneAction[] => {
  const patched = write.verb === 'patch' ? Object(Object(write.patch).metadata).annotations : undefined
  return Object.entries(Object(patched)).map(([annotation, value]) =>
    value === null
      ? plain('update', 'remove the record that the shoot was cleaned up', [
          `annotation ${annotation} is removed`,
        ])
      : plain('update', 'clean up the shoot, once', [`annotation ${annotation}: ${value}`]),
  )
}
