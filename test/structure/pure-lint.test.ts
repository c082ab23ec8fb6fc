import { expect, test } from 'vitest'
import { lintOf } from './lint-of.ts'

/** One per line, so that a finding is identified by its line. */
const impure = [
  "import { runStep } from '../step/run-step.ts'",
  "import { act } from '../lifecycle.ts'",
  "import { createKubernetes } from '../../kubernetes/kubernetes.ts'",
  "import { systemClock } from '../../clock/clock.ts'",
  "import { createLog } from '../../log/log.ts'",
  "import { createSend } from '../../events/events.ts'",
  "import { readFileSync } from 'node:fs'",
  'export const home = process.env.HOME',
  'export const home2 = globalThis.process.env.HOME',
  'export const now = new Date()',
  'export const chance = Math.random()',
  'export const id = crypto.randomUUID()',
  'export const say = (): void => console.log(1)',
  'export const later = (): void => queueMicrotask(() => {})',
  'export const wait = async (slow: () => PromiseLike<number>) => await slow()',
  'export const chain = (slow: Promise<number>) => slow.then(value => value)',
]

const pure = [
  "import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'",
  "import { formatMilliseconds } from '../../clock/clock.ts'",
  "import { eventId } from '../../events/events.ts'",
]

/** Returns the lines of a file of that folder that violate its rules. */
const foundIn = async (lines: readonly string[]): Promise<readonly string[]> => {
  const diagnostics = await lintOf({ 'shared/lifecycle/decide/probe.ts': `${lines.join('\n')}\n` })
  const ofRoom = diagnostics.filter(({ category }) => /^plugin$|\/noRestricted/.test(category))
  const numbers = new Set(ofRoom.map(({ location }) => location.start.line - 1))
  return lines.filter((_line, index) => numbers.has(index))
}

test('deciding code does not wait, read a clock, or make a call', async () => {
  expect(await foundIn(impure)).toEqual(impure)
  expect(await foundIn(pure)).toEqual([])
})
