import { expect, test } from 'vitest'
import { type RecordedCall, recordedCalls } from '../../../../../test/recorded/recorded.ts'
import { createAws } from '../simulator.ts'
import { addHostedZone, hostedZones } from './inventory.ts'

const signature =
  'AWS4-HMAC-SHA256 Credential=AKIA/20260101/us-east-1/route53/aws4_request, SignedHeaders=host, Signature=00'

const play = async (url: string, { http = '', body }: RecordedCall): Promise<number> => {
  const [method = 'GET', path = '/'] = http.split(' ')
  const response = await fetch(url + path, {
    method,
    headers: { authorization: signature },
    ...(body === undefined ? {} : { body }),
  })
  await response.arrayBuffer()
  return response.status
}

test.each([
  ['dnsrecord/a', 'a.example.com. A'],
  ['dnsrecord/cname-elb-alias', 'lb.example.com. A'],
])('the calls of the Go extension in %s make %s', async (name, made) => {
  const aws = createAws()
  addHostedZone(aws.account(), { name: 'example.com', id: 'B5S7MRE9RT2C69IM9A2QMY' })
  const server = await aws.listen()
  const records = () =>
    hostedZones(aws.account())[0]
      ?.recordSets.slice(2)
      .map(set => `${set.Name} ${set.Type}`)
  try {
    const { create = [], idle = [], delete: deletion = [] } = recordedCalls(name)
    const statuses: number[] = []
    for (const call of [...create, ...idle]) statuses.push(await play(server.url, call))
    expect(statuses).toEqual(statuses.map(() => 200))
    expect(records()).toEqual([made])
    // The recorded deletion of the alias repeats a TTL that only the emulator of the recording gives back.
    if (name === 'dnsrecord/a') {
      for (const call of deletion) expect(await play(server.url, call)).toBe(200)
      expect(records()).toEqual([])
    }
    const actions = aws.calls.all().map(call => `${call.service}:${call.action}`)
    expect(actions.slice(0, create.length)).toEqual(create.map(call => call.action))
  } finally {
    await server.close()
  }
})
