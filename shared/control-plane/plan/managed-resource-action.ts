import type { ManagedResource } from '../../contract/objects.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { ReadKubernetes } from '../../lifecycle/lifecycle.ts'
import { readManifests } from '../../resources/resources.ts'
import { secrets } from '../core-resources.ts'
import type { ControlPlaneAction } from './control-plane-plan.ts'
import type { PlanToTell } from './happening.ts'
import { objectChanges } from './object-changes.ts'
import type { ShownOptions } from './shown-objects.ts'

/** What becomes of a ManagedResource that is written, and of the objects that it holds. */
export const managedResourceAction = async (
  name: string,
  { observed, server, kubernetes, input }: PlanToTell,
  shown: ShownOptions,
): Promise<ControlPlaneAction> => {
  const { namespace, signal } = input
  const before = observed.get(name)
  const after = (await server.get(managedResourceKind.resource, { namespace, name })) as
    | ManagedResource
    | undefined
  const isDeleted = after === undefined || after.metadata.deletionTimestamp !== undefined
  const present = await contentOf(kubernetes, before, signal)
  const desired = isDeleted ? noObjects : await contentOf(server, after, signal)
  const kind = before === undefined ? 'create' : isDeleted ? 'delete' : 'update'
  const isUnread = present.missing !== undefined
  return {
    kind,
    cluster: (before ?? after)?.spec?.class === 'seed' ? 'seed' : 'shoot',
    sentence: `${kind} the ManagedResource ${name}`,
    notes: [
      ...(present.missing === undefined
        ? []
        : [`which objects it has cannot be told: there is no Secret ${present.missing}`]),
      ...(kind === 'update' ? specNotes(before, after) : []),
    ],
    objects: isUnread ? [] : objectChanges(present.objects, desired.objects, shown),
  }
}

interface Content {
  readonly objects: readonly KubernetesObject[]
  /** The Secret that is not there, and has some of them. */
  readonly missing?: string
}

const noObjects: Content = { objects: [] }

const contentOf = async (
  kubernetes: ReadKubernetes,
  managedResource: ManagedResource | undefined,
  signal: AbortSignal,
): Promise<Content> => {
  const { namespace = '' } = managedResource?.metadata ?? {}
  const objects: KubernetesObject[] = []
  for (const { name = '' } of managedResource?.spec?.secretRefs ?? []) {
    const secret = await kubernetes.get(secrets, { namespace, name }, { signal })
    if (secret === undefined) return { objects: [], missing: name }
    objects.push(...((await readManifests(secret.data)) as readonly KubernetesObject[]))
  }
  return { objects }
}

/** Fields beside the Secrets, which are other ones whenever an object is another one. */
const specNotes = (
  before: ManagedResource | undefined,
  after: ManagedResource | undefined,
): readonly string[] => {
  const [past, wanted] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...Object.keys(past), ...Object.keys(wanted)])].flatMap(field => {
    const [from, to] = [JSON.stringify(past[field]), JSON.stringify(wanted[field])]
    return from === to ? [] : [`${field}: ${from ?? 'none'} → ${to ?? 'none'}`]
  })
}

const fieldsOf = (managedResource: ManagedResource | undefined): Readonly<Record<string, unknown>> => {
  const { secretRefs: _, ...fields } = Object(managedResource?.spec)
  return fields
}
