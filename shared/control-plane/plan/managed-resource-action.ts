import type { ManagedResource } from '../../contract/objects.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { ReadKubernetes } from '../../lifecycle/lifecycle.ts'
import { readManifests } from '../../resources/resources.ts'
import { secrets } from '../core-resources.ts'
import type { ControlPlaneAction } from './control-plane-plan.ts'
import type { PlanToTell } from './happening.ts'
import { keyOf, objectChanges } from './object-changes.ts'
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
  const areAllKept = isDeleted && before?.spec?.keepObjects === true
  const staying = areAllKept ? present.objects : stayingObjects(present, desired)
  return {
    kind,
    cluster: (before ?? after)?.spec?.class === 'seed' ? 'seed' : 'shoot',
    sentence: `${kind} the ManagedResource ${name}`,
    notes: [
      ...(present.missing === undefined
        ? []
        : [`which objects it has cannot be told: there is no Secret ${present.missing}`]),
      ...(kind === 'update' ? specNotes(before, after) : []),
      ...(areAllKept
        ? ['its objects stay']
        : staying.map(({ kind, metadata }) => `${kind} ${metadata.name} stays`)),
    ],
    objects: isUnread
      ? []
      : objectChanges(
          present.objects.filter(object => !staying.includes(object)),
          desired.objects,
          shown,
        ),
  }
}

/** Those that are not desired any more, and that the resource manager leaves all the same. */
const stayingObjects = (present: Content, desired: Content): readonly KubernetesObject[] => {
  const wanted = new Set(desired.objects.map(keyOf))
  return present.objects.filter(
    object => object.metadata.annotations?.[keepAnnotation] === 'true' && !wanted.has(keyOf(object)),
  )
}

/** docs/contract/managed-resources.md#objects-under-management */
const keepAnnotation = 'resources.gardener.cloud/keep-object'

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
