import { parseTimestamp } from '../../../shared/clock/clock.ts'
import { areApplied } from '../../../shared/contract/awaited.ts'
import { recordOf, recordsOf, stringOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { viewIdOf } from '../seed-view.ts'
import type { TreeNode } from '../tree.ts'

/** The names that extensions give to their ManagedResources, by kind (docs/contract/managed-resources.md). */
const prefixes: Readonly<Record<string, (object: KubernetesObject) => readonly string[]>> = {
  ControlPlane: () => ['extension-controlplane-'],
  Network: () => ['extension-networking-'],
  Worker: () => ['extension-worker-'],
  ContainerRuntime: ({ spec }) => [`extension-runtime-${stringOf(recordOf(spec).type)}`],
  Extension: ({ metadata, spec }) => [
    `extension-${metadata.name}`,
    `extension-${stringOf(recordOf(spec).type)}`,
  ],
}

/** Returns the extension object that has created a ManagedResource; undefined: gardenlet or another program has. */
export const ownerOfResource = (
  { metadata: { name, ownerReferences } }: KubernetesObject,
  extensions: readonly KubernetesObject[],
): KubernetesObject | undefined => {
  const owners = recordsOf(ownerReferences).map(({ uid }) => uid)
  const lengthIn = (object: KubernetesObject): number =>
    Math.max(
      0,
      ...(prefixes[object.kind]?.(object) ?? [])
        .filter(prefix => name.startsWith(prefix))
        .map(({ length }) => length),
    )
  const [nearest] = extensions
    .map(object => ({
      object,
      length: owners.includes(object.metadata.uid) ? Number.POSITIVE_INFINITY : lengthIn(object),
    }))
    .filter(({ length }) => length > 0)
    .toSorted((one, other) => other.length - one.length)
  return nearest?.object
}

const conditionsToMeet: Readonly<Record<string, string>> = {
  ResourcesApplied: 'True',
  ResourcesHealthy: 'True',
  ResourcesProgressing: 'False',
}

/** Returns the node of a ManagedResource: applied, healthy, progressing. */
export const managedResourceNode = (object: KubernetesObject): TreeNode => {
  const { metadata, spec, status } = object
  const { conditions } = recordOf(status)
  const known = new Map(recordsOf(conditions).map(one => [stringOf(one.type), one]))
  const unmet = Object.entries(conditionsToMeet).flatMap(([type, wanted]) => {
    const condition = known.get(type)
    return condition?.status === wanted ? [] : [{ type, condition }]
  })
  const [first] = unmet
  const isFailed = unmet.some(
    ({ type, condition }) => type !== 'ResourcesProgressing' && condition?.status === 'False',
  )
  const isDeleting = metadata.deletionTimestamp !== undefined
  const state = isFailed ? 'failed' : areApplied(object) ? 'ok' : 'waiting'
  const since =
    parseTimestamp(stringOf(first?.condition?.lastTransitionTime)) ??
    parseTimestamp(metadata.deletionTimestamp) ??
    parseTimestamp(metadata.creationTimestamp)
  return {
    id: viewIdOf(object),
    kind: 'managed resource',
    title: `ManagedResource ${metadata.name}`,
    state,
    detail: `for the ${stringOf(recordOf(spec).class) === 'seed' ? 'seed' : 'shoot'}`,
    ...(since !== undefined && { since }),
    ...(state !== 'ok' && {
      why: isDeleting
        ? 'the resource manager is deleting its objects'
        : first === undefined
          ? 'the resource manager has not applied its latest change'
          : conditionText(first),
      next: { what: 'the resource manager tries again' },
    }),
    children: [],
  }
}

const conditionText = ({
  type,
  condition,
}: {
  readonly type: string
  readonly condition: Readonly<Record<string, unknown>> | undefined
}): string =>
  condition === undefined
    ? `the resource manager has not set ${type}`
    : `${type} is ${stringOf(condition.status)}: ${stringOf(condition.message) || stringOf(condition.reason)}`
