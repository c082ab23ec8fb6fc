import { describe, expect, test } from 'vitest'
import { traceparentOf } from './write-event.ts'

const id = '0af76519-16cd-8bdd-8448-eb211c80319c'
const other = '1af76519-16cd-8bdd-8448-eb211c80319c'
const carried = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'

describe('the trace context of an event', () => {
  test('the trace is sampled and derived from the event’s id, so that every process computes the same', () => {
    expect(traceparentOf(id)).toMatch(/^00-0af7651916cd8bdd8448eb211c80319c-[0-9a-f]{16}-01$/)
    expect(traceparentOf(id)).toBe(traceparentOf(id))
    expect(traceparentOf(other)).not.toBe(traceparentOf(id))
  })

  test('the event continues the object’s trace, with a separate span per event', () => {
    const one = traceparentOf(id, carried)
    expect(one).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/)
    expect(one).not.toContain('00f067aa0ba902b7')
    expect(traceparentOf(other, carried)).not.toBe(one)
  })

  test.each([
    ['empty', ''],
    ['of a later version', carried.replace('00-', '01-')],
    ['without a trace', '00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
    ['without a parent', '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01'],
    ['in upper case', carried.toUpperCase()],
    ['too long', `${carried}-x`],
  ])('the event starts a new trace if the object’s trace is %s', (_, unusable) => {
    expect(traceparentOf(id, unusable)).toBe(traceparentOf(id))
  })
})
