import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AwsEndpoint, connectTo } from './aws/behaviour.ts'
import { behaviours as services } from './aws/behaviours.ts'
import { type RunningMoto, startMoto } from './moto.ts'
import { describeWith } from './with-part.ts'

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
