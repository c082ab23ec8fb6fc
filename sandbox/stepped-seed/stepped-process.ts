import type { GroupVersionResource, Kubernetes } from '../../shared/kubernetes/kubernetes.ts'

/** A request of the function to the API server. */
export interface SteppedRequest {
  readonly verb: 'get' | 'list' | 'create' | 'replace' | 'patch' | 'apply' | 'delete'
  /** The plural name, with the subresource after a slash: `dnsrecords/status`. */
  readonly resource: string
  readonly namespace?: string
  /** Empty for lists. */
  readonly name: string
  /** The object, or the patch. */
  readonly body?: object
}

/** Hooks around the requests of a function. If a hook throws, the function gets its error instead of the response. */
export interface RequestHooks {
  /** Called before the request takes effect. */
  readonly before?: (request: SteppedRequest) => void | Promise<void>
  /** Called after the request took effect. */
  readonly after?: (request: SteppedRequest) => void | Promise<void>
  /** Called after the API server refused the request. */
  readonly failed?: (request: SteppedRequest, error: unknown) => void | Promise<void>
}

/** The API server for a process that can crash at any of its writes. */
export interface SteppedProcess {
  /** Returns a client for a new process. The client of the previous process still fails if that has crashed. */
  readonly start: () => Kubernetes
  /** Requests of all processes. The caller may empty it. */
  readonly requests: SteppedRequest[]
  readonly dieAt: (write: number, when: 'before' | 'after') => void
  /** True if the current process has crashed. */
  readonly hasDied: () => boolean
}

export const isWriteRequest = ({ verb }: SteppedRequest): boolean => verb !== 'get' && verb !== 'list'

/** `patch dnsrecords/status rose` */
export const requestText = ({ verb, resource, name }: SteppedRequest): string =>
  `${verb} ${resource} ${name}`.trimEnd()

/** Requests of a crashed process have no effect and get no response. */
export const createSteppedProcess = (
  kubernetes: Kubernetes,
  hooks: () => RequestHooks,
  { onDeath = () => {} }: { readonly onDeath?: () => void } = {},
): SteppedProcess => {
  const requests: SteppedRequest[] = []
  let death: { writesLeft: number; readonly when: 'before' | 'after' } | undefined
  let hasDied = false

  const start = (): Kubernetes => {
    let dead = false
    hasDied = false
    death = undefined
    const die = (): never => {
      dead = true
      throw new Error('the process has crashed')
    }
    const send = async <T>(request: SteppedRequest, work: () => Promise<T>): Promise<T> => {
      if (dead) die()
      const writes = isWriteRequest(request)
      if (writes && death !== undefined) death.writesLeft -= 1
      const dies = writes && death?.writesLeft === 0 ? death.when : undefined
      if (dies !== undefined) {
        death = undefined
        hasDied = true
        onDeath()
      }
      if (dies === 'before') die()
      // The process is dead for its other requests from now on.
      if (dies === 'after') dead = true
      await hooks().before?.(request)
      requests.push(request)
      const answer = await work().catch(async (error: unknown) => {
        await hooks().failed?.(request, error)
        throw error
      })
      await hooks().after?.(request)
      return dead ? die() : answer
    }
    return {
      ...kubernetes,
      get: (of, key, ...rest) => send(about('get', of, key), () => kubernetes.get(of, key, ...rest)),
      list: (of, ...rest) =>
        send(about('list', of, { ...rest[0], name: '' }), () => kubernetes.list(of, ...rest)),
      create: (of, object, ...rest) =>
        send(about('create', of, object.metadata, object), () => kubernetes.create(of, object, ...rest)),
      replace: (of, object, options) =>
        send(about('replace', of, object.metadata, object, options), () =>
          kubernetes.replace(of, object, options),
        ),
      patch: (of, key, patch, options) =>
        send(about('patch', of, key, patch, options), () => kubernetes.patch(of, key, patch, options)),
      apply: (of, object, options) =>
        send(about('apply', of, object.metadata, object), () => kubernetes.apply(of, object, options)),
      delete: (of, key, ...rest) => send(about('delete', of, key), () => kubernetes.delete(of, key, ...rest)),
    }
  }
  return {
    start,
    requests,
    dieAt: (writesLeft, when) => {
      death = { writesLeft, when }
    },
    hasDied: () => hasDied,
  }
}

const about = (
  verb: SteppedRequest['verb'],
  { plural }: GroupVersionResource,
  { name, namespace }: { readonly name: string; readonly namespace?: string },
  body?: object,
  { subresource }: { readonly subresource?: string } = {},
): SteppedRequest => ({
  verb,
  resource: subresource === undefined ? plural : `${plural}/${subresource}`,
  ...(namespace !== undefined && { namespace }),
  name,
  ...(body !== undefined && { body }),
})
