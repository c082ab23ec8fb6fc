import type { GroupVersionResource, Reflector, ReflectorHandler } from '../../shared/kubernetes/kubernetes.ts'
import { createReflector } from '../../shared/kubernetes/kubernetes.ts'
import type { Observe } from './core-event.ts'

export interface WatchHandler extends Pick<ReflectorHandler, 'upsert' | 'deleted' | 'restarted' | 'synced'> {
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
  /** Logged once, with the resource, if the cluster does not serve it. */
  readonly whenAbsent?: { readonly message: string; readonly kind?: string }
}

/** Follows one resource of the cluster. */
export type Watch = (resource: GroupVersionResource, options: WatchHandler) => Reflector

/** The most objects of one kind: with 100,000 that all need work, the process would exceed its memory. */
const mostObjects = 60_000

/** Creates watches that announce when they are synced, restarted and recovered. They list one after the other. */
export const createWatch =
  (
    ports: Required<
      Pick<Parameters<typeof createReflector>[0], 'kubernetes' | 'clock' | 'log' | 'listQueue'>
    >,
    observe: Observe,
  ): Watch =>
  (resource, { namespace, labelSelector, fieldSelector, whenAbsent, restarted, synced, ...handler }) => {
    let isAbsenceLogged = false
    const reflector = createReflector({
      ...ports,
      resource,
      streamed: true,
      mostObjects,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      handler: {
        ...handler,
        restarted: about => {
          restarted?.(about)
          observe({ type: 'restarted', resource: resource.plural, ...about })
          if (whenAbsent === undefined || about.reason !== 'absent' || isAbsenceLogged) return
          isAbsenceLogged = true
          const { message, ...fields } = whenAbsent
          const { group, plural } = resource
          ports.log.info(message, { ...fields, group, plural })
        },
        recovered: () => observe({ type: 'recovered', resource: resource.plural }),
        synced:
          synced ?? (() => observe({ type: 'synced', resource: resource.plural, objects: reflector.size() })),
      },
    })
    return reflector
  }
