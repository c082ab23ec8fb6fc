import { parseTimestamp } from '../../shared/clock/clock.ts'
import { recordOf, recordsOf, stringOf } from '../../shared/decode/record-of.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { PlanJson } from '../../terraform-free-infra/engine/engine.ts'

/** A program that has written a differing field since the last operation. Kubernetes records no person. */
export interface DriftWriter {
  /** `machinedeployments shoot--garden--rose-worker-z1` */
  readonly object: string
  /** The field manager: `kubectl-edit`. */
  readonly program: string
  /** RFC 3339. */
  readonly at: string
}

/** `metadata.managedFields` by resource and name: `machinedeployments shoot--garden--rose-worker-z1`. */
type ReadFields = ReadonlyMap<string, unknown>

/** Retains who has written the objects that a plan reads in this namespace. */
export const retainingWriters = (kubernetes: Kubernetes, namespace: string | undefined) => {
  const read = new Map<string, unknown>()
  const retain = (plural: string, { metadata }: KubernetesObject) => {
    if (metadata.managedFields !== undefined && metadata.namespace === namespace)
      read.set(`${plural} ${metadata.name}`, metadata.managedFields)
  }
  const retaining: Kubernetes = {
    ...kubernetes,
    get: async (resource, key, options) => {
      const object = await kubernetes.get(resource, key, options)
      if (object !== undefined) retain(resource.plural, object)
      return object
    },
    list: async (resource, { each, ...options } = {}) => {
      const page = await kubernetes.list(resource, {
        ...options,
        ...(each && {
          each: object => {
            retain(resource.plural, object)
            each(object)
          },
        }),
      })
      for (const object of page.items) retain(resource.plural, object)
      return page
    },
  }
  return { kubernetes: retaining, read }
}

/**
 * Returns the programs that own a differing field of an object in Kubernetes that the plan would write, and have
 * changed it after the last operation. A plan without fields, such as one of manifests, counts every field.
 */
export const writersOf = (
  { status }: KubernetesObject,
  plan: PlanJson & { readonly writes?: readonly { readonly resource: string; readonly name: string }[] },
  read: ReadFields,
): readonly DriftWriter[] => {
  const { lastUpdateTime } = recordOf(recordOf(status).lastOperation)
  const since = parseTimestamp(stringOf(lastUpdateTime)) ?? Number.POSITIVE_INFINITY
  const fields = plan.actions.flatMap(({ changes }) =>
    changes.map(({ attribute }) => `"f:${attribute.split('.').at(-1)}"`),
  )
  return (plan.writes ?? []).flatMap(({ resource, name }) => {
    const object = `${resource} ${name}`
    return recordsOf(read.get(object)).flatMap(({ manager, time, subresource, fieldsV1 }) => {
      const owned = JSON.stringify(fieldsV1 ?? {})
      const isOne =
        subresource === undefined &&
        (parseTimestamp(stringOf(time)) ?? 0) > since &&
        (fields.length === 0 || fields.some(field => owned.includes(field)))
      return isOne ? [{ object, program: stringOf(manager), at: stringOf(time) }] : []
    })
  })
}
