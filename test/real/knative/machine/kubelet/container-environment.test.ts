import { describe, expect, test } from 'vitest'
import { containerEnvironment, type EnvironmentSources, expandVariables } from './container-environment.ts'

const data: Readonly<Record<string, Readonly<Record<string, Buffer>>>> = {
  'ConfigMap/settings': { colour: Buffer.from('green'), size: Buffer.from('3') },
  'Secret/login': { password: Buffer.from('x') },
}
const sources: EnvironmentSources = {
  base: { PATH: '/bin', COLOUR: 'of the image' },
  objects: { data: (kind, name) => data[`${kind}/${name}`] },
  field: path => `field ${path}`,
  resource: ({ resource }) => `amount ${resource}`,
}

test.each([
  ['$(A)', 'a'],
  ['$(A)$(B)', 'a$(B)'],
  ['$$(A)', '$(A)'],
  ['$$$(A)', '$a'],
  ['$A $', '$A $'],
])('%s becomes %s', (text, expected) => {
  expect(expandVariables(text, { A: 'a' })).toBe(expected)
})

describe('the environment', () => {
  test('has the variables of all sources, and later ones override earlier ones', () => {
    const environment = containerEnvironment(
      {
        envFrom: [{ configMapRef: { name: 'settings' }, prefix: 'SET_' }, { secretRef: { name: 'login' } }],
        env: [
          { name: 'COLOUR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'colour' } } },
          { name: 'TEXT', value: '$(COLOUR) $(SET_size) $(LATER)' },
          { name: 'LATER', value: 'x' },
          { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'LIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
          { name: 'EMPTY' },
          { name: 'NONE', valueFrom: { secretKeyRef: { name: 'none', key: 'a', optional: true } } },
        ],
      },
      sources,
    )
    expect(environment).toEqual({
      ...{ PATH: '/bin', COLOUR: 'green', SET_colour: 'green', SET_size: '3', password: 'x' },
      ...{ TEXT: 'green 3 $(LATER)', LATER: 'x', POD: 'field metadata.name', LIMIT: 'amount limits.cpu' },
      EMPTY: '',
    })
  })

  test.each([
    ['an object', { envFrom: [{ configMapRef: { name: 'none' } }] }, 'ConfigMap none not found'],
    [
      'a key',
      { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'login', key: 'none' } } }] },
      'Secret login with key none not found',
    ],
  ])('is not known while %s is missing', (_, container, message) => {
    expect(() => containerEnvironment(container, sources)).toThrow(message)
  })
})
