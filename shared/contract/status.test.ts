import { describe, expect, it } from 'vitest'
import { errorDescription, failed, processing, succeeded } from './status.ts'

// 2026-11-21T02:58:25.999Z: the milliseconds must not show, and not round up.
const now = Date.UTC(2026, 10, 21, 2, 58, 25, 999)

describe('status patches', () => {
  it('Processing tells 1 % and touches neither lastError nor observedGeneration', () => {
    expect(processing('Create', 'Reconciling the DNSRecord', now)).toEqual({
      lastOperation: {
        type: 'Create',
        state: 'Processing',
        progress: 1,
        description: 'Reconciling the DNSRecord',
        lastUpdateTime: '2026-11-21T02:58:25Z',
      },
    })
  })

  it('Processing that goes on tells how far it is', () => {
    expect(processing('Delete', 'waiting for the NAT gateway', now, 40).lastOperation).toMatchObject({
      state: 'Processing',
      progress: 40,
      description: 'waiting for the NAT gateway',
    })
  })

  it('Succeeded clears the error and says which generation was worked on', () => {
    expect(succeeded('Reconcile', 'Successfully reconciled DNSRecord', now, 7)).toEqual({
      lastOperation: {
        type: 'Reconcile',
        state: 'Succeeded',
        progress: 100,
        description: 'Successfully reconciled DNSRecord',
        lastUpdateTime: '2026-11-21T02:58:25Z',
      },
      lastError: null,
      observedGeneration: 7,
    })
  })

  it('Error says the same in lastOperation and lastError, with the codes', () => {
    const description = 'Error reconciling DNSRecord: no zone'
    expect(failed('Restore', description, ['ERR_CONFIGURATION_PROBLEM'], now, 3)).toEqual({
      lastOperation: {
        type: 'Restore',
        state: 'Error',
        progress: 50,
        description,
        lastUpdateTime: '2026-11-21T02:58:25Z',
      },
      lastError: {
        description,
        codes: ['ERR_CONFIGURATION_PROBLEM'],
        lastUpdateTime: '2026-11-21T02:58:25Z',
      },
      observedGeneration: 3,
    })
  })

  it('an Error without codes takes away the codes of the one before', () => {
    expect(failed('Create', 'Error: x', [], now, 1).lastError).toMatchObject({ codes: null })
  })

  it.each([
    ['Error deleting DNSRecord', 'boom', 'Error deleting DNSRecord: boom'],
    ['error deleting', 'boom: Again', 'Error deleting: boom: Again'],
    ['', 'x', ': x'],
  ])('the description of %j and %j is %j', (prefix, message, expected) => {
    expect(errorDescription(prefix, message)).toBe(expected)
  })
})

it('of a message of any length the first 16,384 characters are told', () => {
  expect(errorDescription('error', 'x'.repeat(1e6))).toHaveLength(16_385)
})
