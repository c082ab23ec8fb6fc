import type { Trouble } from './walk-space.ts'

/** Removes a key from a Secret. */
export const withoutKey =
  (secret: string, key: string): NonNullable<Trouble['objects']> =>
  objects =>
    objects.map(object => {
      if (object.kind !== 'Secret' || object.metadata.name !== secret) return object
      const without = (field: 'data' | 'stringData') => {
        const { [key]: _, ...data } = Object(Object(object)[field])
        return data
      }
      return { ...object, data: without('data'), stringData: without('stringData') }
    })

/** AWS refuses some calls until the trouble ends. */
export const refusedCalls =
  (service: string, action: string, code: string, status = 400): NonNullable<Trouble['cloud']> =>
  cloud => {
    if (cloud.provider !== 'aws') throw new TypeError('only AWS has these calls')
    const { faults } = cloud.aws
    const message = `${code}, as long as the trouble lasts`
    faults.add({ service, action, times: null, effect: { kind: 'error', code, message, status } })
    return () => faults.clear()
  }

/** The provider cluster refuses writes of a resource until the trouble ends. */
export const refusedWrites =
  (plural: string): NonNullable<Trouble['cloud']> =>
  cloud => {
    if (cloud.provider !== 'local') throw new TypeError('only the local setup has a provider cluster')
    return cloud.local.cluster.server.faults.add({
      matches: ({ method, path }) => method !== 'GET' && path.includes(`/${plural}`),
      times: Number.POSITIVE_INFINITY,
      effect: { kind: 'answer', code: 403, reason: 'Forbidden' },
    })
  }

/** The name server refuses updates until the trouble ends. */
export const refusedUpdates: NonNullable<Trouble['cloud']> = cloud => {
  if (cloud.provider !== 'local') throw new TypeError('only the local setup has a name server')
  const refused = { kind: 'refuse', rcode: 'REFUSED' } as const
  return cloud.local.nameServer.faults.add({
    fault: refused,
    opcode: 'UPDATE',
    times: Number.POSITIVE_INFINITY,
  })
}
