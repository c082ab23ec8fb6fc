import { expect, test } from 'vitest'
import { afterProbe, firstProbeState, type ProbeThresholds } from './probe-state.ts'

/** Returns the result after each probe: `+` succeeds, `-` fails. */
const results = (probes: string, thresholds: ProbeThresholds): string => {
  let state = firstProbeState
  return [...probes]
    .map(probe => {
      state = afterProbe(state, probe === '+', thresholds)
      return state.result[0]
    })
    .join('')
}

test.each([
  ['--+', {}, 'uus'],
  ['---+---', {}, 'uufsssf'],
  ['+--+--', {}, 'ssssss'],
  ['-+', { failureThreshold: 1 }, 'fs'],
  ['++-+++', { successThreshold: 3, failureThreshold: 1 }, 'uufffs'],
])('the results of %s with %j are %s', (probes, thresholds, expected) => {
  expect(results(probes, thresholds)).toBe(expected)
})
