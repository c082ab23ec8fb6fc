import { expect, test } from 'vitest'
import { checkFlags, type GivenFlags } from './check-flags.ts'

const check = (given: Partial<GivenFlags>, ...flags: readonly string[]) => {
  checkFlags({ render: 'registration', namespace: 'trellis', ...given }, flag => flags.includes(flag))
}

test.each([
  ['manifests', 'chart', '--chart'],
  ['manifests', 'podSecurity', '--pod-security'],
  ['manifests', 'primary', '--no-primary'],
  ['manifests', 'resources', '--resources'],
  ['chart', 'seed', '--seed'],
  ['chart', 'mode', '--mode'],
  ['chart', 'registry', '--registry'],
  ['chart', 'values', '--values'],
  ['chart', 'caBundleSecret', '--ca-bundle-secret'],
  ['registration', 'namespace', '--namespace'],
  ['operator-extension', 'legacy', '--legacy'],
] as const)('%s refuses %s, which it would otherwise ignore', (render, flag, said) => {
  expect(() => check({ render }, 'provider', flag)).toThrow(`--render ${render} does not accept ${said}: `)
})

test.each([
  ['manifests', 'namespace', 'registry', 'values'],
  ['chart', 'provider', 'output'],
  ['registration', 'legacy', 'policy', 'name'],
  ['operator-extension', 'chart', 'seedLabels'],
] as const)('%s accepts the flags that it uses', (render, ...flags) => {
  expect(() => check({ render }, ...flags)).not.toThrow()
})

test('the seed process refuses a profile of a broker', () => {
  expect(() => check({ mode: 'seed-process' }, 'mode', 'profile')).toThrow(
    '--mode seed-process has no broker, so it does not accept --profile. Remove the flag',
  )
  expect(() => check({ mode: 'knative' }, 'mode', 'profile')).not.toThrow()
})

test.each(['A_b', '', '-a', 'a.b', 'a'.repeat(64)])('%j is not a valid namespace', namespace => {
  expect(() => check({ namespace })).toThrow('--namespace ')
})

test.each([
  'registry.example.com/charts/trellis:1.2.3',
  'oci://localhost:5000/trellis:1',
  `10.0.0.1:5000/c@sha256:${'a'.repeat(64)}`,
])('%s is a chart in a registry', chart => {
  expect(() => check({ chart })).not.toThrow()
})

test.each(['trellis:1', 'charts/trellis:1', 'r.io/charts/trellis', 'r.io/a@@b', 'https://r.io/a:1'])(
  '%s is not valid',
  chart => {
    expect(() => check({ chart })).toThrow('--chart ')
  },
)
