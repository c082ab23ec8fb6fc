import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAws } from '../../sandbox/aws/simulator.ts'
import { type AwsEndpoint, connectTo } from './aws/behaviour.ts'
import { route53Behaviours } from './aws/route53-behaviours.ts'
import { stsBehaviours } from './aws/sts-behaviours.ts'
import { type RunningMoto, startMoto } from './moto.ts'
import { describeWith } from './with-part.ts'

const services = [
  { service: 'Route 53', behaviours: route53Behaviours },
  { service: 'STS', behaviours: stsBehaviours },
]

describe('the AWS simulator behaves as AWS', () => {
  const aws = createAws()
  let listener: Awaited<ReturnType<typeof aws.listen>>
  let endpoint: AwsEndpoint
  beforeAll(async () => {
    listener = await aws.listen()
    endpoint = connectTo(listener.url)
  })
  afterAll(() => listener?.close())

  describe.each(services)('$service', ({ behaviours }) => {
    test.each(behaviours)('$title', async ({ see, aws: expected }) => {
      expect(await see(endpoint)).toEqual(expected)
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
