import { describe, expect, expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import { virtualClock } from '../clock/clock.ts'
import type { DNSRecord } from '../contract/objects.ts'
import { done } from '../lifecycle/lifecycle.ts'
import { defineFunction, type SecondaryOptions } from './define-function.ts'
import type { FunctionDefinition } from './definition/definition.ts'
import { DefinitionError } from './definition/definition-error.ts'

const create = () => ({ reconcile: async () => done(), remove: async () => done() })
const whole = { name: 'acme-dns', kind: 'DNSRecord', type: 'acme', create } as const
const why = 'So.'

/** Calls it like JavaScript code, without type checks. */
const define = (given: object): FunctionDefinition => defineFunction(given as typeof whole)

const problemsOf = (given: object): readonly string[] => {
  try {
    define(given)
    return []
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error
    return error.problems.map(({ message }) => message)
  }
}

describe('a secondary function', () => {
  const observe = async () => ({})
  const secondary = {
    ...whole,
    role: 'secondary',
    conditions: ['Audit'],
    create: () => ({ observe }),
  } as const
  const resource = {
    group: 'extensions.gardener.cloud',
    version: 'v1alpha1',
    plural: 'dnsrecords',
    namespaced: true,
  } as const
  const permission = (of: object) => problemsOf({ ...secondary, permissions: [{ resource, why, ...of }] })

  test('it has conditions, and no actuator of a primary one', () => {
    const definition = define(secondary)
    expect(definition).toMatchObject({ types: ['acme'], secondary: { conditions: ['Audit'] } })
    expect(() => definition.create({}, { clock: virtualClock(0) })).toThrow('reconciles nothing')
  })

  test('it has no field that only a primary one uses', () => {
    expect(problemsOf({ ...secondary, health: { conditions: [] } })).toEqual(['unknown field "health"'])
    expect(problemsOf({ ...secondary, finalizerSuffix: 'a' })).toHaveLength(1)
    expect(problemsOf({ ...whole, conditions: ['A'] })).toHaveLength(1)
    expect(problemsOf({ ...whole, role: 'third' })).toEqual(['role: expected secondary, or nothing'])
  })

  test('it has no permission to write objects of its kind, or the status of an extension object', () => {
    expect(permission({ verbs: ['delete'] })).toEqual([
      'permissions[0]: a secondary function must not delete dnsrecords: they belong to the primary controller. Return conditions instead',
    ])
    expect(
      permission({ resource: { ...resource, plural: 'workers' }, subresource: 'status', verbs: ['patch'] }),
    ).toEqual([expect.stringContaining('must not patch workers/status')])
    expect(permission({ resource: { ...resource, plural: 'workers' }, verbs: ['list'] })).toEqual([])
    expect(permission({ verbs: ['patch'] })).toEqual([expect.stringContaining('must not patch dnsrecords')])
    expect(permission({ subresource: 'status', verbs: ['patch'] })).toEqual([
      expect.stringContaining('must not patch dnsrecords/status'),
    ])
    expect(permission({ verbs: ['get', 'patch'] })).toEqual([
      expect.stringContaining('must not patch dnsrecords'),
      expect.stringContaining('already has the permission to get dnsrecords'),
    ])
    expect(permission({ verbs: ['get'] })).toEqual([expect.stringContaining('already has the permission')])
  })

  test('its types refuse a write of the primary', () => {
    defineFunction({
      ...{ name: 'acme', type: 'acme' },
      role: 'secondary',
      kind: 'DNSRecord',
      create: () => ({
        observe: async ({ object, kubernetes }) => {
          expectTypeOf(object).toEqualTypeOf<DNSRecord>()
          // @ts-expect-error an extension object
          const refused = () => kubernetes.delete(resource, { name: 'a' })
          expectTypeOf(refused).toBeFunction()
          return {}
        },
      }),
    })
    const lastError = { description: 'no' }
    const wrong: SecondaryOptions<'DNSRecord', z.ZodObject, unknown, 'Audit'>['create'] = () => ({
      // @ts-expect-error a field of the primary
      observe: async () => ({ lastError }),
    })
    expect(wrong).toBeInstanceOf(Function)
  })
})
