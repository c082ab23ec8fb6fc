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
  aws => {
    const message = `${code}, as long as the trouble lasts`
    aws.faults.add({ service, action, times: null, effect: { kind: 'error', code, message, status } })
    return () => aws.faults.clear()
  }
