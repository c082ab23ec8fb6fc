import { type BridgeSelects, bridgeSelects } from '../../bridge/bridge.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { isKindName } from '../../shared/contract/kinds.ts'
import { parseStepAnnotation } from '../../shared/contract/step-annotation.ts'
import { recordOf, recordsOf, stringOf } from '../../shared/decode/record-of.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/** Returns true if Trellis serves an object, and false if it must leave it to another extension. */
export type IsServed = (object: KubernetesObject) => boolean | 'unknown'

/** The Deployments of bridges, in every namespace. */
export const bridgeDeployments: {
  readonly resource: GroupVersionResource
  readonly labelSelector: string
} = {
  resource: { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true },
  labelSelector: 'app=bridge',
}

/** The settings that select objects. Without them, a bridge selects all. */
const selecting = ['TRELLIS_SERVED', 'TRELLIS_PROGRAMS', 'TRELLIS_KINDS']

/**
 * Returns which objects Trellis serves: those for which a bridge of the seed sends events, by the bridge's own rules.
 * It is the only source of status, trace and doctor.
 *
 * @param bridges the Deployments of bridges; undefined: they could not be read
 * @param objects an object that a step has claimed shows its type as served, if no bridge tells
 */
export const servedBy = (
  bridges: readonly KubernetesObject[] | undefined,
  objects: readonly KubernetesObject[],
): IsServed => {
  const claimed = claimedTypes(objects)
  if (bridges === undefined) return object => claimed(object) || 'unknown'
  // Trellis is not installed yet, or has lost its bridge.
  if (bridges.length === 0) return claimed
  const selections = bridges.map(selectionOfDeployment)
  const isUnknown = selections.includes(undefined)
  return object => {
    const { kind } = object
    if (!isKindName(kind)) return false
    if (selections.some(selects => selects?.(kind, object))) return true
    return isUnknown ? claimed(object) || 'unknown' : false
  }
}

/** Returns true for the kinds and types of objects that a step of Trellis has claimed. */
const claimedTypes = (objects: readonly KubernetesObject[]): ((object: KubernetesObject) => boolean) => {
  const types = new Set(objects.filter(isClaimed).map(kindAndType))
  return object => types.has(kindAndType(object))
}

export const isClaimed = ({ metadata }: KubernetesObject): boolean =>
  parseStepAnnotation(metadata.annotations?.[annotations.step]) !== undefined

export const kindAndType = ({ kind, spec }: KubernetesObject): string =>
  `${kind}/${stringOf(recordOf(spec).type)}`

/** Returns undefined if the settings come from a source that the Deployment does not contain. */
const selectionOfDeployment = ({ spec }: KubernetesObject): BridgeSelects | undefined => {
  const containers = recordsOf(recordOf(recordOf(recordOf(spec).template).spec).containers)
  const variables = containers.flatMap(({ env }) => recordsOf(env))
  const literal = variables.flatMap(({ name, value }) =>
    typeof value === 'string' ? [[stringOf(name), value] as const] : [],
  )
  const env = Object.fromEntries(literal.filter(([name]) => name.startsWith('TRELLIS_')))
  const isHidden =
    variables.some(({ name, valueFrom }) => valueFrom != null && selecting.includes(stringOf(name))) ||
    (containers.some(({ envFrom }) => recordsOf(envFrom).length > 0) && !selecting.some(name => name in env))
  return isHidden ? undefined : bridgeSelects(env)
}
