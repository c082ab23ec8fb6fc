import { expect, test } from 'vitest'
import { apiVersion } from '../../shared/contract/constants.ts'
import { type SeedChanges, seedWith } from './testing/good-seed.ts'
import { saidOf } from './testing/said-of.ts'

const textsOf = (changes: SeedChanges, state: 'warning' | 'problem') =>
  saidOf(seedWith(changes), state).map(({ text, advice }) => `${text}: ${advice}`)

const object = (name: string, deleting: boolean) => ({
  apiVersion,
  kind: 'ControlPlane',
  metadata: {
    name,
    namespace: 'shoot--a--b',
    finalizers: ['extensions.gardener.cloud/controlplane', 'secondary.trellis.gardener.cloud/gone-audit'],
    ...(deleting && { deletionTimestamp: '2026-11-21T11:59:59Z' }),
  },
  spec: { type: 'other' },
})

test('the finalizer of a removed secondary function is reported before and while it blocks a deletion', () => {
  expect(textsOf({ ControlPlane: [object('idle', false)] }, 'warning')).toContainEqual(
    expect.stringContaining(
      '1 ControlPlane with the finalizer of the secondary function gone-audit, which is not deployed: shoot--a--b/idle',
    ),
  )
  expect(textsOf({ ControlPlane: [object('idle', false), object('stuck', true)] }, 'problem')).toContainEqual(
    expect.stringMatching(
      /the deletion of 1 ControlPlane waits .*gone-audit.*stuck.*kubectl -n shoot--a--b edit controlplane stuck/s,
    ),
  )
})

const registration = (name: string, primary?: false) => ({
  apiVersion: 'core.gardener.cloud/v1beta1',
  kind: 'ControllerRegistration',
  metadata: { name },
  spec: { resources: [{ kind: 'ControlPlane', type: 'acme', ...(primary === false && { primary }) }] },
})

test('two primary registrations of a kind and type are a problem, a secondary one is none', () => {
  const one = registration('provider-acme')
  const said = (other: object) =>
    textsOf({ registrations: [one, other as typeof one] }, 'problem').filter(line =>
      line.includes('ControllerRegistrations'),
    )
  expect(said(registration('acme-audit', false))).toEqual([])
  expect(said(registration('acme-audit'))).toEqual([
    expect.stringContaining(
      'ControlPlane of type acme has 2 primary ControllerRegistrations: provider-acme, acme-audit',
    ),
  ])
})
