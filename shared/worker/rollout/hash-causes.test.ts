import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashOf } from '../desired/class-hash.ts'
import type { HashInput, MachineClassContent } from '../provider.ts'
import { hashCauses } from './hash-causes.ts'

const contentOf = (providerSpec: Record<string, unknown>): MachineClassContent => ({
  labels: {},
  provider: 'Toy',
  providerSpec,
  nodeTemplate: undefined,
})

/** An input that the class contains under its name. */
const input = (name: string, datum: string | undefined): HashInput => ({
  name,
  datum,
  observed: ({ providerSpec }) => {
    const value = providerSpec[name]
    return value === undefined ? undefined : String(value)
  },
})
/** An input that a class does not contain. */
const untold = (name: string, datum: string): HashInput => ({ name, datum })

const secret = untold('secret', 's')
const hash = (...data: readonly string[]) => hashOf(data, 5)

describe('the cause of a changed hash', () => {
  test('is the input with a changed value', () => {
    const inputs = [secret, input('size', '60Gi'), input('type', 'gp3')]
    expect(hashCauses(inputs, contentOf({ size: '50Gi', type: 'gp3' }), hash('s', '50Gi', 'gp3'))).toEqual({
      isProved: true,
      causes: [{ name: 'size', from: '50Gi', to: '60Gi' }],
    })
  })

  test('may be several inputs', () => {
    const inputs = [secret, input('size', '60Gi'), input('type', 'io1')]
    expect(
      hashCauses(inputs, contentOf({ size: '50Gi', type: 'gp3' }), hash('s', '50Gi', 'gp3')).causes,
    ).toEqual([
      { name: 'size', from: '50Gi', to: '60Gi' },
      { name: 'type', from: 'gp3', to: 'io1' },
    ])
  })

  test('is an added input', () => {
    const inputs = [secret, input('size', '50Gi'), input('iops', '3000')]
    expect(hashCauses(inputs, contentOf({ size: '50Gi' }), hash('s', '50Gi'))).toEqual({
      isProved: true,
      causes: [{ name: 'iops', from: undefined, to: '3000' }],
    })
  })

  test('is a removed input', () => {
    const inputs = [secret, input('size', '50Gi'), input('iops', undefined)]
    expect(hashCauses(inputs, contentOf({ size: '50Gi', iops: 3000 }), hash('s', '50Gi', '3000'))).toEqual({
      isProved: true,
      causes: [{ name: 'iops', from: '3000', to: undefined }],
    })
  })

  test('is not a field of the class that was never an input', () => {
    const inputs = [secret, input('encrypted', undefined), input('size', '60Gi')]
    const former = contentOf({ encrypted: 'false', size: '50Gi' })
    expect(hashCauses(inputs, former, hash('s', '50Gi'))).toEqual({
      isProved: true,
      causes: [{ name: 'size', from: '50Gi', to: '60Gi' }],
    })
  })

  test('is not proved if the class does not contain it', () => {
    const inputs = [untold('secret', 'new'), input('size', '60Gi')]
    expect(hashCauses(inputs, contentOf({ size: '50Gi' }), hash('old', '50Gi'))).toEqual({
      isProved: false,
      causes: [{ name: 'size', from: '50Gi', to: '60Gi' }],
    })
    expect(hashCauses([untold('secret', 'new')], contentOf({}), hash('old'))).toEqual({
      isProved: false,
      causes: [],
    })
  })

  test('is unknown if the class is gone', () => {
    expect(hashCauses([secret, input('size', '60Gi')], undefined, hash('s', '50Gi'))).toEqual({
      isProved: false,
      causes: [],
    })
  })

  test('is found within a limited number of attempts', () => {
    const inputs = Array.from({ length: 100 }, (_, i) => input(`i${i}`, `${i}`))
    expect(hashCauses(inputs, contentOf({}), 'zzzzz')).toEqual({ isProved: false, causes: [] })
  })

  test('that is proved has former values with the former hash, and only causes differ', () => {
    const field = fc.record({
      was: fc.option(fc.nat(3), { nil: undefined }),
      is: fc.option(fc.nat(3), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(field, { maxLength: 6 }), fields => {
        const former = Object.fromEntries(
          fields.flatMap(({ was }, i) => (was === undefined ? [] : [[`f${i}`, was]])),
        )
        const inputs = fields.map(({ is }, i) => input(`f${i}`, is === undefined ? undefined : String(is)))
        const data = fields.flatMap(({ was }) => (was === undefined ? [] : [String(was)]))
        const { causes, isProved } = hashCauses(inputs, contentOf(former), hashOf(data, 64))
        expect(isProved).toBe(true)
        const from = new Map(causes.map(cause => [cause.name, cause.from]))
        const proof = inputs.flatMap(({ name, datum }) => (from.has(name) ? from.get(name) : datum) ?? [])
        expect(hashOf(proof, 64)).toBe(hashOf(data, 64))
      }),
    )
  })
})
