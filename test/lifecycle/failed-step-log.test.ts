import { expect, test } from 'vitest'
import { CodedError } from '../../shared/contract/errors.ts'
import { KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import { harness } from './harness.ts'

/** Returns the log and the reported reasons of a step with an actuator that throws. */
const failedStep = async (thrown: () => unknown) => {
  const lines: Readonly<Record<string, unknown>>[] = []
  const write: Log['warn'] = (msg, fields) => void lines.push({ msg, ...fields })
  const log: Log = { debug: write, info: write, warn: write, error: write }
  const seed = await harness('DNSRecord', {
    log,
    actuator: {
      reconcile: async () => {
        throw thrown()
      },
    },
  })
  await seed.create()
  const outcome = await seed.step()
  expect(outcome).toEqual({ kind: 'recorded', how: 'failed' })
  return { line: lines.find(({ msg }) => msg === 'step failed'), failures: seed.failures }
}
const logOf = async (thrown: () => unknown) => (await failedStep(thrown)).line

test('an unexpected error is logged with its location, but without its message there', async () => {
  const line = await logOf(() => new TypeError('no such thing as s3cr3t'))
  expect(line).toMatchObject({ error: 'no such thing as s3cr3t', at: expect.any(Array) })
  const frames = line?.at as readonly string[]
  expect(frames[0]).toContain(`${import.meta.filename}:`)
  expect(frames.join()).not.toContain('s3cr3t')
  expect(frames.length).toBeLessThan(10)
})

test('a failed step is logged with its object in a separate field, because the log entry has the name of the process', async () => {
  const line = await logOf(() => new Error('no'))
  expect(line).toMatchObject({ kind: 'DNSRecord', object: expect.stringMatching(/^[^/]+\/[^/]+$/) })
  expect(line).not.toHaveProperty('name')
})

test('an error is logged with advice if the function lacks a permission', async () => {
  const forbidden = 'secrets is forbidden: User "f" cannot get resource "secrets"'
  const line = await logOf(() => new KubernetesError(403, 'Forbidden', forbidden))
  expect(line?.advice).toMatch(/^apply the ClusterRole/)
  expect(await logOf(() => new Error('no'))).not.toHaveProperty('advice')
})

test('an error with a context is logged without a location', async () => {
  const line = await logOf(
    () => new CodedError('the zone is not there', { codes: ['ERR_INFRA_DEPENDENCIES'] }),
  )
  expect(line).toMatchObject({ error: 'the zone is not there' })
  expect(line).not.toHaveProperty('at')
})

test('the reason of a failed step has the codes, but no value of its Secret', async () => {
  const codes = ['ERR_INFRA_QUOTA_EXCEEDED'] as const
  const { failures } = await failedStep(() => new CodedError('no room for planted-secret-value', { codes }))
  expect(failures).toEqual(['ERR_INFRA_QUOTA_EXCEEDED: no room for [redacted]'])
})

test.each<[what: string, thrown: unknown]>([
  ['an object without a prototype', Object.create(null)],
  ['nothing', undefined],
  ['an error whose message is no text', Object.assign(new Error('it'), { message: Object.create(null) })],
])('a step that throws %s is recorded', async (_, thrown) => {
  expect(await logOf(() => thrown)).toMatchObject({ error: expect.any(String) })
})
