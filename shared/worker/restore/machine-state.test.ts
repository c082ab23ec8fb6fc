import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { machineStateOf, readMachineState } from './machine-state.ts'

/** Written by gardenlet. */
const recorded =
  'H4sIAAAAAAACA82STU/DMAyG/4vPcZt0lI9c2QUJLiBxQRy81KgRaRI12SaY+t9RizaBEBLiYyzH2H792o830JFprec5RxeeOvY5gd5AakPIiA8hIPaccugZCZ/VGOs5OmsogZ6JbfkNj3V3G6Bob7lPNnjQ22CRKBoXlk1hQ7lS5GJLCgQ8Wt+AhqudBAjoOFNDmcZGnjoG/akXrGqWJyCmvBTJfJIMAhwt2KUvaMJuIszcRUeZsaXUgobXbsMgIEU2Hxdh/TVT83TDJvgmga6lFJDYscmhH9M7yqa9/FUn28gk/2ZzfzOvcZQm0ffgzqdv8UVcw/jud21/ejXfORmkPR+NAB+aUcFGVBKrWqJEJQte4ppTRlWY0MVl5sL6zL0n9wd7FxD7sLIN9xdz0EDrpMuy3FkoLUpVzY7q45PTM1qYhuVoYu9sFgfBRh04G/UvbMxBsKkOnE0Fw3A/DMMLqa1y41wHAAA='

const write = (value: unknown, level = 6) => ({
  state: gzipSync(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), { level }).toString(
    'base64',
  ),
})

const decompressing = 'failed decompressing machine state: '

describe('a machine state', () => {
  test('is read as gardenlet writes it', () => {
    const state = readMachineState({ state: recorded })
    expect([...(state?.keys() ?? [])]).toEqual(['shoot--foo--restore-a-z1'])
    const part = state?.get('shoot--foo--restore-a-z1')
    expect(part).toMatchObject({
      replicas: 3,
      sets: [{ metadata: { name: 'shoot--foo--restore-a-z1-25e07' }, spec: { replicas: 3 } }],
    })
    expect(part?.machines.map(({ metadata }) => metadata.name)).toEqual(
      ['a', 'b', 'c'].map(end => `shoot--foo--restore-a-z1-25e07-${end}`),
    )
    expect(part?.machines[0]?.spec).toMatchObject({ providerID: 'aws:///eu-west-1/i-0123456789abcde0' })
  })

  test('is read at any compression level', () => {
    const object = fc.record({
      metadata: fc.record({
        name: fc.string({ minLength: 1 }),
        labels: fc.dictionary(fc.string(), fc.string()),
      }),
      spec: fc.dictionary(fc.string(), fc.jsonValue()),
    })
    const part = fc.record({ replicas: fc.nat(), machineSets: fc.array(object), machines: fc.array(object) })
    fc.assert(
      fc.property(fc.dictionary(fc.string(), part), fc.integer({ min: 0, max: 9 }), (parts, level) => {
        const machineDeployments = JSON.parse(JSON.stringify(parts)) as typeof parts
        const read = readMachineState(write({ machineDeployments }, level))
        const expected = Object.entries(machineDeployments).map(
          ([name, { replicas, machineSets, machines }]) => [name, { replicas, sets: machineSets, machines }],
        )
        expect([...(read ?? [])]).toEqual(expected)
      }),
    )
  })

  test('may omit empty fields', () => {
    expect(readMachineState(write({}))).toEqual(new Map())
    expect(readMachineState(write({ machineDeployments: { d: { machines: null } } }))).toEqual(
      new Map([['d', { replicas: 0, sets: [], machines: [] }]]),
    )
  })

  test.each([[undefined], [null], [{}], [{ state: '' }], [{ state: null }]])('is undefined for %j', state => {
    expect(readMachineState(state)).toBeUndefined()
  })

  test.each<[string, unknown, string]>([
    [
      'too short',
      { state: 'H4sIAA==' },
      `${decompressing}failed creating gzip reader for decompressing machine state data: unexpected EOF`,
    ],
    [
      'not compressed',
      { state: Buffer.from('you should not read this').toString('base64') },
      `${decompressing}failed creating gzip reader for decompressing machine state data: gzip: invalid header`,
    ],
    [
      'cut off after its header',
      { state: recorded.slice(0, 16).replace(/..$/, '==') },
      `${decompressing}failed reading machine state data for decompression: unexpected EOF`,
    ],
    [
      'cut off',
      { state: recorded.slice(0, 100) },
      `${decompressing}failed reading machine state data for decompression: unexpected EOF`,
    ],
    [
      'no text',
      { state: 5 },
      `${decompressing}failed unmarshalling JSON to compressed machine state structure: `,
    ],
    ['no JSON', write('{foo'), 'failed unmarshalling machine state: '],
    [
      'too deep',
      write(`${'['.repeat(600)}${']'.repeat(600)}`),
      'failed unmarshalling machine state: too many levels',
    ],
    [
      'of another shape',
      write({ machineDeployments: { d: { machineSets: [{ metadata: {} }] } } }),
      'failed unmarshalling machine state: ',
    ],
  ])('a state that is %s cannot be read', (_, state, message) => {
    expect(() => readMachineState(state)).toThrow(message)
  })
})

describe('a ShootState', () => {
  const entry = (name: string, type: string, data: unknown) => ({ name, type, data })
  const mine = entry('machine-state', 'machine-state', { state: 'x' })
  const stateWith = (...gardener: readonly unknown[]) => ({ kind: 'ShootState', spec: { gardener } })

  test('contains the machine state in the entry of that name and type', () => {
    const others = [entry('machine-state', 'secret', 1), entry('ca', 'machine-state', 2)]
    expect(machineStateOf(stateWith(...others, mine))).toEqual({ state: 'x' })
    expect(machineStateOf(stateWith(...others))).toBeUndefined()
  })

  test.each([[undefined], [{}], [{ spec: {} }], [{ spec: { gardener: null } }], [{ spec: { gardener: 5 } }]])(
    'has no machine state in %j',
    object => {
      expect(machineStateOf(object)).toBeUndefined()
    },
  )
})
