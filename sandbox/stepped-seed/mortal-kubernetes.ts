import type { GroupVersionResource, Kubernetes } from '../../shared/kubernetes/kubernetes.ts'

/** The API server for a process that can crash at any of its writes. */
export interface MortalKubernetes {
  /** Returns a client for a new process. */
  readonly port: () => Kubernetes
  /** Writes of all processes since the last `forgetWrites`: `create configmaps rose`. */
  readonly writes: () => readonly string[]
  readonly forgetWrites: () => void
  readonly dieAt: (write: number, when: 'before' | 'after') => void
  /** Returns true if a process has crashed since the last call. */
  readonly died: () => boolean
}

/** Requests of a crashed process have no effect and get no response. */
export const mortalKubernetes = (kubernetes: Kubernetes): MortalKubernetes => {
  const writes: string[] = []
  let death: { writesLeft: number; readonly when: 'before' | 'after' } | undefined
  let someoneDied = false

  const port = (): Kubernetes => {
    let dead = false
    const alive = (): void => {
      if (dead) throw new Error('this process is dead')
    }
    const read = async <T>(asked: () => Promise<T>): Promise<T> => {
      alive()
      return asked()
    }
    const write = async <T>(what: string, made: () => Promise<T>): Promise<T> => {
      alive()
      if (death !== undefined) death.writesLeft -= 1
      const dies = death?.writesLeft === 0 ? death.when : undefined
      if (dies !== undefined) {
        death = undefined
        someoneDied = true
        dead = true
      }
      if (dies !== 'before') {
        writes.push(what)
        const answer = await made()
        alive()
        return answer
      }
      throw new Error('this process is dead')
    }
    const about = ({ plural }: GroupVersionResource, name: string, subresource?: string) =>
      `${plural}${subresource === undefined ? '' : `/${subresource}`} ${name}`
    return {
      ...kubernetes,
      get: (...args) => read(() => kubernetes.get(...args)),
      list: (...args) => read(() => kubernetes.list(...args)),
      create: (resource, object, ...rest) =>
        write(`create ${about(resource, object.metadata.name)}`, () =>
          kubernetes.create(resource, object, ...rest),
        ),
      replace: (resource, object, options) =>
        write(`replace ${about(resource, object.metadata.name, options?.subresource)}`, () =>
          kubernetes.replace(resource, object, options),
        ),
      patch: (resource, key, patch, options) =>
        write(`patch ${about(resource, key.name, options?.subresource)}`, () =>
          kubernetes.patch(resource, key, patch, options),
        ),
      delete: (resource, key, ...rest) =>
        write(`delete ${about(resource, key.name)}`, () => kubernetes.delete(resource, key, ...rest)),
    }
  }
  return {
    port,
    writes: () => [...writes],
    forgetWrites: () => void writes.splice(0),
    dieAt: (write, when) => {
      death = { writesLeft: write, when }
    },
    died: () => {
      const is = someoneDied
      someoneDied = false
      return is
    },
  }
}
