import { expect } from 'vitest'
import { type VirtualClock, virtualClock } from '../../../../../shared/clock/clock.ts'
import type { Aws } from '../aws-interface.ts'
import { createAws } from '../simulator.ts'
import { clientSettings, failureOf } from './clients.ts'

/** The start time of the world. */
export const start = Date.parse('2026-01-01T00:00:00Z')

/** The simulator of one refused request. */
export interface World {
  readonly aws: Aws
  readonly clock: VirtualClock
  readonly settings: ReturnType<typeof clientSettings>
}

/** A refused request: a sentence, the request, the SDK's error name, HTTP status, and text. */
export type Refusal = [
  sentence: string,
  act: (world: World) => Promise<unknown>,
  name: string,
  status: number,
  message: string | RegExp,
]

/** Fails unless the request is refused with the error of the row. */
export const expectRefusal = async (...[, act, name, status, message]: Refusal): Promise<void> => {
  const clock = virtualClock(start)
  const aws = createAws({ clock })
  const failure = await failureOf(act({ aws, clock, settings: clientSettings(aws) }))
  expect(failure).toMatchObject({ name, $metadata: { httpStatusCode: status } })
  expect(failure.message).toMatch(message)
}
