import { describe, expect, test } from 'vitest'
import { createAws, newAccountLimits } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { type Behaviour, connectTo } from './behaviour.ts'
import { behaviours as services } from './behaviours.ts'

describe.each(services)('the behavior table of $service', ({ behaviours }) => {
  test('has each behavior once', () => {
    const titles = behaviours.map(({ title }) => title)
    expect(titles).toEqual([...new Set(titles)])
  })

  test('has no gap that matches AWS', () => {
    for (const { aws, title, ...gap } of behaviours) {
      if ('moto' in gap) expect(gap.moto, title).not.toEqual(aws)
    }
  })
})

/** Returns the result on a separate simulated AWS, with the durations of AWS on a clock that does not wait. */
const seeOnSimulator = async (see: Behaviour['see']): Promise<unknown> => {
  const clock = virtualClock(Date.now())
  const realTime = { durations: { scale: 1 } }
  const ec2 = { ...realTime, limits: newAccountLimits }
  const aws = createAws({ clock, ec2, iam: realTime, s3: realTime, elb: realTime, efs: realTime })
  const { url, close } = await aws.listen()
  try {
    const seen = await see(connectTo(url, clock.advance))
    expect(aws.notBuilt.all()).toEqual([])
    return seen
  } finally {
    await close()
  }
}

describe('the AWS simulator behaves like AWS', () => {
  describe.each(services)('$service', ({ behaviours }) => {
    test.each(behaviours)('$title', async ({ see, aws: expected }) => {
      expect(await seeOnSimulator(see)).toEqual(expected)
    })
  })
})
