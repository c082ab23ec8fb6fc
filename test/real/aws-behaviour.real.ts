import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAws, newAccountLimits } from '../../sandbox/providers/aws/simulator/aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { type AwsEndpoint, type Behaviour, connectTo } from './aws/behaviour.ts'
import { ec2Behaviours } from './aws/ec2/behaviours.ts'
import { efsBehaviours } from './aws/efs-behaviours.ts'
import { elbBehaviours } from './aws/elb-behaviours.ts'
import { elbv2Behaviours } from './aws/elbv2-behaviours.ts'
import { iamBehaviours } from './aws/iam/behaviours.ts'
import { route53Behaviours } from './aws/route53-behaviours.ts'
import { s3Behaviours } from './aws/s3/behaviours.ts'
import { stsBehaviours } from './aws/sts-behaviours.ts'
import { type RunningMoto, startMoto } from './moto.ts'
import { describeWith } from './with-part.ts'

const services: readonly { readonly service: string; readonly behaviours: readonly Behaviour[] }[] = [
  ...ec2Behaviours,
  ...iamBehaviours,
  ...s3Behaviours,
  { service: 'ELB', behaviours: elbBehaviours },
  { service: 'ELBv2', behaviours: elbv2Behaviours },
  { service: 'EFS', behaviours: efsBehaviours },
  { service: 'Route 53', behaviours: route53Behaviours },
  { service: 'STS', behaviours: stsBehaviours },
]

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

describeWith('python', 'moto behaves as AWS, or as the gaps that are known', programs => {
  let moto: RunningMoto
  let endpoint: AwsEndpoint
  beforeAll(async () => {
    moto = await startMoto(programs)
    endpoint = connectTo(moto.url)
  })
  afterAll(() => moto?.close())

  describe.each(services)('$service', ({ behaviours }) => {
    test.each(behaviours)('$title', async ({ see, aws: expected, ...gap }) => {
      expect(await see(endpoint)).toEqual('moto' in gap ? gap.moto : expected)
    })
  })
})
