import type { ManagedResource } from '../../contract/objects.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import { managedResourceChange, type ShownOptions } from '../../resources/resources.ts'
import type { ControlPlaneAction } from './control-plane-plan.ts'
import type { RecordedPlan } from './happening.ts'

/** Describes the write of a ManagedResource and the changes of its objects. */
export const managedResourceAction = async (
  name: string,
  { observed, server, kubernetes, input }: RecordedPlan,
  shown: ShownOptions,
): Promise<ControlPlaneAction> => {
  const { namespace, signal } = input
  const before = observed.get(name)
  const after = (await server.get(managedResourceKind.resource, { namespace, name })) as
    | ManagedResource
    | undefined
  const change = await managedResourceChange(
    { managedResource: before, kubernetes },
    { managedResource: after, kubernetes: server },
    shown,
    signal,
  )
  return { ...change, sentence: `${change.kind} the ManagedResource ${name}` }
}
