import type { Call } from '../../journal/journal.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
  ObjectKey,
  Subresource,
} from '../../kubernetes/kubernetes.ts'
import { ConnectionError, idOf, KubernetesError } from '../../kubernetes/kubernetes.ts'

/** Receives the calls of the steps that are running. */
export interface ObserveCalls {
  readonly now: () => number
  /** Returns the function that adds a call to the current step. Undefined: no step is running. */
  readonly current: () => ((call: Omit<Call, 'after'>, began: number) => void) | undefined
  /** Called with each Secret that the step reads or writes. */
  readonly note: (secret: KubernetesObject) => void
}

/** Reports each call to the API server. A read that was retried is one call. Watches are not calls of steps. */
export const observedKubernetes = (kubernetes: Kubernetes, observe: ObserveCalls): Kubernetes => {
  const call = async <T>(
    method: string,
    resource: GroupVersionResource,
    target: string | undefined,
    subresource: Subresource | undefined,
    work: () => Promise<T>,
  ): Promise<T> => {
    const add = observe.current()
    if (add === undefined) return work()
    const began = observe.now()
    const report = (status: string, error?: string): void =>
      add(
        {
          to: 'kubernetes',
          name: `${method} ${resource.plural}${subresource === undefined ? '' : `/${subresource}`}`,
          ...(target !== undefined && { target }),
          ms: observe.now() - began,
          status,
          ...(error !== undefined && { error }),
          ...(method !== 'GET' && method !== 'LIST' && { write: true }),
        },
        began,
      )
    try {
      const result = await work()
      report(method === 'POST' ? '201' : result === undefined && method === 'GET' ? '404' : '200')
      return result
    } catch (error) {
      if (error instanceof KubernetesError) report(String(error.status), error.reason)
      else report('none', connectionCode(error))
      throw error
    }
  }
  const noteAll = (resource: GroupVersionResource, objects: readonly (KubernetesObject | undefined)[]) => {
    if (resource.plural !== 'secrets' || resource.group !== '') return
    for (const object of objects) if (object !== undefined) observe.note(object)
  }
  const noted = async <T extends KubernetesObject | undefined>(
    resource: GroupVersionResource,
    given: KubernetesObject | undefined,
    result: Promise<T>,
  ): Promise<T> => {
    noteAll(resource, [given])
    const object = await result
    noteAll(resource, [object])
    return object
  }
  const ofObject = ({ metadata: { namespace, name } }: KubernetesObject): string =>
    targetOf(namespace === undefined ? { name } : { name, namespace })

  return {
    get: (resource, key, options) =>
      call('GET', resource, targetOf(key), undefined, () =>
        noted(resource, undefined, kubernetes.get(resource, key, options)),
      ),
    list: (resource, options) =>
      call('LIST', resource, options?.namespace, undefined, async () => {
        const { each } = options ?? {}
        const page = await kubernetes.list(
          resource,
          each === undefined
            ? options
            : {
                ...options,
                each: object => {
                  noteAll(resource, [object])
                  each(object)
                },
              },
        )
        noteAll(resource, page.items)
        return page
      }),
    watch: (resource, options) => kubernetes.watch(resource, options),
    create: (resource, object, options) =>
      call('POST', resource, ofObject(object), undefined, () =>
        noted(resource, object, kubernetes.create(resource, object, options)),
      ),
    replace: (resource, object, options) =>
      call('PUT', resource, ofObject(object), options?.subresource, () =>
        noted(resource, object, kubernetes.replace(resource, object, options)),
      ),
    patch: (resource, key, patch, options) =>
      call('PATCH', resource, targetOf(key), options?.subresource, () =>
        noted(resource, patch as KubernetesObject, kubernetes.patch(resource, key, patch, options)),
      ),
    apply: (resource, object, options) =>
      call('APPLY', resource, ofObject(object), undefined, () =>
        noted(resource, object, kubernetes.apply(resource, object, options)),
      ),
    delete: (resource, key, options) =>
      call('DELETE', resource, targetOf(key), undefined, () => kubernetes.delete(resource, key, options)),
  }
}

/** Longer than any valid name with its namespace. */
const mostOfTarget = 320

const targetOf = (key: ObjectKey): string => idOf(key).slice(0, mostOfTarget)

/** Returns the system's code of a failed connection, such as `ECONNREFUSED`, or the name of the error. */
const connectionCode = (error: unknown): string => {
  const { code } = Object(error instanceof ConnectionError ? error.cause : error)
  return typeof code === 'string' ? code : String(Object(error).name ?? 'Error')
}
