import { describe, expect, test, vi } from 'vitest'
import { sampleEvent as event } from '../events/testing/sample-event.ts'
import { done } from '../lifecycle/lifecycle.ts'
import { defineFunction } from './define-function.ts'
import { functionService } from './definition/function-service.ts'
import { recorded } from './testing/use-hosts.ts'
import { lazyHandler } from './wire-function.ts'

const definition = defineFunction({
  name: 'acme-dnsrecord',
  kind: 'DNSRecord',
  type: 'acme-dns',
  service: { concurrency: { value: 7, why: 'Acme allows seven connections.' } },
  create: () => ({ reconcile: async () => done(), remove: async () => done() }),
})
const { signal } = new AbortController()

describe('lazyHandler', () => {
  test('creates the handler once, at the first event', async () => {
    const make = vi.fn(() => async () => recorded)
    const { handle } = lazyHandler(definition, make)
    expect(make).not.toHaveBeenCalled()
    expect(await Promise.all([handle(event, signal), handle(event, signal)])).toEqual([recorded, recorded])
    expect(make).toHaveBeenCalledTimes(1)
  })

  test('retries at the next event if the handler cannot be created', async () => {
    const make = vi.fn(() => async () => recorded)
    make.mockImplementationOnce(() => {
      throw new Error('no such file')
    })
    const { handle } = lazyHandler(definition, make)
    await expect(handle(event, signal)).rejects.toThrow('no such file')
    expect(await handle(event, signal)).toEqual(recorded)
  })

  test('accepts only its own observations if the function is secondary', () => {
    const secondary = {
      ...definition,
      secondary: { conditions: [], create: () => ({ observe: async () => ({}) }) },
    }
    const { accepts } = lazyHandler(secondary, () => async () => recorded)
    const given = { ...event, kind: 'DNSRecord' }
    expect(accepts?.({ ...given, provider: `secondary:${definition.name}:acme-dns` })).toBe(true)
    expect(accepts?.({ ...given, provider: 'secondary:another:acme-dns' })).toBe(false)
    expect(accepts?.({ ...given, provider: 'acme-dns' })).toBe(false)
  })

  test('ignores events of its kind that a broker without `filters` sends, because only those of several types get them', () => {
    const ignores = (types: readonly string[], given: object) =>
      lazyHandler({ ...definition, types }, () => async () => recorded).ignores?.({
        ...{ ...event, kind: 'DNSRecord' },
        ...given,
      })
    const provider = 'secondary:acme-audit:acme-dns'
    expect(ignores(['acme-dns', 'acme-fast'], { provider })).toBe(true)
    expect(ignores(['acme-dns', 'acme-fast'], { kind: 'Bastion' })).toBe(false)
    expect(ignores(['acme-dns'], { provider })).toBe(false)
  })

  test('accepts the objects of the definition, with the concurrency of its Service', () => {
    const { accepts, maxConcurrency } = lazyHandler(definition, () => async () => recorded)
    expect(accepts?.({ ...event, kind: 'DNSRecord', provider: 'acme-dns' })).toBe(true)
    expect(accepts?.({ ...event, kind: 'DNSRecord', provider: 'aws-route53' })).toBe(false)
    expect(accepts?.({ ...event, kind: 'Bastion', provider: 'acme-dns' })).toBe(false)
    expect(maxConcurrency).toBe(7)
    const plain = lazyHandler({ ...definition, service: {} }, () => async () => recorded)
    expect(plain.maxConcurrency).toBe(functionService({}).concurrency.value)
    const unbound = { concurrency: { value: 0, why: 'It only reads.' } }
    expect(lazyHandler({ ...definition, service: unbound }, () => async () => recorded).maxConcurrency).toBe(
      0,
    )
  })
})
