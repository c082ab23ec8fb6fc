import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { done } from '../lifecycle/lifecycle.ts'
import { defineFunction } from './define-function.ts'
import { SettingsError } from './settings.ts'
import { settingsOfFunctions } from './settings-of-functions.ts'

const create = () => ({ reconcile: async () => done(), remove: async () => done() })
const records = defineFunction({
  name: 'acme-dnsrecord',
  kind: 'DNSRecord',
  type: 'acme-dns',
  settings: z.object({
    qps: z.coerce.number().positive().default(5).meta({ description: 'Calls of Acme per second.' }),
    token: z.string().default('').meta({ description: 'Of Acme.', secret: true }),
  }),
  create,
})
const bastions = defineFunction({
  name: 'acme-bastion',
  kind: 'Bastion',
  type: 'acme',
  settings: z.object({
    qps: z.coerce.number().max(3).default(1).meta({ description: 'Calls of Acme per second.' }),
  }),
  create,
})
const definitions = [records, bastions]

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    settingsOfFunctions('acme-compact', definitions, env)
    return []
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)]
  }
}

describe('settingsOfFunctions', () => {
  test('each function gets its own settings, and the host the common ones', () => {
    const { host, ofFunction } = settingsOfFunctions('acme-compact', definitions, {
      TRELLIS_QPS: '2',
      PORT: '81',
    })
    expect(host).toMatchObject({ port: 81, logLevel: 'info' })
    expect(ofFunction(records)).toMatchObject({ qps: 2, token: '' })
    expect(ofFunction(bastions)).toMatchObject({ qps: 2 })
    expect(ofFunction(bastions)).not.toHaveProperty('token')
  })

  test('each function has its own defaults', () => {
    const { ofFunction } = settingsOfFunctions('acme-compact', definitions, {})
    expect([ofFunction(records).qps, ofFunction(bastions).qps]).toEqual([5, 1])
  })

  test('an invalid setting is reported with its function', () => {
    expect(problemsOf({ TRELLIS_QPS: '4' })).toEqual([
      expect.stringMatching(/^acme-bastion: TRELLIS_QPS="4": /),
    ])
    expect(problemsOf({ TRELLIS_QPS: 'many' })).toEqual([expect.stringMatching(/^TRELLIS_QPS="many": /)])
  })

  test('problems of the process and unknown names are reported once', () => {
    expect(problemsOf({ TRELLIS_LOG_LEVEL: 'loud', TRELLIS_TOKN: 'a' })).toEqual([
      'unknown setting TRELLIS_TOKN. Did you mean TRELLIS_TOKEN?',
      expect.stringMatching(/^TRELLIS_LOG_LEVEL="loud": /),
    ])
  })

  test('printed settings are grouped by function, without secret values', () => {
    const { printable } = settingsOfFunctions('acme-compact', definitions, { TRELLIS_TOKEN: 'planted' })
    expect(Object.keys(printable)).toEqual(['acme-compact', 'acme-dnsrecord', 'acme-bastion'])
    expect(printable['acme-dnsrecord']).toEqual({ qps: 5, token: '[redacted]' })
    expect(printable['acme-bastion']).toEqual({ qps: 1 })
  })
})
